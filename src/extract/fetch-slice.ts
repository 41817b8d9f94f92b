import { isDeepStrictEqual } from 'node:util';
import type { DayRange } from '../day.ts';
import type { Endpoint, Parameter, Paging, PageCount } from '../endpoints/endpoint.ts';
import { type AnswerPage, type Slice, describeSlice } from '../slice.ts';
import { ApiError } from './api-error.ts';
import type { ApiAnswer } from './call.ts';
import type { ApiClient } from './client.ts';
import type { Config } from '../config/config.ts';
import { contractError, type AnswerlakeError } from '../errors.ts';
import { jsonOf } from '../redact.ts';
import { statusClass } from './headers.ts';

/** One slice to ask for, with what the configuration changes of its endpoint. */
export interface SliceRequest {
  endpoint: Endpoint;
  slice: Slice;
  asked: DayRange | null;
  limit: number | null;
  /** Items of a page, where the endpoint is paged by number; default: as many as the API allows. */
  pageSize?: number | undefined;
  timezone: string;
  /** Names that matter, where the paging is by name. */
  wanted?: readonly string[] | undefined;
  /** Path in place of the endpoint's own. */
  path?: string | undefined;
  /** Our parameter name → the name to send. */
  parameters?: Readonly<Record<string, string>> | undefined;
  /** Sent only with an organization key. */
  projectHeader?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface FetchedSlice extends PagedAnswer {
  requests: number;
  /** The zone that the request asked its days in; left out where it carries none. */
  timezone?: string;
}

/** A slice to ask for; what else a request has, the configuration says. */
export type PlannedRequest = Omit<SliceRequest, 'timezone' | 'path' | 'parameters'>;

/** Asks for a slice as the configuration says. @throws as `fetchSlice` */
export async function fetchPlanned(
  client: Pick<ApiClient, 'get'>,
  config: AskedConfig,
  planned: PlannedRequest,
): Promise<FetchedSlice> {
  return await fetchSlice(client, requestOf(config, planned));
}

interface AskedConfig {
  sync: Pick<Config['sync'], 'endpoints' | 'timezone'>;
}

/** The request for a slice, with what the configuration changes of its endpoint. */
export function requestOf({ sync }: AskedConfig, planned: PlannedRequest): SliceRequest {
  const { path, parameters, limit: pageSize } = sync.endpoints[planned.endpoint.name] ?? {};
  return { timezone: sync.timezone, path, parameters, pageSize, ...planned };
}

/** Fetches one page of a slice. @throws what the client throws */
export async function fetchPage(
  client: Pick<ApiClient, 'get'>,
  request: SliceRequest,
  paging: readonly Parameter[],
): Promise<ApiAnswer> {
  const { endpoint, slice, parameters, projectHeader, signal } = request;
  const { withKey, answeredStatuses } = endpoint;
  return await client.get({
    path: (request.path ?? endpoint.path).replaceAll('{id}', encodeURIComponent(slice.scopeId)),
    query: sentParameters([...endpoint.params(request), ...paging], parameters),
    projectId: withKey ? projectHeader : undefined,
    withKey,
    answeredStatuses,
    signal,
  });
}

/** Fetches all pages of a slice. @throws what the client throws, once a page is given up */
export async function fetchSlice(
  client: Pick<ApiClient, 'get'>,
  request: SliceRequest,
): Promise<FetchedSlice> {
  const { endpoint, slice } = request;
  let requests = 0;
  const getPage = async (page: number, paging: readonly Parameter[]): Promise<AnswerPage> => {
    const answer = await fetchPage(client, request, paging).catch((error: unknown) => {
      if (error instanceof ApiError) requests += error.requests;
      throw error;
    });
    requests += answer.requests;
    const { status, fetchedAt, body, bytes } = answer;
    return { page, status, fetchedAt, body, bytes };
  };
  const paged = await readPages(getPage, { ...request, paging: endpoint.paging });
  // Of a list, no content proves nothing: what is stored of it stays.
  if (slice.kind === 'list' && paged.pages.some(({ status }) => status === NO_CONTENT))
    paged.incomplete = 'it was answered with 204, without a list';
  return { ...paged, requests, ...(endpoint.hasTimezone ? { timezone: request.timezone } : {}) };
}

/** @param names our parameter name → the name to send */
export function sentParameters(
  parameters: readonly Parameter[],
  names: Readonly<Record<string, string>> = {},
): readonly Parameter[] {
  const sentAs = (name: string): string => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
  return parameters.map(([name, value]) => [sentAs(name), value]);
}

/** All pages of one slice, in order. */
interface PagedAnswer {
  pages: AnswerPage[];
  /** Why the pages cannot prove that they are the whole list; left out when they can. */
  incomplete?: string;
  /** They cannot because the server failed, which is never known. */
  isOutage?: boolean;
}

const NO_CONTENT = 204;
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
      return await readUntilWhole(() => readByOffset(getPage, options));
    case 'named':
      return await readByName(getPage, paging, options);
    default:
      return paging satisfies never;
  }
}

