import { messageOf, type ExitCode } from '../../errors.ts';
import { waitingZone, type Zone, identifyZone, readZoneId, requireSameZone } from '../landing/zone.ts';
import { failOrphans, openJobs, type Jobs } from '../queue/jobs.ts';
import {
  HEARTBEAT,
  removeDead,
  knownProcesses,
  openPresence,
  reconnecting,
  tryLock,
  type Presence,
} from '../queue/processes.ts';
import { readSetting, writeSetting } from '../queue/schema.ts';
import { stopCode } from '../../effects.ts';
import { type LoaderRequest, serveRuns } from './serve-runs.ts';
import { requireSomeWarehouse } from './warehouse-identity.ts';

const POLL_MS = 500;
const SUPERVISE_MS = 1_000;

/**
 * Loads and plans until the signal; waits as standby while another loader is at work.
 * @throws AnswerlakeError configuration; storage or locked if it cannot begin
 */
export async function runLoader(request: LoaderRequest): Promise<ExitCode> {
  const { context, heartbeat } = request;
  await reconnecting({ ...context, kind: 'loader', heartbeat }, (begun) =>
    loadWhileConnected(request, begun),
  );
  return stopCode(context.signal);
}

async function loadWhileConnected(request: LoaderRequest, begun: () => void): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log, version } = context;
  await using jobs = await openJobs(url);
  const known = await readSetting(jobs.postgres, 'zone');
  if (known !== null) requireSameZone(zone, { own: await readZoneId(zone), queue: known });
  await requireSomeWarehouse(context.config.warehouse.path, jobs.postgres);
  await using presence = await openPresence({ url, kind: 'standby', version, effects, heartbeat });
  presence.lost.addEventListener('abort', () => jobs.postgres.abandon());
  const signal = AbortSignal.any([context.signal, presence.lost]);
  const isHeld = async (): Promise<boolean> => await tryLock(presence.session, 'loader');
  for (let isFirst = true; !(await isHeld()); isFirst = false) {
    begun();
    if (isFirst) log.info('loader.standby', { loader: presence.id });
    // A loader that hangs keeps its lock until its session is ended.
    await removeDeadProcesses(jobs, request);
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
    if (context.signal.aborted) return;
    presence.lost.throwIfAborted();
  }
  await presence.become('loader');
  // Only the holder of the lock names the zone: two loaders that start together would give it two ids.
  const own = await identifyZone(zone);
  requireSameZone(zone, { own, queue: await readSetting(jobs.postgres, 'zone') });
  await writeSetting(jobs.postgres, 'zone', own);
  log.info('loader.ready', { loader: presence.id, landing: zone.place });
  const over = new AbortController();
  const supervising = supervise(jobs, { request, signal: AbortSignal.any([signal, over.signal]) });
  try {
    const own = { ...context, signal, lost: presence.lost };
    await serveRuns(
      { ...request, zone: patientZone(request, { presence, signal }), context: own },
      { jobs, presence, begun },
    );
  } finally {
    over.abort();
    await supervising;
  }
  presence.lost.throwIfAborted();
}

/** Waits for a landing zone that is away, as for PostgreSQL. */
function patientZone(
  { context: { effects, log }, zone, heartbeat = HEARTBEAT }: LoaderRequest,
  { presence, signal }: { presence: Presence; signal: AbortSignal },
): Zone {
  return waitingZone(zone, {
    effects,
    pauseMs: heartbeat.reconnectMs,
    signal,
    report: async (problem) => {
      if (problem !== null && presence.zoneProblem === null)
        log.warn('loader.without_zone', { landing: zone.place, reason: problem });
      await presence.reportZone(problem);
    },
  });
}

/** Returns the rounds of processes that have stopped. */
async function supervise(
  jobs: Jobs,
  { request, signal }: { request: LoaderRequest; signal: AbortSignal },
): Promise<void> {
  const { effects, log } = request.context;
  while (!signal.aborted) {
    try {
      await removeDeadProcesses(jobs, request);
      const alive = (await knownProcesses(jobs.postgres, request.heartbeat)).map(({ process_id: id }) => id);
      for (const job of await failOrphans(jobs, new Set(alive))) log.warn('round.orphaned', { job });
    } catch (error) {
      log.warn('supervision.failed', { reason: messageOf(error) });
    }
    await effects.sleep(SUPERVISE_MS, signal).catch(() => undefined);
  }
}

async function removeDeadProcesses(
  { postgres }: Jobs,
  { context: { log }, heartbeat }: LoaderRequest,
): Promise<void> {
  for (const { id, problem } of await removeDead(postgres, heartbeat)) {
    log.warn('process.dead', { process: id, problem });
  }
}
