import type { DayRange } from '../day.ts';
import type { Endpoint, Parameter } from '../endpoints/endpoint.ts';
import type { AnswerPage, Slice } from '../slice.ts';
import { ApiError } from './api-error.ts';
import type { Asker } from './client.ts';
import { type PagedAnswer, readPages } from './pages.ts';

/** One slice to ask for, with what the configuration changes of its endpoint. */
export interface SliceRequest {
  endpoint: Endpoint;
  slice: Slice;
  asked: DayRange | null;
  limit: number | null;
  /** Items of a page, where the endpoint is paged by number; default: as many as the API allows. */
  pageSize?: number | undefined;
  timezone: string;
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

/** Fetches all pages of a slice. @throws what the client throws, once a page is given up */
export async function fetchSlice(asker: Asker, request: SliceRequest): Promise<FetchedSlice> {
  const { endpoint, slice } = request;
  const path = (request.path ?? endpoint.path).replaceAll('{id}', encodeURIComponent(slice.scopeId));
  const base = endpoint.params({
    slice,
    asked: request.asked,
    limit: request.limit,
    timezone: request.timezone,
  });
  let requests = 0;
  const getPage = async (page: number, paging: readonly Parameter[]): Promise<AnswerPage> => {
    const answer = await asker
      .get({
        path,
        query: renamed([...base, ...paging], request.parameters),
        projectId: endpoint.withKey ? request.projectHeader : undefined,
        withKey: endpoint.withKey,
        answeredStatuses: endpoint.answeredStatuses,
        signal: request.signal,
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError) requests += error.requests;
        throw error;
      });
    requests += answer.requests;
    const { status, fetchedAt, body, bytes } = answer;
    return { page, status, fetchedAt, body, bytes };
  };
  const paged = await readPages(getPage, {
    paging: endpoint.paging,
    limit: request.limit,
    pageSize: request.pageSize,
    slice,
    wanted: request.wanted,
  });
  return { ...paged, requests, ...(endpoint.hasTimezone ? { timezone: request.timezone } : {}) };
}

function renamed(
  parameters: readonly Parameter[],
  names: Readonly<Record<string, string>> | undefined,
): readonly Parameter[] {
  if (names === undefined) return parameters;
  return parameters.map(([name, value]) => [
    Object.hasOwn(names, name) ? (names[name] ?? name) : name,
    value,
  ]);
}
