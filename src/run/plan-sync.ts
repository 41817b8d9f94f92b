import type { Config } from '../config/config.ts';
import { dayOf, type Day } from '../day.ts';
import { openClients } from '../extract/clients.ts';
import { chosenIds, exceptedEndpoints } from '../config/choice.ts';
import { idsMeant } from '../project-names.ts';
import { reachProjects, refuseUnknown, type Reached } from '../extract/reach-projects.ts';
import * as estimates from '../plan/estimate.ts';
import type { EndpointEstimate, PlannedHours } from '../plan/estimate.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import { LARGEST_SKEW_MS, selectRun } from '../plan/selection.ts';
import type { AskJobs } from './ask.ts';
import { readJournal } from './journal.ts';
import { Outcome } from './outcome.ts';
import { readListSizes, readParents } from './planning-values.ts';
import { readProjectNames, readStoredProjects } from './stored-projects.ts';
import { quotasOf, readOrganizations } from './quotas.ts';
import { prepareRun } from './run-context.ts';
import { runStages } from './stages.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';
import { usageError } from '../errors.ts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { openMemoryDatabase } from '../warehouse/database.ts';
import { refuseReshaped } from '../warehouse/declared-tables.ts';
import { upgrade } from '../warehouse/migrate.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';

/** What a sync would request. */
export interface SyncPlan extends PlannedHours {
  sync_day: Day;
  projects: number;
  /** Total requests; the number of pages is estimated from stored rows. */
  requests: number;
  /** `nights`: nights until the list of every parent is requested; null for an endpoint without parents. */
  by_project_and_endpoint: (EndpointEstimate & { nights: number | null })[];
  /** False if no request was sent: new projects and models are then not counted. */
  is_online: boolean;
  warnings: string[];
}

/** Plans a run with the run's own steps on a warehouse in memory. Requests only lists, and stores nothing. */
export async function planSync(
  request: SyncRequest,
  context: SyncContext,
  isOffline: boolean,
): Promise<SyncPlan> {
  const { sync } = context.config;
  const [plan] = await planStarts([sync.startDate], request, { context, isOffline });
  if (plan === undefined) throw new Error('no start date was planned');
  return plan;
}

/** The same for several values of `sync.start_date`, with the requests of one. @throws as `planSync` */
export async function planStarts(
  startDates: readonly Day[],
  request: SyncRequest,
  { context, isOffline }: { context: SyncContext; isOffline: boolean },
): Promise<SyncPlan[]> {
  const { config, effects, signal } = context;
  const now = effects.now();
  const { baseUrl } = config.api;
  selectRun(config, request, dayOf(now + LARGEST_SKEW_MS));
  const remembered = quotasOf((await readJournal(config.warehouse.path)).quotas, baseUrl);
  // The warehouse in memory starts with the facts of the published file and loads lists with the run's own code; nothing is stored.
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await upgrade(connection, { tables: config.catalogue.tables, now });
  if (existsSync(config.warehouse.path)) await takeOver(connection, config);
  const organizations = await readOrganizations(connection);
  // A plan never waits for a quota reset.
  await using clients = openClients({
    // Offline, no key is needed and none is read.
    context: isOffline ? { ...context, config: { ...config, accounts: [] } } : context,
    initialQuotas: remembered,
  });
  const reached = isOffline
    ? await knownProjects(connection, request, context)
    : await reachProjects({ config, clients, wanted: request.projects, signal });
  signal.throwIfAborted();
  refuseUnknown(reached, request);
  throwIfUnreachable(reached);
  const projectIds = reached.projects.map(({ projectId }) => projectId);
  /** Requested for the first start date and stored for the others. */
  const lists: PlannedSlice[] = [];
  const plans: SyncPlan[] = [];
  for (const startDate of startDates) {
    const ofStart = { ...context, config: { ...config, sync: { ...config.sync, startDate } } };
    const options = { request, context: ofStart, connection, clients, reached, startedAt: now };
    const prepared = await prepareRun({ ...options, isPlan: true });
    const { run } = prepared;
    const asked: PlannedSlice[] = [];
    const ask: AskJobs = async (jobs) => {
      asked.push(...jobs.map(({ planned }) => planned));
      if (isOffline || plans.length > 0) return [];
      return await prepared.ask(jobs.filter(({ planned }) => isPlannedFrom(planned)));
    };
    const outcome = new Outcome();
    for await (const step of runStages({ ...prepared, ask })) outcome.add(step);
    signal.throwIfAborted();
    const parents = await readParents(run, prepared.planning, projectIds);
    const sizesOf = await readListSizes(connection, projectIds);
    if (plans.length === 0) lists.push(...asked.filter(isPlannedFrom));
    const counted = [...lists, ...asked.filter((one) => !isPlannedFrom(one))];
    const planned = counted.map((one) => {
      const sizes = sizesOf(one.slice.projectId);
      const { limit } = config.sync.endpoints[one.endpoint.name] ?? {};
      return { planned: one, requests: estimates.estimateRequests(one, sizes, limit) };
    });
    const byProject = projectIds.flatMap((id) => planned.filter((one) => one.planned.slice.projectId === id));
    const validations = estimates.validatedAccounts(reached).length;
    const { reserveQuota: reserve } = config.api;
    const known = { reached, organizations, quotas: clients.quotas, remembered, reserve, now };
    plans.push({
      sync_day: run.run.syncDay,
      projects: reached.projects.length,
      requests: planned.reduce((sum, one) => sum + one.requests, validations),
      by_project_and_endpoint: estimates
        .sumByEndpoint(byProject, await readProjectNames(connection))
        .map((one) => {
          const isOf = (parent: (typeof parents)[number]): boolean =>
            parent.projectId === one.project_id && parent.plan.endpoint.name === one.endpoint;
          return { ...one, nights: parents.find(isOf)?.nights ?? null };
        }),
      ...estimates.plannedHours({ ...known, planned }),
      is_online: !isOffline,
      warnings: [...outcome.failures.map(({ message }) => message), ...outcome.warnings],
    });
  }
  return plans;
}

