import type { PageCount, Paging, Parameter } from '../endpoints/endpoint.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, type AnswerPage, type Slice } from '../slice.ts';

export type GetPage = (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;

export interface PageOptions {
  paging: Paging;
  limit: number | null;
  slice: Slice;
}

/** A list that changes while it is read is read again this often. */
const MAX_READS = 4;

/** No list of this API is that long; an endless one is a broken server. */
const MAX_PAGES = 1000;

/** All pages of one slice, in order. @throws AnswerlakeError (contract) for a list that never stands still */
export async function readPages(getPage: GetPage, options: PageOptions): Promise<AnswerPage[]> {
  const { paging } = options;
  switch (paging.kind) {
    case 'none':
      return [await getPage(1, [])];
    case 'number':
      return await readByNumber(getPage, paging, options.slice);
    case 'offset':
      return await readByOffset(getPage, paging, options);
    default:
      return paging satisfies never;
  }
}

type NumberPaging = Extract<Paging, { kind: 'number' }>;

async function readByNumber(getPage: GetPage, paging: NumberPaging, slice: Slice): Promise<AnswerPage[]> {
  let before: string | null = null;
  for (let read = 1; ; read += 1) {
    const { pages, counts } = await readOnce(getPage, paging, slice);
    const ids = distinctIds(counts);
    const totals = new Set(counts.map((count) => count.total));
    if (totals.size <= 1 && (counts.length === 0 || totals.has(ids.size))) return pages;
    const now = JSON.stringify([...ids].sort());
    // Twice the same list: it stands still, and only its own count is off.
    if (totals.size <= 1 && now === before) return pages;
    if (read === MAX_READS) {
      throw new AnswerlakeError(
        `${describeSlice(slice)}: the list changed during each of ${String(MAX_READS)} readings; run again later`,
        { class: 'contract', scope: 'slice' },
      );
    }
    before = totals.size <= 1 ? now : null;
  }
}

async function readOnce(
  getPage: GetPage,
  paging: NumberPaging,
  slice: Slice,
): Promise<{ pages: AnswerPage[]; counts: PageCount[] }> {
  const pages: AnswerPage[] = [];
  const counts: PageCount[] = [];
  let totalPages = 1;
  for (let page = 1; page <= totalPages; page += 1) {
    const answer = await getPage(page, [
      ['page', String(page)],
      ['size', String(paging.size)],
    ]);
    pages.push(answer);
    const count = countOf(paging, answer);
    // An envelope that cannot be read is refused by validation, which says why.
    if (count === null) return { pages, counts: [] };
    counts.push(count);
    totalPages = count.totalPages;
    if (totalPages > MAX_PAGES) throw endless(slice);
  }
  return { pages, counts };
}

function countOf(paging: NumberPaging, answer: AnswerPage): PageCount | null {
  try {
    return paging.pages(answer.body);
  } catch {
    return null;
  }
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
): Promise<AnswerPage[]> {
  const pages: AnswerPage[] = [];
  const seen = new Set<string>();
  let offset = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getPage(page, offset === 0 ? [] : [['offset', String(offset)]]);
    const items = listOf(paging, answer);
    if (items === null) return [...pages, answer];
    const texts = items.map((item) => JSON.stringify(item));
    // A server that does not know `offset` gives the first page again.
    if (page > 1 && texts.every((text) => seen.has(text))) return pages;
    pages.push(answer);
    if (limit === null || (items.length < limit && !looksCapped(items.length))) return pages;
    for (const text of texts) seen.add(text);
    // More items than the limit: it counts something else (brands, not rows), and so does the offset.
    offset += Math.min(items.length, limit);
  }
  throw endless(slice);
}

/** A round number of items may be a cap of the server below our limit: one request more tells. */
function looksCapped(items: number): boolean {
  return items > 0 && items % 50 === 0;
}

function listOf(paging: Extract<Paging, { kind: 'offset' }>, answer: AnswerPage): readonly unknown[] | null {
  try {
    return paging.list(answer.body);
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
