import type { Endpoint } from '../endpoints/endpoint.ts';
import { reservedRequests } from '../extract/quota-state.ts';
import { askedDays, type PlannedSlice } from './plan.ts';

/** How much a project's lists hold, as far as is known. */
export interface ListSizes {
  prompts: number;
  brands: number;
  /** Items of a page, as configured. */
  pageSize?: number | undefined;
  /** Endpoints whose lists were cut off before. */
  cutLists: ReadonlySet<string>;
}

/** Requests that a slice will take; pages are guessed from the sizes that are known. */
export function estimateRequests(planned: PlannedSlice, endpoint: Endpoint, sizes: ListSizes): number {
  const { paging } = endpoint;
  switch (paging.kind) {
    case 'none':
      return 1;
    case 'named':
      return sizes.cutLists.has(endpoint.name) && (planned.wanted ?? []).length > 0 ? 2 : 1;
    case 'number':
      return endpoint.cut.kind === 'list'
        ? 1 + Math.floor(sizes.prompts / (sizes.pageSize ?? paging.size))
        : 1;
    case 'offset':
      return 1 + Math.floor((sizes.brands * askedDays(planned)) / (planned.limit ?? Infinity));
    default:
      return paging satisfies never;
  }
}

/** One slice's estimate. */
export interface EstimatedSlice {
  planned: PlannedSlice;
  requests: number;
}

export interface EndpointEstimate {
  project_id: string;
  /** Null when unknown. */
  project_name: string | null;
  endpoint: string;
  slices: number;
  requests: number;
}

/** Slices and requests by project and endpoint, in the order of the plan; `names` has the projects' names by id. */
export function sumByEndpoint(
  estimated: readonly EstimatedSlice[],
  names: ReadonlyMap<string, string>,
): EndpointEstimate[] {
  const sums = new Map<string, EndpointEstimate>();
  for (const { planned, requests } of estimated) {
    const { projectId, endpoint } = planned.slice;
    const key = JSON.stringify([projectId, endpoint]);
    const project = { project_id: projectId ?? '', project_name: names.get(projectId ?? '') ?? null };
    const sum = sums.get(key) ?? { ...project, endpoint, slices: 0, requests: 0 };
    sums.set(key, { ...sum, slices: sum.slices + 1, requests: sum.requests + requests });
  }
  return [...sums.values()];
}

/** Hours that a quota makes of so many requests, the running one included; `reserve` is the share left alone, 0..1. */
export function hoursNeeded(
  requests: number,
  quota: { limit: number; remaining: number },
  reserve: number,
): number {
  const kept = reservedRequests(quota.limit, reserve);
  const now = Math.max(0, quota.remaining - kept);
  const anHour = Math.max(1, quota.limit - kept);
  return requests <= now ? 1 : 1 + Math.ceil((requests - now) / anHour);
}
