import type { Paging } from '../endpoints/endpoint.ts';
import type { AnswerPage } from '../slice.ts';
import { endless, isSameList, MAX_PAGES, nullIfRefused, readOrNull } from './list-reading.ts';
import type { GetPage, PageOptions, Reading } from './list-reading.ts';
import { readByNumber } from './numbered-pages.ts';

/** All pages of one slice, in order. */
export interface PagedAnswer {
  pages: AnswerPage[];
  /** Why the pages cannot prove that they are the whole list; left out when they can. */
  incomplete?: string;
}

/** A list that cannot prove that it is whole is read again up to three times. */
const MAX_READINGS = 4;

/** @throws AnswerlakeError (contract) for an endless list; what `getPage` throws */
export async function readPages(getPage: GetPage, options: PageOptions): Promise<PagedAnswer> {
  const { paging } = options;
  switch (paging.kind) {
    case 'none':
      return { pages: [await getPage(1, [])] };
    case 'number':
      return await readUntilWhole(() => readByNumber(getPage, paging, options));
    case 'offset':
      return await readUntilWhole(() => readByOffset(getPage, paging, options));
    case 'named':
      return { pages: await readByName(getPage, paging, options) };
    default:
      return paging satisfies never;
  }
}

async function readUntilWhole(read: () => Promise<Reading>): Promise<PagedAnswer> {
  let before: string | null = null;
  for (let number = 1; ; number += 1) {
    const { pages, isProven, missing, content } = await read();
    if (isProven) return { pages };
    if ((content !== null && content === before) || number === MAX_READINGS) {
      const changed = `the list changed during each of ${String(MAX_READINGS)} readings`;
      return { pages, incomplete: missing ?? changed };
    }
    before = content;
  }
}

async function readByOffset(
  getPage: GetPage,
  paging: Extract<Paging, { kind: 'offset' }>,
  { limit, slice }: PageOptions,
): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const seen = new Set<string>();
  let before: readonly string[] = [];
  let offset = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getPage(page, offset === 0 ? [] : [['offset', String(offset)]]);
    const items = readOrNull(() => paging.list(answer.body));
    if (items === null) return { pages: [...pages, answer], isProven: true, missing: null, content: null };
    const isFull = limit !== null && items.length >= limit;
    const isLast = limit === null || (!isFull && !looksCapped(items.length));
    const proven: Reading = { pages, isProven: true, missing: null, content: null };
    if (page === 1 && isLast) return { ...proven, pages: [answer] };
    const texts = items.map((item) => JSON.stringify(item));
    if (page > 1 && texts.every((text) => seen.has(text))) {
      if (texts.length === 0 && before.length === limit) return moved(pages, seen);
      // The whole list twice, longer than asked for: the server ignores the limit too, so it cut nothing off.
      const isUncut = limit !== null && texts.length > limit;
      if (isUncut || !isSameList(texts, before)) return proven;
      if (page === 2 && !isFull && paging.looksWhole(items, slice)) return proven;
      // A list below our limit was asked further only because the server may have cut it: that is not answered yet.
      const missing = `the server ignores \`offset\`, so nothing came beyond the first ${String(seen.size)} entries`;
      return { pages, isProven: false, missing, content: JSON.stringify([...seen]) };
    } else if (page > 1 && !texts.some((text) => seen.has(text))) {
      pages.push(answer);
      return moved(pages, seen);
    }
    pages.push(answer);
    if (isLast) return proven;
    for (const text of texts) seen.add(text);
    before = texts;
    // The last entry is asked for again: it proves that the list did not move between the pages. More items than the
    // limit: it counts something else (brands, not rows), and so does the offset.
    offset += Math.max(1, Math.min(items.length, limit) - 1);
  }
  throw endless(slice);
}

type NamedPaging = Extract<Paging, { kind: 'named' }>;

/**
 * A list, and where it is cut off a second page with the wanted names that it lacks. A server that does not know the
 * parameter leaves the list as it came.
 * @throws what `getPage` throws, but for a refusal of the second page
 */
async function readByName(
  getPage: GetPage,
  paging: NamedPaging,
  { limit, wanted = [] }: PageOptions,
): Promise<AnswerPage[]> {
  const first = await getPage(1, []);
  if (limit === null || wanted.length === 0) return [first];
  const listed = namesOn(first, paging);
  if (listed === null || listed.length < limit) return [first];
  const known = new Set(listed.map((name) => name.toLowerCase()));
  // More than the limit would be cut off again.
  const missing = wanted.filter((name) => !known.has(name.toLowerCase())).slice(0, limit);
  if (missing.length === 0) return [first];
  const second = await getPage(
    2,
    missing.map((name) => [paging.parameter, name] as const),
  ).catch(nullIfRefused);
  return second === null ? [first] : [first, second];
}

/** Null when the body cannot be read: validation refuses it, and says why. */
function namesOn({ body }: AnswerPage, { names }: NamedPaging): readonly string[] | null {
  try {
    return names(body);
  } catch {
    return null;
  }
}

/** The page does not begin with the last entry of the one before. */
function moved(pages: AnswerPage[], seen: ReadonlySet<string>): Reading {
  const missing = 'the list moved while its pages were read';
  return { pages, isProven: false, missing, content: JSON.stringify([...seen]) };
}

/** A round number of items may be a cap of the server below our limit: one more request tells. */
function looksCapped(items: number): boolean {
  return items > 0 && items % 50 === 0;
}