async function readUntilWhole(read: () => Promise<Reading>): Promise<PagedAnswer> {
  let before: string | null = null;
  for (let number = 1; ; number += 1) {
    const { pages, missing, content, isOutage = false } = await read();
    if (missing === null) return { pages };
    const isFinal = content === null || content === before || number === MAX_READINGS;
    if (isFinal) return { pages, incomplete: missing, ...(isOutage ? { isOutage } : {}) };
    before = content;
  }
}

async function readByOffset(getPage: GetPage, { limit, slice }: PageOptions): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const seen = new Set<string>();
  let lastLength = 0;
  let offset = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getLater(getPage, page, offset === 0 ? [] : [['offset', String(offset)]]);
    if ('reason' in answer) return refused(pages, answer);
    if (!Array.isArray(answer.body)) return whole([...pages, answer]);
    const items: readonly unknown[] = answer.body;
    const isLast = limit === null || items.length < limit;
    if (page === 1 && isLast) return whole([answer]);
    const texts = items.map((item) => textOf(item));
    // Nothing follows where a page had more entries than the limit: it counts something else (brands, not rows).
    const isEnd = texts.length === 0 && lastLength !== limit;
    if (page > 1 && !isEnd && !texts.some((text) => seen.has(text))) {
      const missing = 'the list moved while its pages were read';
      return { pages: [...pages, answer], missing, content: JSON.stringify([...seen]) };
    }
    if (texts.every((text) => seen.has(text))) {
      if (texts.length !== limit) return whole(pages);
      const missing = `the server ignores \`offset\`, so nothing came beyond the first ${String(seen.size)} entries`;
      return { pages, missing, content: JSON.stringify([...seen]) };
    }
    pages.push(answer);
    if (isLast) return whole(pages);
    for (const text of texts) seen.add(text);
    lastLength = texts.length;
    // The last entry is asked for again: it proves that the list did not move between the pages. More items than the
    // limit: it counts something else (brands, not rows), and so does the offset.
    offset += Math.max(1, Math.min(items.length, limit) - 1);
  }
  throw endless(slice);
}

/** An item as text; the last digits of a mean may differ from request to request. */
function textOf(item: unknown): string {
  return jsonOf(item, (_name, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
}

type NamedPaging = Extract<Paging, { kind: 'named' }>;

/**
 * A list, and where it is cut off a second page with the wanted names that it lacks. A server that does not know the
 * parameter returns the same list again.
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
  // Validation refuses a body that cannot be read, and says why.
  const listed = readOrNull(() => paging.names(first.body));
  if (listed === null || listed.length < limit) return alone;
  const known = new Set(listed.map((name) => name.toLowerCase()));
  // More than the limit would be cut off again.
  const missing = wanted.filter((name) => !known.has(name.toLowerCase())).slice(0, limit);
  if (missing.length === 0) return alone;
  const names = missing.map((name): Parameter => [paging.parameter, name]);
  const second = await getLater(getPage, 2, names);
  if (!('reason' in second)) return { pages: [first, second] };
  const { reason: incomplete, isOfQuestion, isOutage } = second;
  return isOfQuestion ? alone : { ...alone, incomplete, ...(isOutage ? { isOutage } : {}) };
}

type GetPage = (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;

interface PageOptions extends Pick<SliceRequest, 'slice' | 'limit' | 'pageSize' | 'wanted'> {
  paging: Paging;
}

/** No list of this API is that long; an endless one is a broken server. */
const MAX_PAGES = 1000;

/** One pass through all pages. */
interface Reading {
  pages: AnswerPage[];
  /** Why the pages do not prove that they are the whole list; null when they do. */
  missing: string | null;
  /** Equal for two readings of the same list; null where another reading would say the same. */
  content: string | null;
  isOutage?: boolean;
}

function whole(pages: AnswerPage[]): Reading {
  return { pages, missing: null, content: '' };
}

/** Statuses that speak of the key, the hour or the transport, not of the page. */
const NOT_OF_PAGE: ReadonlySet<number> = new Set([401, 408, 425, 429, 502, 503, 504]);

const NOT_IMPLEMENTED = 501;

/** A page after the first that the server refused. */
interface RefusedPage {
  reason: string;
  /** The server does not know the question, or has no such page. */
  isOfQuestion: boolean;
  /** The server failed. */
  isOutage: boolean;
}

/** @throws what `getPage` throws of the first page, the key or the transport */
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
    return { reason: `page ${String(page)} was refused: ${error.message}`, isOfQuestion, isOutage };
  }
}

