import { openClients, type Clients } from '../accounts/clients.ts';
import { reachProjects, type Reached } from '../accounts/reach-projects.ts';
import { dayOf } from '../day.ts';
import { askedPaths } from '../endpoints/asked-path.ts';
import { forgetFutureEntries, type ForgottenEntries } from '../load/future-entries.ts';
import { readLearned } from '../load/learned.ts';
import { forgetOtherPaths } from '../load/other-paths.ts';
import { forgetOtherZones, otherZonesText } from '../load/other-zones.ts';
import { RawArchive } from '../load/raw-archive.ts';
import { viewSettings, writeSettings } from '../load/settings.ts';
import { newRunId } from '../run-id.ts';
import type { Connection } from '../warehouse/connection.ts';
import { damageOf, tellNotices } from './working-file-notices.ts';
import { openWorkingFile, type WorkingFile } from '../warehouse/working-file.ts';
import { closeFile } from './close-file.ts';
import { recallLostEnds, writeJournal } from './journal.ts';
import { keepHeapSmall, loadingMemory, threadCount } from './memory.ts';
import { pullingOf, type Pulling } from './pulling.ts';
import { disownFutureRuns, selectionOf, startRun, unfinishedRuns } from './run-record.ts';
import { selectRun } from './selection.ts';
import { correctionMs, LARGEST_SKEW_MS, serverDay } from './server-day.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

/** A run that is recorded in `meta.runs`. */
export interface EnteredRun {
  request: SyncRequest;
  context: SyncContext;
  pulling: Pulling;
  clients: Clients;
  archive: RawArchive;
  workingFile: string;
  /** Milliseconds since the epoch, by the server's clock where this machine's is wrong. */
  now: () => number;
}

/** With everything it needs open. Whoever opens it closes it (`await using`). */
export interface Run extends EnteredRun, AsyncDisposable {}

/**
 * Opens the working file and the clients, validates the keys and records the run.
 * @throws AnswerlakeError configuration (nothing touched), locked, storage
 */
export async function openRun(request: SyncRequest, context: SyncContext): Promise<Run> {
  const { config, effects, log } = context;
  const startedAt = effects.now();
  keepHeapSmall();
  // What makes no sense on any clock is refused before anything is opened.
  selectRun(config, request, dayOf(startedAt + LARGEST_SKEW_MS));
  const working = await openWorkingFile({
    publishedPath: config.warehouse.path,
    now: startedAt,
    memoryLimit: loadingMemory(),
    threads: threadCount(),
  });
  tellNotices(working.notices, log);
  try {
    return await reachAndEnter({ request, context, working, startedAt });
  } catch (error) {
    await working.database[Symbol.asyncDispose]();
    throw error;
  }
}

interface EnterParts {
  request: SyncRequest;
  context: SyncContext;
  working: WorkingFile;
  startedAt: number;
}

/** The answers to the validations tell which day it is, so they come before everything that depends on the day. */
async function reachAndEnter(parts: EnterParts): Promise<Run> {
  const { request, context, working } = parts;
  const { config, signal } = context;
  const connection = await working.database.connect();
  const learned = await readLearned(connection, config.api.baseUrl, parts.startedAt);
  const clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    organizations: new Map(),
    initialQuotas: learned.quotas,
  });
  try {
    const reached = await reachProjects({ config, clients, wanted: request.projects, signal });
    const run = await enterRun({
      ...parts,
      runId: newRunId(parts.startedAt + correctionMs(reached.serverAheadMs)),
      workingFile: working.path,
      damage: damageOf(working.notices),
      connection,
      clients,
      reached,
    });
    return {
      ...run,
      [Symbol.asyncDispose]: async () => {
        await clients[Symbol.asyncDispose]();
        await closeFile(working, context);
      },
    };
  } catch (error) {
    await clients[Symbol.asyncDispose]();
    throw error;
  }
}

/** What is known once the keys are validated. */
export interface ReachedParts extends Omit<EnterParts, 'working'> {
  runId: string;
  workingFile: string;
  /** What was wrong with the working file before; a run that nobody watches says so too. */
  damage?: readonly string[];
  connection: Connection;
  clients: Clients;
  reached: Reached;
}

/** Records the run and wires what it pulls with. @throws AnswerlakeError configuration, storage */
export async function enterRun(parts: ReachedParts): Promise<EnteredRun> {
  const { request, context, runId, connection, clients, reached } = parts;
  const { config, effects, log, version } = context;
  const correction = correctionMs(reached.serverAheadMs);
  const startedAt = parts.startedAt + correction;
  const { day, warning } = serverDay(effects.now(), reached.serverAheadMs);
  const selected = selectRun(config, request, day);
  const { today: syncDay, lookbackDays } = selected;
  const { baseUrl } = config.api;
  const run = { runId, startedAt, syncDay, baseUrl, acceptShrink: request.acceptShrink };
  if (warning !== null) log.warn('clock.skewed', { run: run.runId, reason: warning });
  const forgotten = await forgetFutureEntries(connection, day);
  if (forgotten.entries > 0) log.warn('ledger.future_forgotten', { run: run.runId, ...forgotten });
  await disownFutureRuns(connection, { now: startedAt, today: day });
  const otherZones = await forgetOtherZones(connection, config.sync.timezone);
  await forgetOtherPaths(connection, askedPaths(config.sync.endpoints));
  const selection = selectionOf(request);
  await recallLostEnds(connection, config.warehouse.path);
  const chain = await unfinishedRuns(connection, selection, startedAt);
  const lookback = { lookbackDays, configuredLookbackDays: config.sync.lookbackDays };
  await startRun(connection, { ...run, ...lookback, job: request.job, selection, version });
  await writeJournal(connection, { path: config.warehouse.path, log });
  await writeSettings(connection, viewSettings(config, syncDay));
  const archive = new RawArchive({ ...run, dir: config.raw.dir });
  const notices = [
    ...(parts.damage ?? []),
    ...(warning === null ? [] : [warning]),
    ...futureNotices(forgotten),
  ];
  if (otherZones.length > 0) notices.push(otherZonesText(otherZones, config.sync.timezone));
  return {
    request,
    context,
    pulling: pullingOf({
      request,
      context,
      connection,
      selected,
      chain,
      run,
      archive,
      learned: await readLearned(connection, baseUrl, parts.startedAt),
      clients,
      reached,
      notices,
    }),
    clients,
    archive,
    workingFile: parts.workingFile,
    now: () => effects.now() + correction,
  };
}

function futureNotices({ entries, lastDay }: ForgottenEntries): string[] {
  if (entries === 0) return [];
  return [
    `${String(entries)} answers were entered on days up to ${String(lastDay)}, which have not come yet (a clock was ahead): they are asked again`,
  ];
}
