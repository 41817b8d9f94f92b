import { dayOf } from '../day.ts';
import { AnswerlakeError, exitCodeOf } from '../errors.ts';
import { openClients } from '../extract/clients.ts';
import { reachProjects, refuseUnknown } from '../extract/reach-projects.ts';
import { discardCreated, openWorkingFile } from '../warehouse/working-file.ts';
import {
  closeFile,
  keepHeapSmall,
  loadingMemory,
  publishingMemory,
  threadCount,
  damageOf,
  tellNotices,
} from './run-file.ts';
import { closeBrokenRun, closeRun } from './close-run.ts';
import { addStep, NOTHING_DONE, type Outcome, type Step } from './outcome.ts';
import { enterRun, prepareRun, type RunContext } from './run-context.ts';
import { readSeenQuotas } from './quotas.ts';
import { selectRun, LARGEST_SKEW_MS } from '../plan/selection.ts';
import { runStages } from './stages.ts';
import type { RunReport, SyncContext, SyncRequest } from './sync-request.ts';

/**
 * One run: open it, ask stage by stage, close it. Failures of the API are in the report.
 * @throws AnswerlakeError only if the run could not start (configuration, locked) or could not write (storage)
 */
export async function runSync(request: SyncRequest, context: SyncContext): Promise<RunReport> {
  if (request.dryRun) throw new AnswerlakeError('a dry run is planned, not run', { class: 'bug' });
  return await withOpenRun(request, context, (run) => runToEnd(run, runStages(run), publishingMemory()));
}

/** Opens the working file and the clients, validates the keys, enters the run, and closes all of it after `work`. @throws as `runSync` */
export async function withOpenRun<Result>(
  request: SyncRequest,
  context: SyncContext,
  work: (run: RunContext) => Promise<Result>,
): Promise<Result> {
  const { config, effects, log, signal } = context;
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
  let isRefused = false;
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      await closeFile(working, context);
      if (isRefused) discardCreated(working);
    },
  };
  tellNotices(working.notices, log);
  const connection = await working.database.connect();
  await using clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    organizations: new Map(),
    initialQuotas: await readSeenQuotas(connection, config.api.baseUrl),
  });
  const reached = await reachProjects({ config, clients, wanted: request.projects, signal });
  try {
    refuseUnknown(reached, request);
  } catch (error) {
    isRefused = true;
    throw error;
  }
  const notices = damageOf(working.notices);
  const named = { ...request, projects: reached.wanted };
  const prepared = await prepareRun({
    request: named,
    context,
    connection,
    clients,
    reached,
    startedAt,
    notices,
  });
  return await work(await enterRun(prepared));
}

/**
 * Takes the steps of a run one after the other and closes the run, whatever happened.
 * @param memory DuckDB's from publishing on; without it, what it has
 * @throws AnswerlakeError when the run could not write (storage, locked)
 */
export async function runToEnd(
  run: RunContext,
  steps: AsyncIterable<Step>,
  memory?: string,
): Promise<RunReport> {
  let outcome = NOTHING_DONE;
  const add = (error: unknown): Outcome => addStep(outcome, { results: [], problems: [{ error }] });
  try {
    try {
      for await (const step of steps) outcome = addStep(outcome, step);
    } catch (error) {
      if (!run.signal.aborted && isBroken(error)) throw error;
      if (!run.signal.aborted) outcome = add(error);
    }
    return await closeRun(run, outcome, memory);
  } catch (error) {
    if (isBroken(error)) await closeBrokenRun(run, add(error), exitCodeOf(error));
    throw error;
  }
}

/** After a storage failure or a bug, nothing that the run does can be trusted. */
function isBroken(error: unknown): boolean {
  return !(error instanceof AnswerlakeError) || error.class === 'storage' || error.class === 'locked';
}
