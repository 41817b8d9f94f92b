import { z } from 'zod';
import { openClients } from '../extract/clients.ts';
import { reachProjects, refuseUnknown, type Reached } from '../extract/reach-projects.ts';
import { dayOf, type Day } from '../day.ts';
import { askedPaths, type PathOf, endpointNamed } from '../endpoints/catalogue.ts';
import { estimateRequests, sumByEndpoint, type EstimatedSlice, type ListSizes } from '../plan/estimate.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { Connection } from '../warehouse/connection.ts';
import { readJournal } from './journal.ts';
import { knownProjects, NO_CLIENTS, openPlanningWarehouse } from './planning-warehouse.ts';
import { readOrganizations } from './quotas.ts';
import { addStep, NOTHING_DONE, type Problem } from './outcome.ts';
import { readProjectNames, readScopeValues } from './plan-project.ts';
import { plannedHours, rememberedQuotas } from './plan-quota.ts';
import { prepareRun } from './run-context.ts';
import { selectRun } from './selection.ts';
import { LARGEST_SKEW_MS } from './server-day.ts';
import { runStages } from './stages.ts';
import type { PlannedRequests, SyncContext, SyncRequest } from './sync-request.ts';
import type { JobAsker, SliceJob } from './ask.ts';

/** What a sync would ask. */
export interface SyncPlan {
  sync_day: Day;
  projects: number;
  /** Total requests; pages are estimated from what the warehouse holds. */
  requests: number;
  by_project_and_endpoint: PlannedRequests[];
  /** Of the organization whose requests take longest. */
  quota: { limit: number; remaining: number; reset_at: string } | null;
  /** Hours that this takes with the known quotas, without using the reserve; null when none is known. */
  hours: number | null;
  /** False when nothing was asked: new projects and models are then not counted. */
  is_online: boolean;
  warnings: string[];
}

/**
 * Plans a run with the run's own steps on a warehouse in memory. Asks only for lists, and writes nothing.
 * @throws AnswerlakeError configuration; auth, transient, quota when no key can be asked
 */
export async function planSync(
  request: SyncRequest,
  context: SyncContext,
  isOffline: boolean,
): Promise<SyncPlan> {
  const { config, effects, signal } = context;
  const now = effects.now();
  const { baseUrl } = config.api;
  selectRun(config, request, dayOf(now + LARGEST_SKEW_MS));
  const remembered = rememberedQuotas(await readJournal(config.warehouse.path), baseUrl);
  const { database, connection } = await openPlanningWarehouse(config.warehouse.path, now);
  await using _ = database;
  const organizations = await readOrganizations(connection);
  // Planning waits for no reset.
  await using clients = isOffline
    ? NO_CLIENTS
    : openClients({ context, maxWaitMs: 0, organizations: new Map(), initialQuotas: remembered });
  const reached = isOffline
    ? await knownProjects(connection, request, context)
    : await reachProjects({ config, clients, wanted: request.projects, signal });
  signal.throwIfAborted();
  refuseUnknown(reached, request);
  throwIfUnreachable(reached, context);
  const named = { ...request, projects: reached.wanted };
  const options = { request: named, context, connection, clients, reached, startedAt: now };
  const run = await prepareRun({ ...options, runId: 'plan', isArchived: false });
  const asker = new CountingAsker(isOffline ? null : run.asker);
  let outcome = NOTHING_DONE;
  for await (const step of runStages({ ...run, asker })) outcome = addStep(outcome, step);
  signal.throwIfAborted();
  const planned = await estimate(connection, reached, { counted: asker.counted, config });
  const requests = planned.reduce((sum, one) => sum + one.requests, 0) + validations(reached, isOffline);
  const { quota, hours } = plannedHours({
    reached,
    planned,
    organizations,
    quotas: clients.quotas,
    remembered,
    reserve: config.api.reserveQuota,
    now,
  });
  return {
    sync_day: run.run.syncDay,
    projects: reached.projects.length,
    requests,
    by_project_and_endpoint: sumByEndpoint(
      planned.filter((one) => one.planned.slice.projectId !== null),
      await readProjectNames(connection),
    ),
    quota:
      quota === null
        ? null
        : { limit: quota.limit, remaining: quota.remaining, reset_at: new Date(quota.resetAt).toISOString() },
    hours,
    is_online: !isOffline,
    warnings: [...outcome.failures.map(({ message }) => message), ...outcome.warnings],
  };
}

