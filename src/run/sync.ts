import { z } from 'zod';
import { dayOf } from '../day.ts';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { Loader } from '../load/loader.ts';
import { readLimits } from '../load/limits.ts';
import { pruneRawArchive, RawArchive } from '../load/raw-archive.ts';
import type { PublishReport } from '../publish/publish.ts';
import type { Connection } from '../warehouse/connection.ts';
import { openWorkingFile } from '../warehouse/working-file.ts';
import type { CoverageQuestion } from './ledger-state.ts';
import { writeJournal } from './journal.ts';
import { LoadQueue } from './load-queue.ts';
import { openClients, reachProjects, type Clients, type Reached } from '../accounts/open-accounts.ts';
import { publishWhenNeeded } from './publish-run.ts';
import { memoryLimit, threadCount } from './memory.ts';
import { conclude, runReport } from './run-report.ts';
import { finishRun, newRunId, selectionOf, startRun, unfinishedRuns, writeSettings } from './run-record.ts';
import { RunState } from './run-state.ts';
import { selectedEndpoints, selectedRange } from './selection.ts';
import { persistLimits, runStages } from './stages.ts';
import type { RunReport, SyncContext, SyncRequest } from './sync-request.ts';

/**
 * One run: plan, extract, validate, load, publish. Whatever fails upstream is in the report; thrown is only what kept
 * the run from happening at all.
 * @throws AnswerlakeError configuration (nothing touched), locked, storage
 */
export async function runSync(request: SyncRequest, context: SyncContext): Promise<RunReport> {
  if (request.dryRun) throw new AnswerlakeError('a dry run is planned, not run', { class: 'bug' });
  const { config, effects } = context;
  const startedAt = effects.now();
  const today = request.today ?? dayOf(startedAt);
  const range = selectedRange(config, request, today);
  const endpoints = selectedEndpoints(config, request);
  const lookbackDays = request.lookbackDays ?? config.sync.lookbackDays;
  const working = await openWorkingFile({
    publishedPath: config.warehouse.path,
    now: startedAt,
    memoryLimit: memoryLimit(),
    threads: threadCount(),
  });
  await using database = working.database;
  const connection = await database.connect();
  for (const notice of working.notices)
    context.log.info(`working_file.${notice.event}`, { message: notice.message });

  const selection = selectionOf(request);
  const { baseUrl } = config.api;
  const run = {
    runId: newRunId(startedAt),
    startedAt,
    syncDay: today,
    baseUrl,
    acceptShrink: request.acceptShrink,
  };
  const question: CoverageQuestion = {
    today,
    lookbackDays,
    chain: await unfinishedRuns(connection, selection),
    chainOnly: request.full || request.from !== null || request.to !== null,
  };
  await startRun(connection, { ...run, job: request.job, selection, lookbackDays, version: context.version });
  await writeJournal(connection, { path: config.warehouse.path, log: context.log });
  await writeSettings(connection, {
    start_date: config.sync.startDate,
    lookback_days: String(config.sync.lookbackDays),
    timezone: config.sync.timezone,
    base_url: baseUrl,
    sync_day: today,
  });
  const limits = await readLimits(connection, baseUrl);
  const archive = new RawArchive({ ...run, dir: config.raw.dir });
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const state = new RunState({ request, context: { ...context, signal }, run, connection, limits });
  const loader = new Loader({ connection, run, archive, endInclusive: limits.endInclusive });
  const queue = new LoadQueue({
    loader,
    onLoaded: (entry) => {
      state.loaded(entry);
      reportProgress(state, clients);
    },
    onBroken: (error) => stop.abort(error),
  });
  await using clients = openClients({
    context: state.context,
    maxWaitMs: request.maxWaitMs,
    organizations: await readOrganizations(connection),
    initialQuotas: limits.quotas,
  });

  let reached: Reached | null = null;
  try {
    reached = await reachProjects(state, queue, clients);
    await rememberOrganizations(connection, reached);
    checkWantedProjects(state, reached);
    if (reached.accounts.length > 0) {
      await runStages({ state, queue, clients, reached, endpoints, range, question });
    }
  } catch (error) {
    if (!context.signal.aborted) await failRun(state, clients, error);
  }
  // What was answered before a stop is kept.
  await queue.drain();
  await persistLimits({ state, clients });
  let end = conclude(state, reached, context.signal);
  const totals = totalsOf(clients);
  const finish = { runId: run.runId, ...end, ...totals, totals: state.totals, finishedAt: effects.now() };
  await finishRun(connection, { ...finish, errorMessage: state.failures[0]?.message ?? null });
  let published: PublishReport | null = null;
  try {
    // Without one working key there is nothing new to show, and an empty file would look like data.
    if (reached !== null && reached.accounts.length > 0)
      published = await publishWhenNeeded(connection, context);
  } catch (error) {
    state.fail(error);
    end = conclude(state, reached, context.signal);
    await finishRun(connection, { ...finish, ...end, errorMessage: messageOf(error) });
  }
  await writeJournal(connection, { path: config.warehouse.path, log: context.log });
  const pruned = await pruneRawArchive(config.raw.dir, today, config.raw.keepDays);
  if (pruned.length > 0) context.log.info('archive.pruned', { days: pruned.length });
  const projects = reached?.projects.length ?? 0;
  for (const client of clients.byAccount.values()) state.warnings.push(...client.warnings);
  return runReport({
    state,
    ...end,
    ...totals,
    finishedAt: effects.now(),
    projects,
    published,
    workingFile: working.path,
    rawArchive: archive.isWritten ? archive.path : null,
  });
}

