import { existsSync } from 'node:fs';
import { z } from 'zod';
import { dayOf, type Day } from '../day.ts';
import { models, validate, validateV1 } from '../endpoints/reference.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { prompts } from '../endpoints/prompts.ts';
import { AnswerlakeError } from '../errors.ts';
import { fetchSlice } from '../extract/fetch-slice.ts';
import { readLimits, type LearnedLimits } from '../load/limits.ts';
import { estimateRequests, hoursNeeded, sumByEndpoint } from '../plan/estimate.ts';
import { openDatabase } from '../warehouse/database.ts';
import type { Connection } from '../warehouse/connection.ts';
import { validateAccount, validationSlice, type Account } from '../accounts/validate-account.ts';
import { readLedger, type LedgerState } from './ledger-state.ts';
import { openClients } from '../accounts/open-accounts.ts';
import { learnedScopes, type LearnedScopes } from './plan-scopes.ts';
import { planStage, readScopeValues, STAGES, type ScopeValues } from './plan-project.ts';
import { endpointPlan, selectedEndpoints, selectedRange } from './selection.ts';
import type { PlannedRequests, SyncContext, SyncRequest } from './sync-request.ts';

/** What a sync would ask. */
export interface SyncPlan {
  sync_day: Day;
  projects: number;
  /** Requests in all, pages estimated from what the warehouse holds. */
  requests: number;
  by_project_and_endpoint: PlannedRequests[];
  quota: { limit: number; remaining: number; reset_at: string } | null;
  /** Hours that the quota makes of it, the reserve left alone; null when no quota is known. */
  hours: number | null;
  /** False when nothing was asked, so that new projects and models are not counted. */
  is_online: boolean;
  warnings: string[];
}

/**
 * Plans a run without running it: reads the published file, asks nothing but the reference endpoints, writes nothing.
 * @throws AnswerlakeError configuration; auth, transient, quota when no key can be asked
 */
export async function planSync(
  request: SyncRequest,
  context: SyncContext,
  isOffline: boolean,
): Promise<SyncPlan> {
  const { config, effects } = context;
  const today = request.today ?? dayOf(effects.now());
  const range = selectedRange(config, request, today);
  const known = await readKnown(request, context, today);
  const online = isOffline ? null : await askReference(request, context, known.limits);
  const projectIds = online?.projectIds ?? known.projectIds.filter((id) => isWanted(request, context, id));
  const endpoints = selectedEndpoints(config, request).map((endpoint) =>
    endpointPlan(config, endpoint, known.limits.maxWindowDays),
  );
  const planned = projectIds.flatMap((projectId) => {
    const scopeValues = merged(known.scopeValues.get(projectId), online?.scopes.get(projectId));
    const sizes = { brands: known.brands.get(projectId) ?? 0, prompts: scopeValues.prompt.length };
    return STAGES.flatMap((stage) =>
      planStage(stage, { projectId, endpoints, scopeValues, range, today, ledger: known.ledger }),
    ).map((slice) => ({
      planned: slice,
      requests: estimateRequests(slice, endpointNamed(slice.slice.endpoint), sizes),
    }));
  });
  const names = new Set(endpoints.map(({ endpoint }) => endpoint.name));
  const keyRequests = perKey(names, config.accounts.length, projectIds.length);
  const requests = planned.reduce((sum, one) => sum + one.requests, 0) + keyRequests;
  const quota =
    online?.quota ?? [...known.limits.quotas.values()].find(({ resetAt }) => resetAt > effects.now()) ?? null;
  return {
    sync_day: today,
    projects: projectIds.length,
    requests,
    by_project_and_endpoint: sumByEndpoint(planned),
    quota:
      quota === null
        ? null
        : { limit: quota.limit, remaining: quota.remaining, reset_at: new Date(quota.resetAt).toISOString() },
    hours: quota === null ? null : hoursNeeded(requests, quota, config.api.reserveQuota),
    is_online: !isOffline,
    warnings: online?.warnings ?? [],
  };
}

interface Known {
  ledger: LedgerState;
  limits: LearnedLimits;
  projectIds: string[];
  scopeValues: Map<string, ScopeValues>;
  brands: Map<string, number>;
}

const NOTHING: LedgerState = {
  settled: () => [],
  leftOut: () => false,
  isWindowSettled: () => false,
  isListLoaded: () => false,
};

async function readKnown(request: SyncRequest, { config }: SyncContext, today: Day): Promise<Known> {
  const { path } = config.warehouse;
  const nothing: Known = {
    ledger: NOTHING,
    limits: { maxWindowDays: new Map(), endInclusive: new Set(), quotas: new Map() },
    projectIds: [],
    scopeValues: new Map(),
    brands: new Map(),
  };
  if (!existsSync(path)) return nothing;
  await using database = await openDatabase({ path, readOnly: true });
  return await readFile(await database.connect(), { request, config, today });
}

