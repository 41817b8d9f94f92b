import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { validate } from '../endpoints/reference.ts';
import { openApiClient, type ApiClient } from './client.ts';
import { openThrottle, openWaitBudget } from './pace.ts';
import { openQuota, type Quota, seenQuotas, unknownOrganization } from './quota.ts';
import type { QuotaSnapshot } from './quota-state.ts';
import type { Log } from '../log.ts';

/** The clients of all accounts. */
export type Clients = ReturnType<typeof openClients>;

export interface ClientsRequest {
  context: { config: Config; effects: Effects; log: Log; version: string };
  /** Longest total wait of the run for hourly quotas; left out: it never waits. */
  maxWaitMs?: number;
  /** A worker never waits: the loader does, and error messages still name `maxWaitMs`. */
  isWorker?: boolean;
  /** Account name → organization id, as validated in this run; until then, the key of another account has a quota of its own. */
  organizations?: ReadonlyMap<string, string>;
  /** Organization id → its quota in earlier runs. */
  initialQuotas?: ReadonlyMap<string, QuotaSnapshot>;
}

export function openClients(request: ClientsRequest) {
  const { context, maxWaitMs = 0, isWorker, organizations, initialQuotas } = request;
  const { config, effects, log } = context;
  const throttle = openThrottle(config.api.requestsPerMinute, effects, log);
  const waitBudget = openWaitBudget(maxWaitMs, isWorker === true ? 0 : maxWaitMs);
  const quotas = new Map<string, Quota>();
  const quotaOf = (organizationId: string): Quota => {
    const known = quotas.get(organizationId);
    if (known !== undefined) return known;
    const initial = initialQuotas?.get(organizationId) ?? null;
    const quota = openQuota({ reserve: config.api.reserveQuota, waitBudget, effects, log, initial });
    quotas.set(organizationId, quota);
    return quota;
  };
  const byAccount = new Map(
    config.accounts.map((account) => {
      const organizationId = organizations?.get(account.name);
      const client = openApiClient({
        account: account.name,
        baseUrl: config.api.baseUrl,
        key: account.apiKey,
        bounds: config.api,
        effects,
        quota: quotaOf(organizationId ?? unknownOrganization(account.name)),
        throttle,
        validatePath: config.sync.endpoints['validate']?.path ?? validate.path,
        log,
        userAgent: `answerlake/${context.version}`,
      });
      return [account.name, client] as const;
    }),
  );
  const clientOf = (account: string): ApiClient => {
    const client = byAccount.get(account);
    if (client === undefined) throw new RangeError(`no client for account ${account}`);
    return client;
  };
  return {
    /** The client of a configured account. */
    of: clientOf,
    /** Organization id (or `account:` and a name while unknown) → its quota. */
    quotas: quotas as ReadonlyMap<string, Pick<Quota, 'snapshot' | 'takeOver'>>,
    /** Organizations whose hourly quota is used up, and the end of that hour, milliseconds since the epoch. */
    parked: (): [organization: string, untilMs: number][] =>
      seenQuotas(quotas).flatMap(([id, { resetAt }]) => (quotaOf(id).isUsedUp() ? [[id, resetAt]] : [])),
    /** Requests and retries of all clients so far. */
    totals: () => {
      const totals = [...byAccount.values()].map((client) => client.totals);
      return {
        requests: totals.reduce((sum, one) => sum + one.requests, 0),
        retries: totals.reduce((sum, one) => sum + one.retries, 0),
      };
    },
    /** Assigns the account's key to its organization, whose keys share one quota. */
    joinOrganization: (account: string, organizationId: string): void => {
      clientOf(account).useQuota(quotaOf(organizationId));
      quotas.delete(unknownOrganization(account));
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await Promise.all([...byAccount.values()].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}
