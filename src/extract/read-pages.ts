import { isDeepStrictEqual } from 'node:util';
import { addDays, type Day, minDay, periodStart } from '../day.ts';
import {
  mayBeLimit,
  type OffsetPage,
  type PageCount,
  type Paging,
  type Parameter,
} from '../endpoints/endpoint.ts';
import { contractError, type AnswerlakeError, orNull } from '../errors.ts';
import { jsonOf } from '../redact.ts';
import { type AnswerPage, type Slice, describeSlice, sliceGrain, sliceWindow } from '../slice.ts';
import { ApiError } from './api-error.ts';
import { statusClass } from './headers.ts';

/** All pages of one slice, in order. */
export interface PagedAnswer {
  pages: AnswerPage[];
  /** Why the pages do not prove that they are the whole list; left out if they do. */
  incomplete?: string;
  /** They do not because the server failed, which never becomes a known alarm. */
  isOutage?: boolean;
  /** The list looks cut off below its limit, and no later page shows whether it is. */
  isSuspected?: boolean;
}

/** A list that is not proven whole is read up to three times. */
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
    case 'cursor':
      return await readUntilWhole(() => readByCursor(getPage, paging, options));
    case 'named':
      return await readByName(getPage, paging, options);
    default:
      return paging satisfies never;
  }
}

async function readUntilWhole(read: () => Promise<Reading>): Promise<PagedAnswer> {
  let before: string | null = null;
  for (let number = 1; ; number += 1) {
    const { content, ...paged } = await read();
    const isFinal = content === null || content === before || number === MAX_READINGS;
    if (paged.incomplete === undefined || isFinal) return paged;
    before = content;
  }
}

type OffsetPaging = Extract<Paging, { kind: 'offset' }>;

async function readByOffset(
  getPage: GetPage,
  { size, names: [offsetName, limitName], list }: OffsetPaging,
  { limit: longest, slice, today }: PageOptions,
): Promise<Reading> {
  let limit = size ?? longest;
  let isSuspected = false;
  const sized: readonly Parameter[] = size === null ? [] : [[limitName, String(size)]];
  const pages: AnswerPage[] = [];
  const seen = new Set<string>();
  const partial = (incomplete: string, all = pages): Reading => {
    return { pages: all, incomplete, content: JSON.stringify([...seen]) };
  };
  let lastLength = 0;
  let offset = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const from: readonly Parameter[] = offset === 0 ? [] : [[offsetName, String(offset)]];
    const answer = await getLater(getPage, page, [...sized, ...from]);
    if ('isOfQuestion' in answer)
      return isSuspected && answer.isOfQuestion ? { ...whole(pages), isSuspected } : refused(pages, answer);
    const listed = orNull(() => list(answer.body));
    // Validation refuses an unreadable body and reports why.
    if (listed === null) return whole([...pages, answer]);
    const { count, total } = listed;
    if (page === 1 && limit !== null && count < limit && mayBeCutOff(listed, slice, today)) {
      isSuspected = true;
      limit = count;
    }
    // If the list states its length, a server may return smaller pages than requested.
    const isLast = limit === null || (total === null ? count < limit : offset + count >= total);
    const isBefore = count === 0 && total !== null && offset < total;
    if (isBefore)
      return partial(`the list states a total of ${String(total)}, and ${String(seen.size)} came`);
    if (page === 1 && isLast) return whole([answer]);
    const ids = listed.ids();
    // No page follows one with more entries than the limit: it counts something else (brands, not rows).
    const isEnd = count === 0 && (isSuspected || lastLength !== limit);
    if (page > 1 && !isEnd && !ids.some((id) => seen.has(id)))
      return partial('the list moved while its pages were read', [...pages, answer]);
    if (ids.every((id) => seen.has(id))) {
      // A page with the last entry alone shows that the list ends there.
      if (isSuspected)
        return { ...whole(pages), ...(count !== 1 && pages.length === 1 ? { isSuspected } : {}) };
      if (count !== limit) return whole(pages);
      return partial(
        `the server ignores \`${offsetName}\`, so nothing came beyond the first ${String(seen.size)}`,
      );
    }
    pages.push(answer);
    if (isLast) return whole(pages);
    for (const id of ids) seen.add(id);
    lastLength = count;
    // Request the last entry again: it proves that the list did not move between the pages. With more items than the limit, the limit counts something else (brands, not rows), and so does the offset.
    offset += Math.max(1, Math.min(count, limit ?? count) - 1);
  }
  throw endless(slice);
}

/**
 * Whether a server may have cut a list at a lower limit of its own: a round number of entries and, of a series, fewer of them on one
 * of the outermost closed periods than on the fullest one.
 */