async function readFile(
  connection: Connection,
  { request, config, today }: { request: SyncRequest; config: SyncContext['config']; today: Day },
): Promise<Known> {
  const projects = await connection.rowsAs(
    z.object({ id: z.string(), brands: z.number() }),
    `select p.project_id as id, (select count(*) from core.brands b where b.project_id = p.project_id) as brands
     from core.projects p order by id`,
  );
  const scopeValues = new Map<string, ScopeValues>();
  for (const { id } of projects) scopeValues.set(id, await readScopeValues(connection, id));
  const question = {
    today,
    lookbackDays: request.lookbackDays ?? config.sync.lookbackDays,
    chain: [],
    chainOnly: request.full || request.from !== null || request.to !== null,
  };
  return {
    ledger: await readLedger(connection, question),
    limits: await readLimits(connection, config.api.baseUrl),
    projectIds: projects.map(({ id }) => id),
    scopeValues,
    brands: new Map(projects.map(({ id, brands }) => [id, brands])),
  };
}

interface Online {
  projectIds: string[];
  scopes: Map<string, LearnedScopes>;
  quota: { limit: number; remaining: number; resetAt: number } | null;
  warnings: string[];
}

async function askReference(
  request: SyncRequest,
  context: SyncContext,
  limits: LearnedLimits,
): Promise<Online> {
  const { config, signal } = context;
  await using clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    organizations: new Map(),
    initialQuotas: limits.quotas,
  });
  const online: Online = { projectIds: [], scopes: new Map(), quota: null, warnings: [] };
  let firstError: unknown = null;
  for (const account of config.accounts) {
    const client = clients.byAccount.get(account.name);
    if (client === undefined) continue;
    try {
      const path = config.sync.endpoints[validate.name]?.path;
      const validated = await validateAccount({
        config: account,
        client,
        path,
        wanted: request.projects,
        signal,
      });
      online.warnings.push(...validated.problems.map((problem) => problem.message));
      const modelList = await askList(context, {
        account: validated.account,
        endpoint: models,
        projectId: null,
      });
      for (const { projectId, projectHeader } of validated.projects) {
        if (online.projectIds.includes(projectId)) continue;
        const list = await askList(context, {
          account: validated.account,
          endpoint: prompts,
          projectId,
          projectHeader,
        });
        online.projectIds.push(projectId);
        online.scopes.set(projectId, learnedScopes(modelList, list));
      }
      online.quota ??= client.quota.snapshot();
    } catch (error) {
      if (!(error instanceof AnswerlakeError)) throw error;
      firstError ??= error;
      online.warnings.push(error.message);
    }
  }
  if (online.projectIds.length === 0 && firstError !== null) throw firstError;
  return online;
}

async function askList(
  { config, signal }: SyncContext,
  asked: {
    account: Account;
    endpoint: Endpoint;
    projectId: string | null;
    projectHeader?: string | undefined;
  },
): Promise<unknown[]> {
  const own = config.sync.endpoints[asked.endpoint.name];
  const { pages } = await fetchSlice(asked.account.client, {
    endpoint: asked.endpoint,
    slice: validationSlice(asked.endpoint, asked.projectId),
    asked: null,
    limit: null,
    timezone: config.sync.timezone,
    path: own?.path,
    parameters: own?.parameters,
    projectHeader: asked.projectHeader,
    signal,
  });
  return pages.map(({ body }) => body);
}

function isWanted(request: SyncRequest, { config }: SyncContext, projectId: string): boolean {
  if (request.projects !== null && !request.projects.includes(projectId)) return false;
  return config.accounts.some(({ projects }) => projects === 'all' || projects.includes(projectId));
}

function merged(known: ScopeValues | undefined, learned: LearnedScopes | undefined): ScopeValues {
  const both = (scope: keyof LearnedScopes): string[] => [
    ...new Set([...(known?.[scope] ?? []), ...(learned?.[scope] ?? [])]),
  ];
  return {
    model: both('model'),
    monitor: both('monitor'),
    prompt: learned?.prompt ?? known?.prompt ?? [],
    prompt_type: known?.prompt_type ?? ['ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON'],
  };
}

/** Validation of every key and project, and the lists that belong to keys. */
function perKey(names: ReadonlySet<string>, accounts: number, projects: number): number {
  return accounts + projects + (names.has(validateV1.name) ? accounts : 0) + (names.has(models.name) ? 1 : 0);
}
