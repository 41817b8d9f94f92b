import { messageOf, type ExitCode } from '../../errors.ts';
import { identifyZone, readZoneId, requireSameZone, waitingZone } from '../landing/zone.ts';
import { openJobs, type Jobs } from '../queue/jobs.ts';
import { openPresence, orphanedRounds, reconnecting, removeDead, tryLock } from '../queue/processes.ts';
import { readQueueSetting, ROUND_QUEUE, writeSetting } from '../queue/schema.ts';
import { type LoaderRequest, requireSomeWarehouse, serveRuns } from './serve-runs.ts';

const POLL_MS = 500;
const SUPERVISE_MS = 1_000;

/** Loads and plans until the signal; waits as standby while another loader is at work. @throws AnswerlakeError configuration; storage or locked if it cannot begin */
export async function runLoader(request: LoaderRequest): Promise<ExitCode> {
  const kept = { ...request.context, kind: 'loader', heartbeat: request.heartbeat } as const;
  return await reconnecting(kept, (begun) => loadWhileConnected(request, begun));
}

async function loadWhileConnected(request: LoaderRequest, begun: () => void): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log } = context;
  await using jobs = await openJobs(url);
  const requireOwnZone = async (own: string | null): Promise<void> =>
    requireSameZone(zone, own, await readQueueSetting(jobs.postgres, 'zone'));
  await requireOwnZone(await readZoneId(zone));
  await requireSomeWarehouse(context.config.warehouse.path, jobs.postgres);
  await using presence = await openPresence({ ...context, kind: 'standby', url, heartbeat });
  const { lossSignal } = presence;
  lossSignal.addEventListener('abort', () => void jobs.postgres[Symbol.asyncDispose]());
  const signal = AbortSignal.any([context.signal, lossSignal]);
  // Its session holds it until it ends.
  const hasLock = async (): Promise<boolean> => (await tryLock(presence.session, 'loader')) !== null;
  for (let isFirst = true; !(await hasLock()); isFirst = false) {
    begun();
    if (isFirst) log.info('loader.standby', { loader: presence.id });
    // A loader that hangs keeps its lock until its session is ended.
    await removeDead(jobs.postgres, heartbeat.deadMs, log);
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    if (context.signal.aborted) return;
    lossSignal.throwIfAborted();
  }
  await presence.show({ kind: 'loader' });
  // Only the holder of the lock names the zone: two loaders that start together would give it two ids.
  const own = await identifyZone(zone);
  await requireOwnZone(own);
  await writeSetting(jobs.postgres, 'zone', own);
  log.info('loader.ready', { loader: presence.id, landing: zone.place });
  const over = new AbortController();
  const supervising = supervise(jobs, request, AbortSignal.any([signal, over.signal]));
  const { reportZone: report } = presence;
  const patient = waitingZone(zone, { effects, pauseMs: heartbeat.reconnectMs, signal, report });
  try {
    const own = { ...context, signal, lossSignal };
    await serveRuns({ ...request, zone: patient, context: own, jobs, presence, begun });
  } finally {
    over.abort();
    await supervising;
  }
  lossSignal.throwIfAborted();
}

/** Returns the rounds of processes that have stopped. */
async function supervise(jobs: Jobs, request: LoaderRequest, signal: AbortSignal): Promise<void> {
  const { context, heartbeat } = request;
  const { effects, log } = context;
  while (!signal.aborted) {
    try {
      await removeDead(jobs.postgres, heartbeat.deadMs, log);
      for (const job of await orphanedRounds(jobs.postgres, heartbeat.deadMs)) {
        await jobs.fail(ROUND_QUEUE, job, 'the worker is gone');
        log.warn('round.orphaned', { job });
      }
    } catch (error) {
      log.warn('supervision.failed', { reason: messageOf(error) });
    }
    await effects.sleep(SUPERVISE_MS, signal).catch(() => undefined);
  }
}