function mayBeCutOff({ count, total, days }: OffsetPage, slice: Slice, today: Day | undefined): boolean {
  if (today === undefined || total !== null || !mayBeLimit(count)) return false;
  const window = sliceWindow(slice);
  if (days === undefined || window === null) return true;
  const counts = new Map<string, number>();
  for (const day of days()) counts.set(day, (counts.get(day) ?? 0) + 1);
  const last = periodStart(minDay(window.end, addDays(today, -1)), sliceGrain(slice) ?? 'day');
  return [window.start, last].some((day) => (counts.get(day) ?? 0) < Math.max(...counts.values()));
}

type CursorPaging = Extract<Paging, { kind: 'cursor' }>;

/** Reads a list once, following each page's link until a page has none. */
async function readByCursor(
  getPage: GetPage,
  { parameter, next, ids }: CursorPaging,
  { slice }: PageOptions,
): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const sent = new Set<string>();
  let before: readonly string[] = [];
  let cursor = '';
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getLater(getPage, page, cursor === '' ? [] : [[parameter, cursor]]);
    if ('isOfQuestion' in answer) return refused(pages, answer);
    const found = orNull(() => ids(answer.body));
    if (found === null) return whole([...pages, answer]);
    const partial = (what: string): Reading => {
      return { pages, incomplete: `page ${String(page)} ${what}`, content: null };
    };
    if (found.length > 0 && isDeepStrictEqual(found, before))
      return partial(`is the same as the page before it, so the server ignores \`${parameter}\``);
    pages.push(answer);
    before = found;
    const following = next(answer.body);
    if (following === '') return whole(pages);
    if (following === null) return partial('names a next page that cannot be sent as a cursor');
    if (sent.has(following)) return partial('names the cursor of an earlier page, so the pages never end');
    cursor = following;
    sent.add(cursor);
  }
  throw endless(slice);
}

type NamedPaging = Extract<Paging, { kind: 'named' }>;

/**
 * A list and, if it is cut off, a second page with the wanted names that it lacks. A server that ignores the parameter returns the
 * same list again.
 * @throws what `getPage` throws
 */
async function readByName(
  getPage: GetPage,
  paging: NamedPaging,
  { limit, wanted = [] }: PageOptions,
): Promise<PagedAnswer> {
  const first = await getPage(1, []);
  const alone = { pages: [first] };
  if (limit === null) return alone;
  // Validation refuses an unreadable body and reports why.
  const listed = orNull(() => paging.names(first.body));
  if (listed === null || (listed.length < limit && !paging.isCutOff(first.body))) return alone;
  const known = new Set(listed.map((name) => name.toLowerCase()));
  // More than the limit would be cut off again.
  const missing = wanted.filter((name) => !known.has(name.toLowerCase())).slice(0, limit);
  if (missing.length === 0) return alone;
  const names = missing.map((name): Parameter => [paging.parameter, name]);
  const second = await getLater(getPage, 2, names);
  if (!('isOfQuestion' in second)) return { pages: [first, second] };
  const { isOfQuestion, incomplete, isOutage } = second;
  return isOfQuestion ? alone : { ...alone, incomplete, ...(isOutage ? { isOutage } : {}) };
}

