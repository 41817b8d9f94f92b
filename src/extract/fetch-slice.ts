import type { Day, DayRange } from '../day.ts';
import type { Endpoint, Parameter } from '../endpoints/endpoint.ts';
import { contractError, messageOf } from '../errors.ts';
import { describeSlice, type AnswerPage, type Slice } from '../slice.ts';
import { ApiError } from './api-error.ts';
import type { ApiAnswer } from './call.ts';
import type { ApiClient } from './client.ts';
import type { Config } from '../config/config.ts';
import { readPages, type PagedAnswer } from './read-pages.ts';

/** One slice to ask for, with what the configuration changes of its endpoint. */
export interface SliceRequest {
  endpoint: Endpoint;
  slice: Slice;
  asked: DayRange | null;
  limit: number | null;
  /** Items of a page, where the endpoint is paged by number; default: as many as the API allows. */
  pageSize?: number | undefined;
  timezone: string;
  /** `sync.start_date`. */
  firstDay?: Day | undefined;
  /** When the run began, epoch milliseconds. */
  startedAt?: number | undefined;
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
export type PlannedRequest = Omit<SliceRequest, 'timezone' | 'firstDay' | 'path' | 'parameters'>;

/** Asks for a slice as the configuration says. @throws as `fetchSlice` */
export async function fetchPlanned(
  client: Pick<ApiClient, 'get'>,
  config: AskedConfig,
  planned: PlannedRequest,
): Promise<FetchedSlice> {
  return await fetchSlice(client, requestOf(config, planned));
}

interface AskedConfig {
  sync: Pick<Config['sync'], 'endpoints' | 'timezone' | 'startDate'>;
}

/** The request for a slice, with what the configuration changes of its endpoint. */
export function requestOf({ sync }: AskedConfig, planned: PlannedRequest): SliceRequest {
  const { path, parameters, limit: pageSize } = sync.endpoints[planned.endpoint.name] ?? {};
  return { timezone: sync.timezone, firstDay: sync.startDate, path, parameters, pageSize, ...planned };
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
  const { leaveOut } = endpoint;
  if (leaveOut !== null) for (const page of paged.pages) page.body = leftOf(leaveOut, page.body, slice);
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

/** A body without what is never kept. @throws AnswerlakeError (contract) where it is nested too deeply to be taken apart */
function leftOf(leaveOut: (body: unknown) => unknown, body: unknown, slice: Slice): unknown {
  try {
    return leaveOut(body);
  } catch (error) {
    const what = `leave_out cannot be taken out of the answer: ${messageOf(error)}`;
    throw contractError(`${describeSlice(slice)}: ${what}`, 'slice', error);
  }
}

const NO_CONTENT = 204;
