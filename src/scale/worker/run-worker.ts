import { z } from 'zod';
import { messageOf, type ExitCode } from '../../errors.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import type { Secret } from '../../secret.ts';
import { identifyZone, readZoneId, requireSameZone, waitingZone, type Zone } from '../landing/zone.ts';
import { openJobs, type Jobs, type TakenJob } from '../queue/jobs.ts';
import { type Heartbeat, openPresence, type Presence, reconnecting, tryLock } from '../queue/processes.ts';
import { roundSchema, type Round, type RoundEndJson } from '../queue/round.ts';
import { readQueueSetting, ROUND_QUEUE } from '../queue/schema.ts';
import { serveRound, WrongClockError } from './serve-round.ts';

const POLL_MS = 500;
/** After this time a round hands its other slices back, so that a pause or a new version takes effect soon. */
const MAX_ROUND_MS = 600_000;
/** After a stop, requests under way get this long. */
const SHUTDOWN_MS = 20_000;

export interface WorkerRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat: Heartbeat;
}

interface Serving extends WorkerRequest {
  jobs: Jobs;
  presence: Presence;
}

/**
 * Serves rounds until the signal. While PostgreSQL is away it sends no request; it resumes when PostgreSQL is back.
 * @throws AnswerlakeError configuration, also for a clock that is more than 36 hours off; storage if PostgreSQL or the landing zone cannot be used at the start
 */
export async function runWorker(request: WorkerRequest): Promise<ExitCode> {
  const kept = { ...request.context, kind: 'worker', heartbeat: request.heartbeat } as const;
  return await reconnecting(kept, (begun) => workWhileConnected(request, begun));
}

async function workWhileConnected(request: WorkerRequest, begun: () => void): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log, signal } = context;
  const pause = (ms: number): Promise<void> => effects.sleep(ms, signal).catch(() => undefined);
  await using jobs = await openJobs(url);
  for (let isFirst = true; !(await hasZone(zone, jobs)); isFirst = false) {
    if (isFirst) log.info('worker.waiting', { reason: 'no loader has started yet' });
    await pause(POLL_MS);
    if (signal.aborted) return;
  }
  await using presence = await openPresence({ ...context, kind: 'worker', url, heartbeat });
  presence.lossSignal.addEventListener('abort', () => void jobs.postgres[Symbol.asyncDispose]());
  begun();
  log.info('worker.ready', { worker: presence.id, landing: zone.place });
  const serving: Serving = { ...request, jobs, presence };
  while (!signal.aborted) {
    presence.lossSignal.throwIfAborted();
    // Without its landing zone, it leaves the rounds to workers that have it.
    const isIdle = presence.shown.zoneProblem !== null && !(await checkZone(serving));
    const job = isIdle ? null : await jobs.take(ROUND_QUEUE);
    if (job === null) await pause(isIdle ? heartbeat.reconnectMs : POLL_MS);
    else await serve(job, serving);
  }
}

/** False until a loader has registered the landing zone in the queue. Parts that cannot land, or land elsewhere, would waste the requests. @throws AnswerlakeError configuration, storage */
async function hasZone(zone: Zone, { postgres }: Jobs): Promise<boolean> {
  const own = await readZoneId(zone);
  const queue = await readQueueSetting(postgres, 'zone');
  if (queue === null) return false;
  requireSameZone(zone, own, queue);
  // Writing the id again shows that the zone is writable.
  await identifyZone(zone);
  return true;
}

async function checkZone({ zone, jobs, presence }: Serving): Promise<boolean> {
  await presence.reportZone(await hasZone(zone, jobs).then(() => null, messageOf));
  return presence.shown.zoneProblem === null;
}

/** Serves a round; it is handed back if the landing zone is gone. @throws WrongClockError */
async function serve({ id, data }: TakenJob, serving: Serving): Promise<void> {
  const { context, jobs, presence } = serving;
  const { log } = context;
  await jobs.claim(id, presence.id);
  const parsed = roundSchema.safeParse(data);
  if (!parsed.success)
    return await jobs.fail(ROUND_QUEUE, id, `the round cannot be read: ${z.prettifyError(parsed.error)}`);
  const { run, round, organization, slices } = parsed.data;
  const ids = { run: run.runId, round, organization };
  // Before anything else: a loader that takes over waits for workers that show a round.
  await presence.show({ detail: () => ids });
  try {
    await using lock = await tryLock(presence.session, `organization ${organization}`);
    // Its worker still lands the last answers of an earlier round.
    if (lock === null || !(await checkZone(serving))) return await jobs.release(id);
    log.info('round.started', { ...ids, slices: slices.length });
    const end = await serveInTime(parsed.data, id, serving);
    presence.lossSignal.throwIfAborted();
    await jobs.complete(ROUND_QUEUE, id, end);
    log.info('round.ended', { ...ids, problems: end.problems.length, failed: end.failed.length });
  } catch (error) {
    log.warn('round.failed', { ...ids, error });
    // While PostgreSQL is away, the loader finds that the round has lost its worker.
    if (presence.lossSignal.aborted) return;
    if (presence.shown.zoneProblem === null) await jobs.fail(ROUND_QUEUE, id, error);
    else await jobs.release(id);
    // Other workers may have the right clock; this one would use up tries, and ask for days in the future.
    if (error instanceof WrongClockError) throw error;
  } finally {
    await presence.show({ detail: () => ({}) });
  }
}

/** Ends the round early after `MAX_ROUND_MS`, when a loader cancels it, or after the signal; until then, it waits for a landing zone that is away. */
async function serveInTime(round: Round, job: string, serving: Serving): Promise<RoundEndJson> {
  const { context, zone, heartbeat, jobs, presence } = serving;
  const { effects, signal } = context;
  const [over, stopped, late] = [new AbortController(), new AbortController(), new AbortController()];
  const isActive = async (): Promise<boolean> => {
    await effects.sleep(heartbeat.intervalMs, AbortSignal.any([signal, over.signal]));
    const [found] = await jobs.find(ROUND_QUEUE, [job]).catch(() => []);
    return found === undefined || found.state === 'active';
  };
  const stopInTime = async (): Promise<void> => {
    while (await isActive().catch(() => false)) continue;
    stopped.abort();
    await effects.sleep(SHUTDOWN_MS, over.signal);
    late.abort(signal.reason);
  };
  const stopping = stopInTime().catch(() => undefined);
  const enough = AbortSignal.any([stopped.signal, AbortSignal.timeout(MAX_ROUND_MS)]);
  const lossSignal = AbortSignal.any([presence.lossSignal, late.signal]);
  const wait = { effects, pauseMs: heartbeat.reconnectMs, report: presence.reportZone };
  const patient = waitingZone(zone, { ...wait, signal: AbortSignal.any([lossSignal, enough]) });
  try {
    // The signal of the context would cut off requests under way.
    return await serveRound(round, { context: { ...context, signal: lossSignal }, zone: patient, enough });
  } finally {
    over.abort();
    await stopping;
  }
}
