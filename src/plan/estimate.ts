import { reservedRequests, hourOnly, type QuotaSnapshot } from '../extract/quota-state.ts';
import { askedDays, type PlannedSlice } from './plan.ts';
import type { Clients } from '../extract/clients.ts';
import { unknownOrganization } from '../extract/quota.ts';
import type { Reached } from '../extract/reach-projects.ts';

/** The known sizes of a project's lists. */
export interface ListSizes {
  prompts: number;
  brands: number;
  /** Endpoints whose lists were cut off before. */
  cut_lists: readonly string[];
}

/** The requests that a slice will take; pages are estimated from the known sizes. @param pageSize configured items per page */
export function estimateRequests(planned: PlannedSlice, sizes: ListSizes, pageSize?: number): number {
  const { paging, name, cut } = planned.endpoint;
  switch (paging.kind) {
    case 'none':
      return 1;
    case 'named':
      return sizes.cut_lists.includes(name) && (planned.wanted ?? []).length > 0 ? 2 : 1;
    case 'number':
      return cut.kind === 'list' ? 1 + Math.floor(sizes.prompts / (pageSize ?? paging.size)) : 1;
    case 'cursor':
      return 1;
    case 'offset':
      if (paging.size !== null) return 1;
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

/** Hours that a quota needs for the requests, the running hour included; `reserve` is the share left unused, 0..1. */
export function hoursNeeded(
  requests: number,
  quota: { limit: number; remaining: number },
  reserve: number,
): number {
  const kept = reservedRequests(quota.limit, reserve);
  const now = Math.max(0, quota.remaining - kept);
  const anHour = Math.max(1, quota.limit - kept);
  return 1 + Math.max(0, Math.ceil((requests - now) / anHour));
}

/** The quota that takes a plan longest, with its hours; null if no quota is known. */
export interface PlannedHours {
  quota: { limit: number; remaining: number; reset_at: string } | null;
  hours: number | null;
}

interface HoursQuestion {
  reached: Reached;
  planned: readonly EstimatedSlice[];
  /** Account name → organization id from an earlier run: offline, no key reveals it. */
  organizations: ReadonlyMap<string, string>;
  quotas: Clients['quotas'];
  remembered: ReadonlyMap<string, QuotaSnapshot>;
  reserve: number;
  now: number;
}

/** Each organization spends its own quota; the plan is done when the last one is. */
export function plannedHours(question: HoursQuestion): PlannedHours {
  const { quotas, remembered, reserve, now } = question;
  let longest: PlannedHours = { quota: null, hours: null };
  for (const [organization, requests] of requestsByOrganization(question)) {
    const known = remembered.get(organization) ?? null;
    const current = known !== null && known.resetAt > now ? known : null;
    const quota = hourOnly(quotas.get(organization)?.snapshot() ?? null) ?? current;
    if (quota === null) continue;
    const hours = hoursNeeded(requests, quota, reserve);
    if (hours <= (longest.hours ?? 0)) continue;
    const { limit, remaining, resetAt } = quota;
    longest = { quota: { limit, remaining, reset_at: new Date(resetAt).toISOString() }, hours };
  }
  return longest;
}

function requestsByOrganization({ reached, planned, organizations }: HoursQuestion): Map<string, number> {
  const { accounts, projects } = reached;
  const ofAccount = new Map(
    accounts.map(({ config: { name }, organizationId }) => [
      name,
      organizationId ?? organizations.get(name) ?? unknownOrganization(name),
    ]),
  );
  const accountOf = new Map(projects.map(({ projectId, account }) => [projectId, account.config.name]));
  const sums = new Map<string, number>();
  const add = (account: string | undefined, requests: number): void => {
    const organization = ofAccount.get(account ?? '');
    if (organization !== undefined) sums.set(organization, (sums.get(organization) ?? 0) + requests);
  };
  for (const { planned: one, requests } of planned) {
    const { projectId, scopeId } = one.slice;
    // Requests of a key are listed under its account name.
    add(projectId === null ? scopeId : accountOf.get(projectId), requests);
  }
  for (const account of validatedAccounts(reached)) add(account, 1);
  return sums;
}

/** The account of each validation; offline, as a run would send them: once per key, and once more per project. */
export function validatedAccounts({ accounts, projects, answers }: Reached): string[] {
  if (answers.length > 0) return answers.map(({ account }) => account);
  return [...accounts, ...projects.map(({ account }) => account)].map(({ config }) => config.name);
}