type GetPage = (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;

interface PageOptions {
  slice: Slice;
  paging: Paging;
  limit: number | null;
  pageSize?: number | undefined;
  wanted?: readonly string[] | undefined;
  today?: Day | undefined;
}

/** Longer than any list of this API; an endless one is a server fault. */
const MAX_PAGES = 1000;

/** One pass over all pages. */
interface Reading extends PagedAnswer {
  /** Equal for two readings of the same list; null if another reading would not help. */
  content: string | null;
}

function whole(pages: AnswerPage[]): Reading {
  return { pages, content: '' };
}

/** Statuses about the key, the quota or the transport, not about the page. */
const NOT_OF_PAGE: ReadonlySet<number> = new Set([401, 408, 425, 429, 502, 503, 504]);

const NOT_IMPLEMENTED = 501;

/** A later page that the server refused. */
interface RefusedPage {
  /** Why the pages before it are not proven to be the whole list. */
  incomplete: string;
  /** The server does not support the parameter, or has no such page. */
  isOfQuestion: boolean;
  /** The server failed. */
  isOutage: boolean;
}

/** @throws what `getPage` throws for the first page, the key or the transport */
async function getLater(
  getPage: GetPage,
  page: number,
  paging: readonly Parameter[],
): Promise<AnswerPage | RefusedPage> {
  try {
    return await getPage(page, paging);
  } catch (error) {
    if (page === 1 || !(error instanceof ApiError) || error.status === null) throw error;
    if (NOT_OF_PAGE.has(error.status) || statusClass(error.status) === 3) throw error;
    const isOfQuestion = error.isBadQuestion || error.status === 404;
    const isOutage = statusClass(error.status) === 5 && error.status !== NOT_IMPLEMENTED;
    return { incomplete: `page ${String(page)} was refused: ${error.message}`, isOfQuestion, isOutage };
  }
}

function refused(pages: AnswerPage[], { incomplete, isOutage }: RefusedPage): Reading {
  return { pages, incomplete, content: null, ...(isOutage ? { isOutage } : {}) };
}

function endless(slice: Slice): AnswerlakeError {
  return contractError(`${describeSlice(slice)}: more than ${String(MAX_PAGES)} pages`, 'slice');
}

type NumberPaging = Extract<Paging, { kind: 'number' }>;

/** Reads a list once by page number. @throws AnswerlakeError (contract) for an endless list; what `getPage` throws */
async function readByNumber(
  getPage: GetPage,
  paging: NumberPaging,
  { slice, pageSize = paging.size }: PageOptions,
): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const counts: PageCount[] = [];
  const reading = (incomplete: string | null): Reading =>
    incomplete === null ? whole(pages) : { pages, incomplete, content: jsonOf(counts) };
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getLater(getPage, page, [
      [paging.names[0], String(page)],
      [paging.names[1], String(pageSize)],
    ]);
    const before = counts.at(-1);
    if ('isOfQuestion' in answer) {
      // Some servers refuse a page beyond the last one.
      const isBeyond = answer.isOfQuestion && page > (before?.totalPages ?? page);
      return isBeyond && whatIsMissing(counts) === null ? whole(pages) : refused(pages, answer);
    }
    const count = orNull(() => paging.pages(answer.body));
    if (count === null) {
      // Validation refuses an unreadable envelope and reports why.
      return page === 1 ? whole([answer]) : reading(`page ${String(page)} cannot be read`);
    }
    const { ids, unknown } = count;
    const isEmpty = ids.length === 0 && unknown.every((entry) => before?.unknown.includes(entry) === true);
    const isSame = ids.length > 0 && before !== undefined && isDeepStrictEqual(ids, before.ids);
    const same = `page ${String(page)} is the same as the page before it, so the server ignores \`${paging.names[0]}\``;
    if (isSame) return reading(same);
    pages.push(answer);
    // The `total` of a page after the last one may be 0.
    if (page > 1 && isEmpty) return reading(whatIsMissing(counts));
    counts.push(count);
    // Another page may follow a full one, whatever the paging fields contain.
    const isFull = ids.length + unknown.length >= (count.size ?? pageSize);
    const isLast =
      count.totalPages === undefined
        ? countEntries(counts).came >= (count.total ?? 0)
        : page >= (count.totalPages ?? 0);
    if (isEmpty || (isLast && !isFull)) return reading(whatIsMissing(counts));
  }
  throw endless(slice);
}

/** Why the received entries are not the whole list, by its own paging fields; null if they are. */
function whatIsMissing(counts: readonly PageCount[]): string | null {
  const unreadable = (['total', 'totalPages'] as const).filter((name) =>
    counts.some((count) => count[name] === null),
  );
  if (unreadable.length > 0) {
    const names = unreadable.map((name) => `\`${name}\``).join(' and ');
    return `${names} cannot be read, so nothing proves that the list is whole`;
  }
  if (counts.every(({ total }) => total === undefined)) return null;
  const totals = [...new Set(counts.map(({ total }) => total ?? 0))];
  const [total = 0, ...others] = totals;
  if (others.length > 0) return `its total moved from ${totals.join(' to ')} while its pages were read`;
  const { seen, came } = countEntries(counts);
  const least = seen.size + counts.flatMap(({ ids }) => ids).filter((id) => id === null).length;
  const most = came + counts.reduce((sum, { unknown }) => sum + unknown.length, 0);
  if (least <= total && total <= most) return null;
  return `the list states a total of ${String(total)}, and ${String(came)} came`;
}

/** The received entries and their ids. */
function countEntries(counts: readonly PageCount[]): { seen: ReadonlySet<string>; came: number } {
  const seen = new Set<string>();
  let came = 0;
  for (const { ids } of counts) {
    // A join on the server may list an entry twice on one page; on a second page, it means that the list has moved.
    came += ids.filter((id) => id === null || !seen.has(id)).length;
    for (const id of ids) if (id !== null) seen.add(id);
  }
  return { seen, came };
}
