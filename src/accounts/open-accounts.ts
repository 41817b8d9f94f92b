import { validate, validateV1, models } from '../endpoints/reference.ts';
import { AnswerlakeError } from '../errors.ts';
import { openApiClient, type ApiClient } from '../extract/client.ts';
import { openQuota, type Quota } from '../extract/quota.ts';
import { fetchSlice } from '../extract/fetch-slice.ts';
import { openThrottle, openWaitBudget } from '../extract/pace.ts';
import type { Config } from '../config/config.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  validateAccount,
  validationSlice,
  type Account,
  type AccountProject,
  type Validated,
} from './validate-account.ts';
import { block } from '../run/ask-slices.ts';
import type { LedgerState } from '../run/ledger-state.ts';
import type { LoadQueue } from '../run/load-queue.ts';
import type { Slice } from '../slice.ts';
import type { RunState } from '../run/run-state.ts';
import type { SyncContext } from '../run/sync-request.ts';

/** The clients of all accounts; whoever opens them closes them. */
export interface Clients extends AsyncDisposable {
  byAccount: ReadonlyMap<string, ApiClient>;
  /** The account's key turned out to belong to that organization, whose keys share one quota. */
  joinOrganization: (account: string, organizationId: string) => void;
  /** Organization id (or `account:` and a name while it is unknown) → its quota. */
  quotas: ReadonlyMap<string, Quota>;
}

export interface ClientsRequest {
  context: SyncContext;
  maxWaitMs: number;
  /** Account name → organization id, as an earlier run learned it. */
  organizations: ReadonlyMap<string, string>;
  initialQuotas: ReadonlyMap<string, { limit: number; remaining: number; resetAt: number }>;
}

/** Stands for the organization of a key that no answer has named yet, so that an hour it used up is remembered too. */
function unknownOrganization(account: string): string {
  return `account:${account}`;
}

export function openClients({ context, maxWaitMs, organizations, initialQuotas }: ClientsRequest): Clients {
  const { config, effects, log } = context;
  const throttle = openThrottle(config.api.requestsPerMinute, effects);
  const waitBudget = openWaitBudget(maxWaitMs);
  const newQuota = (initial: { limit: number; remaining: number; resetAt: number } | undefined): Quota =>
    openQuota({
      reserve: config.api.reserveQuota,
      waitBudget,
      effects,
      log,
      initial: initial ?? null,
    });
  const quotas = new Map<string, Quota>();
  const quotaOf = (organizationId: string): Quota => {
    const known = quotas.get(organizationId);
    if (known !== undefined) return known;
    const quota = newQuota(initialQuotas.get(organizationId));
    quotas.set(organizationId, quota);
    return quota;
  };
  const byAccount = new Map(
    config.accounts.map((account) => {
      const organizationId = organizations.get(account.name);
      const client = openApiClient({
        account: account.name,
        baseUrl: config.api.baseUrl,
        key: account.apiKey,
        bounds: config.api,
        effects,
        quota: quotaOf(organizationId ?? unknownOrganization(account.name)),
        throttle,
        log,
        userAgent: `answerlake/${context.version}`,
      });
      return [account.name, client] as const;
    }),
  );
  return {
    byAccount,
    quotas,
    joinOrganization: (account, organizationId) => {
      byAccount.get(account)?.useQuota(quotaOf(organizationId));
      quotas.delete(unknownOrganization(account));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...byAccount.values()].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

export interface Reached {
  accounts: Account[];
  projects: AccountProject[];
}

/** Validates every key and hands the answers to the loader; a key that fails stops no other. */
export async function reachProjects(state: RunState, queue: LoadQueue, clients: Clients): Promise<Reached> {
  const { config } = state.context;
  const validated = await Promise.all(config.accounts.map((account) => reach(state, clients, account)));
  const reached: Reached = { accounts: [], projects: [] };
  const seen = new Map<string, string>();
  for (const answer of validated) {
    if (answer === null) continue;
    reached.accounts.push(answer.account);
    for (const problem of answer.problems) state.fail(problem, { account: answer.account.config.name });
    for (const project of answer.projects) {
      const other = seen.get(project.projectId);
      const { name } = answer.account.config;
      if (other === undefined) {
        seen.set(project.projectId, name);
        reached.projects.push(project);
      } else {
        state.warnings.push(
          `project ${project.projectId} is reached by the accounts ${other} and ${name}: it is asked once, by ${other}`,
        );
      }
    }
    for (const { slice, pages, requests } of answer.answers) {
      await queue.push({
        kind: 'answered',
        answer: { ...answerOf(state, answer.account), slice, pages, requests },
      });
      state.planned += 1;
    }
  }
  await queue.drain();
  return reached;
}

async function reach(
  state: RunState,
  clients: Clients,
  config: Config['accounts'][number],
): Promise<Validated | null> {
  const client = clients.byAccount.get(config.name);
  if (client === undefined) return null;
  try {
    const validated = await validateAccount({
      config,
      client,
      path: state.context.config.sync.endpoints[validate.name]?.path,
      wanted: state.request.projects,
      signal: state.context.signal,
    });
    const { organizationId } = validated.account;
    if (organizationId !== null) clients.joinOrganization(config.name, organizationId);
    return validated;
  } catch (error) {
    if (state.context.signal.aborted) return null;
    if (!(error instanceof AnswerlakeError)) throw error;
    state.fail(error, { account: config.name });
    return null;
  }
}

function answerOf(
  state: RunState,
  account: Account,
): {
  runId: string;
  runStartedAt: number;
  syncDay: string;
  account: string;
  asked: null;
  limit: null;
} {
  const { runId, startedAt, syncDay } = state.run;
  return { runId, runStartedAt: startedAt, syncDay, account: account.config.name, asked: null, limit: null };
}

interface KeyList {
  slice: Slice;
  endpoint: Endpoint;
  account: Account;
}

/** The lists that belong to keys and to no project: v1 validation once a key, the model list once a run. */
export async function askKeyLists(
  state: RunState,
  queue: LoadQueue,
  { reached, endpoints, ledger }: { reached: Reached; endpoints: readonly Endpoint[]; ledger: LedgerState },
): Promise<void> {
  const wanted: KeyList[] = [];
  if (endpoints.includes(validateV1)) {
    wanted.push(
      ...reached.accounts.map((account) => ({
        slice: validationSlice(validateV1, null, account.config.name),
        endpoint: validateV1,
        account,
      })),
    );
  }
  const [first] = reached.accounts;
  if (first !== undefined && endpoints.includes(models))
    wanted.push({ slice: validationSlice(models, null), endpoint: models, account: first });
  const asked = wanted.filter(({ slice }) => !ledger.isListLoaded(slice));
  state.planned += asked.length;
  await Promise.all(asked.map((one) => askKeyList(state, queue, one)));
  await queue.drain();
}

async function askKeyList(
  state: RunState,
  queue: LoadQueue,
  { slice, endpoint, account }: KeyList,
): Promise<void> {
  const { config, signal, effects } = state.context;
  const own = config.sync.endpoints[endpoint.name];
  try {
    const fetched = await fetchSlice(account.client, {
      endpoint,
      slice,
      asked: null,
      limit: null,
      timezone: config.sync.timezone,
      path: own?.path,
      signal,
    });
    await queue.push({ kind: 'answered', answer: { ...answerOf(state, account), slice, ...fetched } });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof AnswerlakeError)) throw error;
    if (error.class === 'quota') {
      block(state, account, { why: 'quota', error });
      return;
    }
    await queue.push({ kind: 'failed', slice, error, requests: 0, httpStatus: null, at: effects.now() });
  }
}
