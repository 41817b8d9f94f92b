import { dayOf } from '../day.ts';
import { errorClassOf } from '../errors.ts';
import { reachProjects } from '../extract/reach-projects.ts';
import { selectRun, LARGEST_SKEW_MS } from '../plan/selection.ts';
import { discardCreated, openWarehouse } from '../warehouse/working-file.ts';
import { readQuotas } from './journal.ts';
import { quotasOf } from './quotas.ts';
import type { PreparedRun } from './run-context.ts';
import * as runFile from './run-file.ts';
import type { RunReport } from './run-to-end.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

// Imports what the first request needs; the rest is loaded while that request is under way.

/**
 * One run: opens it, sends its requests stage by stage, closes it. API failures are in the report.
 * @throws AnswerlakeError only if the run could not start (configuration, locked) or could not write (storage)
 */
export async function runSync(request: SyncRequest, context: SyncContext): Promise<RunReport> {
  return await withOpenRun(request, context, async (prepared) => {
    const { runToEnd } = await import('./run-to-end.ts');
    const { runStages } = await import('./stages.ts');
    return await runToEnd(prepared.run, runStages(prepared));
  });
}

/** Opens the working file and the clients, validates the keys, enters the run, and closes everything after `work`. @throws as `runSync` */
export async function withOpenRun<Result>(
  request: SyncRequest,
  context: SyncContext,
  work: (prepared: PreparedRun) => Promise<Result>,
): Promise<Result> {
  const { config, effects, log, signal } = context;
  const startedAt = effects.now();
  // Refuse what no clock can make valid before opening anything.
  selectRun(config, request, dayOf(startedAt + LARGEST_SKEW_MS));
  runFile.fitEngineToRun();
  const opening = openWarehouse(config, { now: startedAt });
  const loading = import('../extract/clients.ts');
  const working = await opening;
  let isRefused = false;
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      await runFile.closeFile(working, context);
      if (isRefused) discardCreated(working);
    },
  };
  runFile.logNotices(working.notices, log);
  const connection = await working.database.connect();
  const { openClients } = await loading;
  await using clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    initialQuotas: quotasOf(await readQuotas(connection), config.api.baseUrl),
  });
  const reaching = reachProjects({ config, clients, wanted: request.projects, signal });
  const preparing = import('./run-context.ts');
  const reached = await reaching;
  const { enterRun, prepareRun } = await preparing;
  const notices = runFile.damageOf(working.notices);
  const options = { request, context, connection, clients, reached, startedAt, notices };
  const prepared = await prepareRun(options).catch((error: unknown) => {
    isRefused = errorClassOf(error) === 'configuration';
    throw error;
  });
  return await work(await enterRun(prepared));
}
