import { unknownOrganization, type Clients } from '../extract/clients.ts';
import type { Reached } from '../extract/reach-projects.ts';
import { hourOnly, type QuotaSnapshot } from '../extract/quota-state.ts';
import { hoursNeeded, type EstimatedSlice } from '../plan/estimate.ts';
import type { Journal } from './journal.ts';

/** Organization id → its hour, as the newest run remembered it. */
export function rememberedQuotas({ quotas }: Journal, baseUrl: string): Map<string, QuotaSnapshot> {
  return new Map(
    quotas.flatMap(({ base_url: origin, organization_id: id, ...seen }) =>
      origin === baseUrl && seen.quota_remaining !== null && seen.quota_reset_at !== null
        ? [
            [
              id,
              {
                limit: seen.quota_limit,
                remaining: seen.quota_remaining,
                resetAt: Date.parse(seen.quota_reset_at),
              },
            ] as const,
          ]
        : [],
    ),
  );
}

/** The quota that a plan takes longest with, and the hours of it. */
export interface PlannedHours {
  quota: QuotaSnapshot | null;
  hours: number | null;
}

interface HoursQuestion {
  reached: Reached;
  planned: readonly EstimatedSlice[];
  /** Account name → organization id, as an earlier run learned it: offline, no key names it. */
  organizations: ReadonlyMap<string, string>;
  quotas: Clients['quotas'];
  remembered: ReadonlyMap<string, QuotaSnapshot>;
  reserve: number;
  now: number;
}

/** Each organization spends its own hours; the plan is done when the last one is. */
export function plannedHours(question: HoursQuestion): PlannedHours {
  const { quotas, remembered, reserve, now } = question;
  let longest: PlannedHours = { quota: null, hours: null };
  for (const [organization, requests] of requestsByOrganization(question)) {
    const known = remembered.get(organization) ?? null;
    const current = known !== null && known.resetAt > now ? known : null;
    const quota = hourOnly(quotas.get(organization)?.snapshot() ?? null) ?? current;
    const hours = quota === null ? null : hoursNeeded(requests, quota, reserve);
    if (hours !== null && hours > (longest.hours ?? 0)) longest = { quota, hours };
  }
  return longest;
}

function requestsByOrganization({ reached, planned, organizations }: HoursQuestion): Map<string, number> {
  const { accounts, projects, answers } = reached;
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
    // Requests of a key are listed under the name of its account.
    add(projectId === null ? scopeId : accountOf.get(projectId), requests);
  }
  const validated =
    answers.length > 0 ? answers : [...keysOf(accounts), ...keysOf(projects.map(({ account }) => account))];
  for (const { account } of validated) add(account, 1);
  return sums;
}

function keysOf(accounts: Reached['accounts']): { account: string }[] {
  return accounts.map(({ config }) => ({ account: config.name }));
}
