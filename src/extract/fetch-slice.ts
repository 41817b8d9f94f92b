import type { Day } from '../day.ts';
import type { Ask, Endpoint, Parameter } from '../endpoints/endpoint.ts';
import { AnswerlakeError, contractError, messageOf } from '../errors.ts';
import { describeSlice, type AnswerPage } from '../slice.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import type { Config, EndpointSettings } from '../config/config.ts';
import { readPages, type PagedAnswer } from './read-pages.ts';

export interface FetchedSlice extends PagedAnswer {
  requests: number;
  /** The zone in which the request cuts its days; left out if it carries none. */
  timezone?: string;
}

/** A slice to request; the other parts of the request are configured. */
export interface PlannedRequest extends Omit<Ask, 'timezone' | 'firstDay'> {
  endpoint: Endpoint;
  /** Items per page of an endpoint with page numbers; default: the API's maximum. */
  pageSize?: number | undefined;
  /** The sync day; left out: a list below its limit is not suspected to be cut off. */
  today?: Day | undefined;
  /** Names to include, for paging by name. */
  wanted?: readonly string[] | undefined;
  /** Sent only with an organization key. */
  projectHeader?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The same with the configured changes to its endpoint: another path, and the names to send by our parameter names. */
interface SliceRequest extends PlannedRequest, Ask {
  path?: EndpointSettings['path'] | undefined;
  parameters?: EndpointSettings['parameters'] | undefined;
}

export function requestOf({ sync }: Pick<Config, 'sync'>, planned: PlannedRequest): SliceRequest {
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

/** Fetches all pages of a slice, without the fields that are never kept. @throws what the client throws, once a page is abandoned; AnswerlakeError (contract) */
export async function fetchSlice(
  client: Pick<ApiClient, 'get'>,
  request: SliceRequest,
): Promise<FetchedSlice> {
  const { endpoint, slice } = request;
  let requests = 0;
  const getPage = async (page: number, paging: readonly Parameter[]): Promise<AnswerPage> => {
    const answer = await fetchPage(client, request, paging).catch((error: unknown) => {
      if (error instanceof AnswerlakeError) requests += error.requests;
      throw error;
    });
    requests += answer.requests;
    const { status, fetchedAt, body, bytes } = answer;
    return { page, status, fetchedAt, body, bytes };
  };
  try {
    const paged = await readPages(getPage, { ...request, paging: endpoint.paging });
    // For a list, no content proves nothing: its stored rows stay.
    if (slice.kind === 'list' && paged.pages.some(({ status }) => status === NO_CONTENT))
      paged.incomplete = 'it was answered with 204, without a list';
    for (const page of paged.pages) page.body = keptOf(request, page.body);
    return { ...paged, requests, ...(endpoint.hasTimezone ? { timezone: request.timezone } : {}) };
  } catch (error) {
    // Those of earlier pages, too.
    if (error instanceof AnswerlakeError) error.requests = requests;
    throw error;
  }
}

/** A body without the fields that are never kept. @throws AnswerlakeError (contract) */
function keptOf({ endpoint: { leaveOut }, slice }: SliceRequest, body: unknown): unknown {
  try {
    return leaveOut === null ? body : leaveOut(body);
  } catch (error) {
    // A body may be nested too deeply to process.
    const what = `leave_out cannot be taken out of the answer: ${messageOf(error)}`;
    throw contractError(`${describeSlice(slice)}: ${what}`, 'slice', error);
  }
}

/** @param names our parameter name → the name to send */
function sentParameters(
  parameters: readonly Parameter[],
  names: Readonly<Record<string, string>> = {},
): readonly Parameter[] {
  const sentAs = (name: string): string => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
  return parameters.map(([name, value]) => [sentAs(name), value]);
}

const NO_CONTENT = 204;