function throwIfUnreachable({ accounts, projects, problems }: Reached): void {
  if (projects.length > 0) return;
  const working = new Set([null, ...accounts.map((account) => account.config.name)]);
  const worst =
    problems.find(({ error }) => error.scope === 'run' && error.class === 'auth') ??
    problems.find(({ error }) => error.class === 'configuration') ??
    problems.find(({ account }) => !working.has(account));
  if (worst !== undefined) throw worst.error;
}

/** No project slice depends on a list that belongs to a key. */
function isPlannedFrom({ endpoint: { cut, askedPer, isExtra } }: PlannedSlice): boolean {
  return !isExtra && cut.kind === 'list' && (askedPer === 'project' || askedPer === 'run');
}

/** Tables of `meta` that planning reads. */
const KNOWLEDGE = [
  'alarms',
  'asked_days',
  'probes',
  'quotas',
  'runs',
  'settings',
  'slices',
  'taught_lengths',
  'vanishing',
].map((table) => `meta.${table}`);

async function takeOver(connection: Connection, { catalogue, warehouse }: Config): Promise<void> {
  await connection.run(`attach ${quoteLiteral(warehouse.path)} as published (read_only)`);
  await refuseReshaped(connection, 'published', catalogue.tables);
  const lists = catalogue.asked.filter(({ cut }) => cut.kind === 'list').flatMap(({ outputs }) => outputs);
  const written = new Set([
    ...KNOWLEDGE,
    ...lists.map(({ table }) => (table.includes('.') ? table : `core.${table}`)),
  ]);
  const shared = await connection.rowsAs(sharedTable, readSql('plan/shared-tables'));
  for (const { schema, table, columns } of shared) {
    const name = `${schema}.${quoteIdentifier(table)}`;
    if (written.has(`${schema}.${table}`)) {
      const list = columns.map(quoteIdentifier).join(', ');
      await connection.run(
        `delete from ${name}; insert into ${name} (${list}) select ${list} from published.${name}`,
      );
    } else if (schema !== 'meta') {
      // Planning only reads it, so a view replaces the copy.
      await connection.run(`drop table ${name}; create view ${name} as select * from published.${name}`);
    }
  }
}

const sharedTable = z.object({ schema: z.string(), table: z.string(), columns: z.array(z.string()) });

/** The projects of earlier runs, assuming that the keys still reach them. */
async function knownProjects(
  connection: Connection,
  request: SyncRequest,
  { config }: SyncContext,
): Promise<Reached & { wanted: readonly string[] | null }> {
  const accounts = config.accounts.map((account) => ({
    config: account,
    organizationId: null,
    isOrganizationKey: false,
  }));
  const known = await readStoredProjects(connection);
  const wanted = request.projects === null ? null : idsMeant(request.projects, known);
  const unknown = wanted?.find((wantedId) => known.every(({ id }) => id !== wantedId));
  if (unknown !== undefined && request.job === null)
    throw usageError(
      `--project ${unknown}: no run has seen it, or several projects are called so; without --offline, the keys are asked.`,
    );
  const chosen = accounts.map((account) => ({ account, ids: new Set(chosenIds(account.config, known)) }));
  const projects = known.flatMap(({ id: projectId }) => {
    if (wanted !== null && !wanted.includes(projectId)) return [];
    const account = chosen.find(({ ids }) => ids.has(projectId))?.account;
    if (account === undefined) return [];
    const except = exceptedEndpoints(account.config.except, known, projectId);
    return [{ projectId, account, except }];
  });
  const unasked = { answers: [], problems: [], listed: null, listedBy: new Map(), serverAheadMs: 0 };
  return { accounts, projects, wanted, ...unasked };
}
