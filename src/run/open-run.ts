import { openClients, type Clients } from '../extract/clients.ts';
import { reachProjects, type Reached } from '../extract/reach-projects.ts';
import { dayOf } from '../day.ts';
import { RawArchive } from '../load/raw-archive.ts';
import { viewSettings, warehouseId, writeSettings } from '../load/settings.ts';
import { newRunId } from '../load/load-run.ts';
import type { Connection } from '../warehouse/connection.ts';
import { damageOf, tellNotices } from './working-file-notices.ts';
import { openWorkingFile, type WorkingFile } from '../warehouse/working-file.ts';
import { closeFile } from './close-file.ts';
import { recallLostEnds, writeJournal } from './journal.ts';
import { keepHeapSmall, loadingMemory, threadCount } from './memory.ts';
import { pullingOf, type Pulling } from './pulling.ts';
import { takeOverSlices } from './asked-before.ts';
import { newestBaseUrl, nextSequence, selectionOf, startRun, unfinishedRuns } from './run-record.ts';
import { readSeenQuotas } from './seen-quotas.ts';
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
  const clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    organizations: new Map(),
    initialQuotas: await readSeenQuotas(connection, config.api.baseUrl),
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
  const run = {
    runId,
    sequence: await nextSequence(connection),
    warehouse: await warehouseId(connection),
    startedAt,
    syncDay,
    baseUrl,
    acceptShrink: request.acceptShrink,
    lookbackDays: config.sync.lookbackDays,
  };
  if (warning !== null) log.warn('clock.skewed', { run: run.runId, reason: warning });
  const baseUrlBefore = await newestBaseUrl(connection);
  const changes = await takeOverSlices(connection, config);
  const selection = selectionOf(request);
  await recallLostEnds(connection, config.warehouse.path);
  const chain = await unfinishedRuns(connection, selection, syncDay);
  const lookback = { lookbackDays, configuredLookbackDays: config.sync.lookbackDays };
  await startRun(connection, { ...run, ...lookback, job: request.job, selection, version });
  await writeJournal(connection, { path: config.warehouse.path, log });
  await writeSettings(connection, viewSettings(config, syncDay));
  const archive = new RawArchive({ run, dir: config.raw.dir });
  const notices = [...(parts.damage ?? []), ...(warning === null ? [] : [warning]), ...changes];
  if (baseUrlBefore !== null && baseUrlBefore !== baseUrl)
    notices.push(
      `api.base_url is ${baseUrl}, and the run before asked ${baseUrlBefore}: figures of both are in one warehouse`,
    );
  return {
    request,
    context,
    pulling: await pullingOf({
      request,
      context,
      connection,
      selected,
      chain,
      run,
      archive,
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