function refused(pages: AnswerPage[], { reason, isOutage }: RefusedPage): Reading {
  return { pages, missing: reason, content: null, isOutage };
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function endless(slice: Slice): AnswerlakeError {
  return contractError(`${describeSlice(slice)}: more than ${String(MAX_PAGES)} pages`, 'slice');
}

type NumberPaging = Extract<Paging, { kind: 'number' }>;

/** Reads a list by page number once. @throws AnswerlakeError (contract) for an endless list; what `getPage` throws */
async function readByNumber(
  getPage: GetPage,
  paging: NumberPaging,
  { slice, pageSize = paging.size }: PageOptions,
): Promise<Reading> {
  const pages: AnswerPage[] = [];
  const counts: PageCount[] = [];
  const reading = (missing: string | null): Reading => ({ pages, missing, content: jsonOf(counts) });
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await getLater(
      getPage,
      page,
      Object.entries({ page: String(page), size: String(pageSize) }),
    );
    const before = counts.at(-1);
    if ('reason' in answer) {
      // Some servers refuse a page beyond the last one.
      const isBeyond = answer.isOfQuestion && page > (before?.totalPages ?? page);
      return isBeyond && whatIsMissing(counts) === null ? whole(pages) : refused(pages, answer);
    }
    const count = readOrNull(() => paging.pages(answer.body));
    if (count === null) {
      // Validation refuses an envelope that cannot be read, and says why.
      return page === 1 ? whole([answer]) : reading(`page ${String(page)} cannot be read`);
    }
    const { ids, unknown } = count;
    const isEmpty = ids.length === 0 && unknown.every((entry) => before?.unknown.includes(entry) === true);
    const isSame = ids.length > 0 && before !== undefined && isDeepStrictEqual(ids, before.ids);
    const same = `page ${String(page)} is the same as the page before it, so the server ignores \`page\``;
    if (isSame) return reading(same);
    pages.push(answer);
    // The `total` of a page after the last one may be 0.
    if (page > 1 && isEmpty) return reading(whatIsMissing(counts));
    counts.push(count);
    // A full page may be followed by another one, whatever the paging fields say.
    const isFull = ids.length + unknown.length >= (count.size ?? pageSize);
    const isLast = page >= (count.totalPages ?? 0);
    if (isEmpty || (isLast && !isFull)) return reading(whatIsMissing(counts));
  }
  throw endless(slice);
}

/** Why the entries that came are not the whole list, by its own paging fields; null when they are. */
function whatIsMissing(counts: readonly PageCount[]): string | null {
  const unreadable = (['total', 'totalPages'] as const).filter((name) =>
    counts.some((count) => count[name] === null),
  );
  if (unreadable.length > 0) {
    const names = unreadable.map((name) => `\`${name}\``).join(' and ');
    return `${names} cannot be read, so nothing proves that the list is whole`;
  }
  const totals = [...new Set(counts.map(({ total }) => total ?? 0))];
  const [total = 0, ...others] = totals;
  if (others.length > 0) return `its total moved from ${totals.join(' to ')} while its pages were read`;
  const seen = new Set<string>();
  let came = 0;
  for (const { ids } of counts) {
    // A join on the server lists an entry twice on one page; on a second page, the list has moved.
    came += ids.filter((id) => id === null || !seen.has(id)).length;
    for (const id of ids) if (id !== null) seen.add(id);
  }
  const least = seen.size + counts.flatMap(({ ids }) => ids).filter((id) => id === null).length;
  const most = came + counts.reduce((sum, { unknown }) => sum + unknown.length, 0);
  if (least <= total && total <= most) return null;
  return `the list says that it has ${String(total)} entries, and ${String(came)} came`;
}