function throwIfUnreachable({ accounts, projects, problems }: Reached, { config }: SyncContext): void {
  if (projects.length > 0) return;
  const nothing = problems.find(({ error }) => error.scope === 'run' && error.class === 'auth');
  if (nothing !== undefined) throw nothing.error;
  const unknown = problems.find(({ error }) => error.class === 'configuration');
  if (unknown !== undefined) throw unknown.error;
  if (accounts.length === config.accounts.length) return;
  const working = new Set(accounts.map((account) => account.config.name));
  const failed = problems.find(({ account }) => account !== null && !working.has(account));
  if (failed !== undefined) throw failed.error;
}

/** The requests of every counted slice, grouped by project. */
async function estimate(
  connection: Connection,
  { projects }: Reached,
  { counted, config: { sync } }: { counted: readonly PlannedSlice[]; config: SyncContext['config'] },
): Promise<EstimatedSlice[]> {
  const brands = await connection.rowsAs(
    z.object({ id: z.string(), brands: z.number() }),
    'select project_id as id, count(*) as brands from core.brands group by all',
  );
  const estimated = new Map<string | null, EstimatedSlice[]>([[null, []]]);
  const cut = await connection.rowsAs(
    z.object({ id: z.string(), endpoint: z.string() }),
    'select distinct project_id as id, endpoint from meta.slices where truncated',
  );
  const sizes = new Map<string | null, ListSizes>();
  const scopeValues = await readScopeValues(
    connection,
    projects.map(({ projectId }) => projectId),
  );
  for (const { projectId } of projects) {
    const prompts = scopeValues(projectId).prompt.length;
    const cutLists = new Set(cut.filter(({ id }) => id === projectId).map(({ endpoint }) => endpoint));
    sizes.set(projectId, {
      brands: brands.find(({ id }) => id === projectId)?.brands ?? 0,
      prompts,
      cutLists,
    });
    estimated.set(projectId, []);
  }
  const pathOf = askedPaths(sync.endpoints);
  const asked = new Set<string>();
  for (const planned of counted) {
    const { projectId, endpoint } = planned.slice;
    const size = sizes.get(projectId) ?? { brands: 0, prompts: 0, cutLists: new Set() };
    const same = requestOf(planned, pathOf);
    const isLent = planned.slice.kind === 'window' && asked.has(same);
    asked.add(same);
    const { limit: pageSize } = sync.endpoints[endpoint] ?? {};
    const requests = isLent ? 0 : estimateRequests(planned, endpointNamed(endpoint), { ...size, pageSize });
    estimated.get(projectId)?.push({ planned, requests });
  }
  return [...estimated.values()].flat();
}

/** Equal for slices of which one borrows the answer of the other. */
function requestOf({ slice, asked }: PlannedSlice, pathOf: PathOf): string {
  const path = pathOf(slice.endpoint);
  const grain = slice.kind === 'series' ? slice.grain : 'day';
  return JSON.stringify([path, slice.projectId, slice.scope, slice.scopeId, grain, asked]);
}

/** A run validates each key, and an organization key once more for each project. */
function validations({ accounts, projects, answers }: Reached, isOffline: boolean): number {
  return isOffline ? accounts.length + projects.length : answers.length;
}

/** Counts the slices that a run would ask for, and asks only for the lists that other slices are planned from. */
class CountingAsker implements JobAsker {
  readonly counted: PlannedSlice[] = [];
  readonly #inner: JobAsker | null;

  /** @param inner asks for the lists; null when nothing may be asked */
  constructor(inner: JobAsker | null) {
    this.#inner = inner;
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    for (const { planned } of jobs) this.counted.push(planned);
    if (this.#inner === null) return [];
    return await this.#inner.ask(jobs.filter(({ planned }) => isPlannedFrom(planned)));
  }
}

/** No project slice depends on a list that belongs to a key. */
function isPlannedFrom({ slice }: PlannedSlice): boolean {
  const { cut, askedPer } = endpointNamed(slice.endpoint);
  return cut.kind === 'list' && (askedPer === 'project' || askedPer === 'run');
}
