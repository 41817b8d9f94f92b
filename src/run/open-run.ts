import { openClients, type Clients } from '../accounts/clients.ts';
import { readLimits } from '../load/limits.ts';
import { RawArchive } from '../load/raw-archive.ts';
import { viewSettings, writeSettings } from '../load/settings.ts';
import { newRunId } from '../run-id.ts';
import { openWorkingFile, type WorkingFile } from '../warehouse/working-file.ts';
import { writeJournal } from './journal.ts';
import { memoryLimit, threadCount } from './memory.ts';
import { readOrganizations } from './organizations.ts';
import { pullingOf, type Pulling } from './pulling.ts';
import { selectionOf, startRun, unfinishedRuns } from './run-record.ts';
import { selectRun, type Selected } from './selection.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

/** A run that is recorded in `meta.runs`, with everything it needs open. Whoever opens it closes it (`await using`). */
export interface Run extends AsyncDisposable {
  request: SyncRequest;
  context: SyncContext;
  pulling: Pulling;
  clients: Clients;
  archive: RawArchive;
  workingFile: string;
}

/**
 * Opens the working file, records the run and opens the clients.
 * @throws AnswerlakeError configuration (nothing touched), locked, storage
 */
export async function openRun(request: SyncRequest, context: SyncContext): Promise<Run> {
  const { config, effects, log } = context;
  const startedAt = effects.now();
  const selected = selectRun(config, request, startedAt);
  const working = await openWorkingFile({
    publishedPath: config.warehouse.path,
    now: startedAt,
    memoryLimit: memoryLimit(),
    threads: threadCount(),
  });
  for (const notice of working.notices) log.info(`working_file.${notice.event}`, { message: notice.message });
  try {
    return await enterRun({ request, context, working, selected, startedAt });
  } catch (error) {
    await working.database[Symbol.asyncDispose]();
    throw error;
  }
}

interface EnterParts {
  request: SyncRequest;
  context: SyncContext;
  working: WorkingFile;
  selected: Selected;
  startedAt: number;
}

async function enterRun({ request, context, working, selected, startedAt }: EnterParts): Promise<Run> {
  const { config, log, version } = context;
  const connection = await working.database.connect();
  const { today: syncDay, lookbackDays } = selected;
  const { baseUrl } = config.api;
  const run = { runId: newRunId(startedAt), startedAt, syncDay, baseUrl, acceptShrink: request.acceptShrink };
  const selection = selectionOf(request);
  const chain = await unfinishedRuns(connection, selection);
  const lookback = { lookbackDays, configuredLookbackDays: config.sync.lookbackDays };
  await startRun(connection, { ...run, ...lookback, job: request.job, selection, version });
  await writeJournal(connection, { path: config.warehouse.path, log });
  await writeSettings(connection, viewSettings(config, syncDay));
  const archive = new RawArchive({ ...run, dir: config.raw.dir });
  const learned = await readLimits(connection, baseUrl);
  const clients = openClients({
    context,
    maxWaitMs: request.maxWaitMs,
    organizations: await readOrganizations(connection),
    initialQuotas: learned.quotas,
  });
  return {
    request,
    context,
    pulling: pullingOf({ request, context, connection, selected, chain, run, archive, learned, clients }),
    clients,
    archive,
    workingFile: working.path,
    [Symbol.asyncDispose]: async () => {
      await clients[Symbol.asyncDispose]();
      await working.database[Symbol.asyncDispose]();
    },
  };
}
