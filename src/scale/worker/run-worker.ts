import { z } from 'zod';
import { messageOf, type ExitCode } from '../../errors.ts';
import { identifyZone, readZoneId, requireSameZone, waitingZone, type Zone } from '../landing/zone.ts';
import { openJobs, type Jobs, type TakenJob } from '../queue/jobs.ts';
import {
  HEARTBEAT,
  type Heartbeat,
  openPresence,
  reconnecting,
  tryLock,
  unlock,
  type Presence,
} from '../queue/processes.ts';
import { roundSchema, type Round, type RoundEndJson } from '../queue/round.ts';
import { readSetting, ROUND_QUEUE } from '../queue/schema.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import type { Secret } from '../../secret.ts';
import { stopCode } from '../../effects.ts';
import { WrongClockError } from './landing-sink.ts';
import { serveRound } from './serve-round.ts';

const POLL_MS = 500;
/** After this time a round hands its other slices back, so that a pause or a new version takes effect soon. */
const MAX_ROUND_MS = 600_000;
/** After a stop, requests under way get this long. */
const SHUTDOWN_MS = 20_000;

export interface WorkerRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat?: Heartbeat | undefined;
}

/**
 * Serves rounds until the signal. While PostgreSQL is away it asks nothing; it goes on when PostgreSQL is back.
 * @throws AnswerlakeError configuration, also for a clock that is more than 36 hours off; storage if PostgreSQL or the landing zone cannot be used at the start
 */
export async function runWorker(request: WorkerRequest): Promise<ExitCode> {
  const { context, heartbeat } = request;
  await reconnecting({ ...context, kind: 'worker', heartbeat }, (begun) =>
    workWhileConnected(request, begun),
  );
  return stopCode(context.signal);
}

async function workWhileConnected(request: WorkerRequest, begun: () => void): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log, signal, version } = context;
  await using jobs = await openJobs(url);
  await joinZone(request, jobs);
  await using presence = await openPresence({ url, kind: 'worker', version, effects, heartbeat });
  presence.lost.addEventListener('abort', () => jobs.postgres.abandon());
  begun();
  log.info('worker.ready', { worker: presence.id, landing: zone.place });
  while (!signal.aborted) {
    presence.lost.throwIfAborted();
    const job = await jobs.take(ROUND_QUEUE);
    if (job === null) await effects.sleep(POLL_MS, signal).catch(() => undefined);
    else await serve(job, { request, jobs, presence });
    if (presence.zoneProblem !== null) await awaitZone({ request, jobs, presence });
  }
}

/** Waits until a loader has registered the landing zone in the queue, or the signal. @throws AnswerlakeError configuration, storage */
async function joinZone(request: WorkerRequest, jobs: Jobs): Promise<void> {
  const { effects, log, signal } = request.context;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    // A zone that cannot be read ends the worker at once.
    await readZoneId(request.zone);
    if ((await readSetting(jobs.postgres, 'zone')) !== null) return await requireZone(request, jobs);
    if (isFirst) log.info('worker.waiting', { reason: 'no loader has started yet' });
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
  }
}

/** Parts that cannot land, or land elsewhere, would waste the requests. @throws AnswerlakeError configuration, storage */
async function requireZone({ zone }: WorkerRequest, jobs: Jobs): Promise<void> {
  requireSameZone(zone, { own: await readZoneId(zone), queue: await readSetting(jobs.postgres, 'zone') });
  // Writing the id again shows that the zone is writable.
  await identifyZone(zone);
}

/** Whether the landing zone can be used; reports why not. */
async function checkZone({ request, jobs, presence }: ServeContext): Promise<boolean> {
  await presence.reportZone(await requireZone(request, jobs).then(() => null, messageOf));
  return presence.zoneProblem === null;
}

