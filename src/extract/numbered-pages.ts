import type { PageCount, Paging } from '../endpoints/endpoint.ts';
import type { AnswerPage } from '../slice.ts';
import { endless, isSameList, MAX_PAGES, nullIfRefused, readOrNull } from './list-reading.ts';
import type { GetPage, PageOptions, Reading } from './list-reading.ts';

type NumberPaging = Extract<Paging, { kind: 'number' }>;

/** Reads a list by page number once. @throws AnswerlakeError (contract) for an endless list; what `getPage` throws */
export async function readByNumber(
  getPage: GetPage,
  paging: NumberPaging,
  { slice, pageSize = paging.size }: PageOptions,
): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const counts: PageCount[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const asked = getPage(page, [
      ['page', String(page)],
      ['size', String(pageSize)],
    ]);
    // Some servers refuse the page after the last one.
    const answer = await asked.catch((error: unknown) => {
      if (provesTotal(counts)) return nullIfRefused(error);
      throw error;
    });
    if (answer === null) return countedReading(pages, counts);
    const count = readOrNull(() => paging.pages(answer.body));
    // Validation refuses an envelope that cannot be read, and says why.
    if (count === null) return { pages: [...pages, answer], isProven: true, missing: null, content: null };
    const before = counts.at(-1);
    if (before !== undefined && count.ids.some((id) => id !== null) && isSameList(count.ids, before.ids)) {
      const missing = `page ${String(page)} is the same as the page before it, so the server ignores \`page\``;
      return { pages, isProven: false, missing, content: JSON.stringify(count.ids) };
    }
    pages.push(answer);
    // The `total` of a page after the last one may be 0.
    if (page > 1 && count.ids.length === 0) return countedReading(pages, counts);
    counts.push(count);
    if (!hasNextPage(counts, pageSize)) return countedReading(pages, counts);
  }
  throw endless(slice);
}

/** A full page is followed by another request, whatever the paging fields say: only a short or an empty one ends a list. */
function hasNextPage(counts: readonly PageCount[], pageSize: number): boolean {
  const [first] = counts;
  const last = counts.at(-1);
  if (first === undefined || last === undefined) return false;
  const fullLength = Math.min(
    pageSize,
    last.size || pageSize,
    counts.length > 1 ? first.ids.length : pageSize,
  );
  if (last.ids.length >= fullLength) return true;
  if (last.totalPages !== null) return counts.length < last.totalPages;
  return last.total !== null && distinctIds(counts).size < last.total;
}

/** Whether as many things came as the list says it has. */
function countedReading(pages: AnswerPage[], counts: readonly PageCount[]): Reading {
  const ids = distinctIds(counts);
  const isStable = new Set(counts.map(({ total }) => total)).size === 1;
  return {
    pages,
    isProven: provesTotal(counts),
    missing: whatIsMissing(ids.size, counts),
    content: isStable ? JSON.stringify([...ids].sort()) : null,
  };
}

function provesTotal(counts: readonly PageCount[]): boolean {
  const { size } = distinctIds(counts);
  return counts.length > 0 && counts.every(({ total, totalPages }) => total === size && totalPages !== null);
}

function whatIsMissing(came: number, counts: readonly PageCount[]): string | null {
  const unreadable = (['total', 'totalPages'] as const).filter((name) =>
    counts.some((count) => count[name] === null),
  );
  if (unreadable.length > 0) {
    const names = unreadable.map((name) => `\`${name}\``).join(' and ');
    return `${names} cannot be read, so nothing proves that the list is whole`;
  }
  const totals = new Set(counts.map(({ total }) => total));
  const total = Math.max(...[...totals].map((one) => one ?? 0));
  if (came === total || (came > total && totals.size > 1)) return null;
  return `the list says that it has ${String(total)} entries, and ${String(came)} came`;
}

function distinctIds(counts: readonly PageCount[]): Set<string> {
  const ids = counts.flatMap((count, page) =>
    count.ids.map((id, index) => (id === null ? `unreadable ${String(page)}/${String(index)}` : `id ${id}`)),
  );
  return new Set(ids);
}