/** A failure of storage or a bug ends the run; it is entered before it is thrown on. */
async function failRun(state: RunState, clients: Clients, error: unknown): Promise<void> {
  state.fail(error);
  if (error instanceof AnswerlakeError && error.class !== 'storage' && error.class !== 'locked') return;
  const end = { exitCode: error instanceof AnswerlakeError ? error.exitCode : 1, status: 'failed' } as const;
  await finishRun(state.connection, {
    runId: state.run.runId,
    ...end,
    ...totalsOf(clients),
    totals: state.totals,
    finishedAt: state.context.effects.now(),
    errorMessage: state.failures[0]?.message ?? null,
  }).catch(() => undefined);
  await writeJournal(state.connection, { path: state.context.config.warehouse.path, log: state.context.log });
  throw error;
}

function totalsOf(clients: Clients): { requests: number; retries: number } {
  const totals = [...clients.byAccount.values()].map((client) => client.totals);
  return {
    requests: totals.reduce((sum, one) => sum + one.requests, 0),
    retries: totals.reduce((sum, one) => sum + one.retries, 0),
  };
}

function reportProgress(state: RunState, clients: Clients): void {
  const left = [...clients.quotas.values()].flatMap((quota) => quota.snapshot()?.remaining ?? []);
  state.context.onProgress?.({
    stage: state.stage,
    done: state.done,
    total: state.planned,
    requests: totalsOf(clients).requests,
    quotaRemaining: left.length === 0 ? null : Math.min(...left),
  });
}

const ORGANIZATION_PREFIX = 'organization_of_account:';

async function readOrganizations(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.rowsAs(
    z.object({ name: z.string(), value: z.string() }),
    'select name, value from meta.settings where starts_with(name, $1) and value is not null',
    [ORGANIZATION_PREFIX],
  );
  return new Map(rows.map(({ name, value }) => [name.slice(ORGANIZATION_PREFIX.length), value]));
}

async function rememberOrganizations(connection: Connection, { accounts }: Reached): Promise<void> {
  const known = accounts.flatMap(({ config, organizationId }) =>
    organizationId === null ? [] : [[`${ORGANIZATION_PREFIX}${config.name}`, organizationId] as const],
  );
  await writeSettings(connection, Object.fromEntries(known));
}

function checkWantedProjects(state: RunState, reached: Reached): void {
  const found = new Set(reached.projects.map(({ projectId }) => projectId));
  for (const projectId of state.request.projects ?? []) {
    if (found.has(projectId) || reached.accounts.length === 0) continue;
    state.fail(
      new AnswerlakeError(
        `--project ${projectId}: no configured key reaches it; run answerlake check to see which are`,
        {
          class: 'configuration',
          scope: 'project',
        },
      ),
      { projectId },
    );
  }
}