/** Leaves the rounds to workers that have the landing zone, until it is back or after the signal. */
async function awaitZone({ request, jobs, presence }: ServeContext): Promise<void> {
  const { context, zone, heartbeat = HEARTBEAT } = request;
  const { effects, log, signal } = context;
  log.warn('worker.without_zone', { landing: zone.place, reason: presence.zoneProblem });
  do {
    await effects.sleep(heartbeat.reconnectMs, signal).catch(() => undefined);
    presence.lost.throwIfAborted();
  } while (!signal.aborted && !(await checkZone({ request, jobs, presence })));
}

interface ServeContext {
  request: WorkerRequest;
  jobs: Jobs;
  presence: Presence;
}

/** Serves a round; it is handed back if the landing zone is gone. @throws WrongClockError */
async function serve(job: TakenJob, { request, jobs, presence }: ServeContext): Promise<void> {
  const { log } = request.context;
  await jobs.claim(job.id, presence.id);
  const parsed = roundSchema.safeParse(job.data);
  if (!parsed.success) {
    await jobs.fail(ROUND_QUEUE, job.id, `the round cannot be read: ${z.prettifyError(parsed.error)}`);
    return;
  }
  const round = parsed.data;
  const { organization } = round;
  const ids = { run: round.run.runId, round: round.round, organization };
  if (!(await tryLock(presence.session, `organization ${organization}`))) {
    // Its worker still lands the last answers of an earlier round.
    return await jobs.release(job.id);
  }
  try {
    if (!(await checkZone({ request, jobs, presence }))) return await jobs.release(job.id);
    presence.show(() => ({ organization, run: round.run.runId, round: round.round }));
    log.info('round.started', { ...ids, slices: round.slices.length });
    const end = await serveInTime(round, { request, jobs, presence, job: job.id });
    presence.lost.throwIfAborted();
    await jobs.complete(ROUND_QUEUE, job.id, end);
    log.info('round.ended', { ...ids, problems: end.problems.length, failed: end.failed.length });
  } catch (error) {
    log.warn('round.failed', { ...ids, error });
    // While PostgreSQL is away, the loader finds that the round has lost its worker.
    if (presence.lost.aborted) return;
    if (presence.zoneProblem === null) await jobs.fail(ROUND_QUEUE, job.id, error);
    else await jobs.release(job.id);
    // Other workers may have the right clock; this one would use up tries, and ask for days in the future.
    if (error instanceof WrongClockError) throw error;
  } finally {
    presence.show(() => ({}));
    if (!presence.lost.aborted) await unlock(presence.session, `organization ${organization}`);
  }
}

/** Ends the round early after `MAX_ROUND_MS`, when a loader cancels it, or after the signal; until then, it waits for a landing zone that is away. */
async function serveInTime(
  round: Round,
  { request, jobs, presence, job }: ServeContext & { job: string },
): Promise<RoundEndJson> {
  const { context, heartbeat = HEARTBEAT } = request;
  const { effects, signal } = context;
  const over = new AbortController();
  const late = new AbortController();
  const enough = AbortSignal.any([signal, over.signal, AbortSignal.timeout(MAX_ROUND_MS)]);
  const watch = async (): Promise<void> => {
    for (let state = 'active'; state === 'active';) {
      await effects.sleep(heartbeat.intervalMs, late.signal);
      state = (await jobs.find(ROUND_QUEUE, job).catch(() => null))?.state ?? 'active';
    }
    over.abort();
  };
  const watching = watch().catch(() => undefined);
  const hard = new AbortController();
  const stopLater = (): void => {
    void effects.sleep(SHUTDOWN_MS, late.signal).then(
      () => hard.abort(signal.reason),
      () => undefined,
    );
  };
  signal.addEventListener('abort', stopLater, { once: true });
  const lost = AbortSignal.any([presence.lost, hard.signal]);
  const zone = waitingZone(request.zone, {
    effects,
    pauseMs: heartbeat.reconnectMs,
    signal: AbortSignal.any([lost, enough]),
    report: presence.reportZone,
  });
  try {
    // The signal of the context would cut off requests under way.
    return await serveRound(round, { context: { ...context, signal: lost }, zone, lost, enough });
  } finally {
    signal.removeEventListener('abort', stopLater);
    late.abort();
    await watching;
  }
}
