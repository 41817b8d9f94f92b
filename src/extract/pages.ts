import type { PageCount, Paging, Parameter } from '../endpoints/endpoint.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, type AnswerPage, type Slice } from '../slice.ts';
import { ApiError } from './api-error.ts';

export type GetPage = (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;

export interface PageOptions {
  paging: Paging;
  limit: number | null;
  /** Items of a page, where the paging is by number; default: as many as the API allows. */
  pageSize?: number | undefined;
  slice: Slice;
  /** Names that matter, where the paging is by name. */
  wanted?: readonly string[] | undefined;
}

/** All pages of one slice, in order. */
export interface PagedAnswer {
  pages: AnswerPage[];
  /** Why the pages cannot prove that they are the whole list; left out when they can. */
  incomplete?: string;
}

/** A list that cannot prove that it is whole is read again up to three times. */
const MAX_READINGS = 4;

/** No list of this API is that long; an endless one is a broken server. */
const MAX_PAGES = 1000;

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

/** One pass through all pages. */
interface Reading {
  pages: AnswerPage[];
  isProven: boolean;
  /** What is missing when the next reading says the same; null when nothing is. */
  missing: string | null;
  /** Equal for two readings of the same list; null when the list changed during this one. */
  content: string | null;
}

async function readUntilWhole(read: () => Promise<Reading>): Promise<PagedAnswer> {
  let before: string | null = null;
  for (let number = 1; ; number += 1) {
    const { pages, isProven, missing, content } = await read();
    const standsStill = content !== null && content === before;
    if (isProven || (standsStill && missing === null)) return { pages };
    if (standsStill || number === MAX_READINGS) {
      const changed = `the list changed during each of ${String(MAX_READINGS)} readings`;
      return { pages, incomplete: missing ?? changed };
    }
    before = content;
  }
}

type NumberPaging = Extract<Paging, { kind: 'number' }>;

async function readByNumber(
  getPage: GetPage,
  paging: NumberPaging,
  { slice, pageSize = paging.size }: PageOptions,
): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const counts: PageCount[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getPage(page, [
      ['page', String(page)],
      ['size', String(pageSize)],
    ]);
    const count = readOrNull(() => paging.pages(answer.body));
    // Validation refuses an envelope that cannot be read, and says why.
    if (count === null) return { pages: [...pages, answer], isProven: true, missing: null, content: null };
    const before = counts.at(-1);
    if (before !== undefined && count.ids.some((id) => id !== null) && isSameList(count.ids, before.ids)) {
      const missing = `page ${String(page)} is the same as the page before it, so the server ignores \`page\``;
      return { pages, isProven: false, missing, content: JSON.stringify(count.ids) };
    }
    pages.push(answer);
    counts.push(count);
    if (count.totalPages > MAX_PAGES) break;
    // A full page of a longer list has a next one, whatever `totalPages` says.
    const hasMore = count.ids.length >= pageSize && distinctIds(counts).size < count.total;
    if (page >= count.totalPages && !hasMore) return countedReading(pages, counts);
  }
  throw endless(slice);
}

/** Whether as many things came as the list says it has. */
function countedReading(pages: AnswerPage[], counts: readonly PageCount[]): Reading {
  const ids = distinctIds(counts);
  const totals = new Set(counts.map(({ total }) => total));
  const total = Math.max(...totals);
  const isStable = totals.size === 1;
  return {
    pages,
    isProven: isStable && ids.size === total,
    missing:
      ids.size < total
        ? `the list says that it has ${String(total)} entries, and ${String(ids.size)} came`
        : null,
    content: isStable ? JSON.stringify([...ids].sort()) : null,
  };
}

function distinctIds(counts: readonly PageCount[]): Set<string> {
  const ids = counts.flatMap((count, page) =>
    count.ids.map((id, index) => (id === null ? `unreadable ${String(page)}/${String(index)}` : `id ${id}`)),
  );
  return new Set(ids);
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

function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError && error.isBadQuestion) return null;
  throw error;
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

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function endless(slice: Slice): AnswerlakeError {
  return new AnswerlakeError(`${describeSlice(slice)}: more than ${String(MAX_PAGES)} pages`, {
    class: 'contract',
    scope: 'slice',
  });
}
