import { z } from 'zod';
import { AnswerlakeError, messageOf, type ExitCode } from '../../errors.ts';
import { identifyZone, readZoneId, requireSameZone } from '../landing/zone-identity.ts';
import type { Zone } from '../landing/zone.ts';
import { openJobs, type Jobs, type TakenJob } from '../queue/jobs.ts';
import {
  HEARTBEAT,
  type Heartbeat,
  knownProcesses,
  openPresence,
  tryLock,
  unlock,
  type Presence,
} from '../queue/processes.ts';
import { roundSchema, type Round, type RoundEndJson } from '../queue/round.ts';
import { readSetting, ROUNDS } from '../queue/schema.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import type { Secret } from '../../secret.ts';
import { stopCode } from '../../effects.ts';
import { WrongClockError } from './round-clock.ts';
import { serveReach, serveSlices } from './serve-round.ts';

const POLL_MS = 500;
/** A round hands back the rest after this time, so that a stop, a pause or a new version takes effect soon. */
const LONGEST_ROUND_MS = 600_000;
/** What is under way at a stop may take so long. */
const GOODBYE_MS = 20_000;

export interface WorkerRequest {
  context: SyncContext;
  url: Secret;
  zone: Zone;
  heartbeat?: Heartbeat | undefined;
}

/**
 * Takes rounds until the signal. When PostgreSQL is away it stops asking and comes back when PostgreSQL does.
 * @throws AnswerlakeError configuration, also for a clock that is more than 36 hours off; storage when PostgreSQL or the landing zone cannot be used at the start
 */
export async function runWorker(request: WorkerRequest): Promise<ExitCode> {
  const { context, heartbeat: { awayMs } = HEARTBEAT } = request;
  const { effects, log, signal } = context;
  while (!signal.aborted) {
    try {
      await workWhileConnected(request);
    } catch (error) {
      const isAway = error instanceof AnswerlakeError && error.class === 'storage';
      if (!isAway || !hasWorked.has(request)) throw error;
      log.warn('worker.disconnected', { reason: messageOf(error), again_in_ms: awayMs });
      await effects.sleep(awayMs, signal).catch(() => undefined);
    }
  }
  return stopCode(signal);
}

/** Workers that were connected once: for them an away PostgreSQL is no reason to end. */
const hasWorked = new WeakSet<WorkerRequest>();

async function workWhileConnected(request: WorkerRequest): Promise<void> {
  const { context, url, zone, heartbeat } = request;
  const { effects, log, signal, version } = context;
  await using jobs = await openJobs(url);
  if (!(await joinZone(request, jobs))) return;
  await using presence = await openPresence({ url, kind: 'worker', version, effects, heartbeat });
  presence.lost.addEventListener('abort', () => jobs.postgres.abandon());
  hasWorked.add(request);
  log.info('worker.ready', { worker: presence.id, landing: zone.place });
  while (!signal.aborted) {
    presence.lost.throwIfAborted();
    const isPaused = (await readSetting(jobs.postgres, 'paused')) === 'true';
    const job = isPaused ? null : await jobs.take(ROUNDS);
    if (job === null) await effects.sleep(POLL_MS, signal).catch(() => undefined);
    else if (!(await serve(job, { request, jobs, presence }))) {
      await leaveToOthers({ request, jobs, presence });
    }
  }
}

/** Waits until a loader has made a zone the queue's; false after the signal. @throws AnswerlakeError configuration, storage */
async function joinZone({ context, zone }: WorkerRequest, jobs: Jobs): Promise<boolean> {
  const { effects, log, signal } = context;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const own = await readZoneId(zone);
    const queue = await readSetting(jobs.postgres, 'zone');
    if (queue !== null) {
      requireSameZone(zone, { own: own ?? (await readZoneId(zone)), queue });
      // Written again, which shows that the zone can be written.
      await identifyZone(zone);
      return true;
    }
    if (isFirst) log.info('worker.waiting', { reason: 'no loader has been there yet' });
    await effects.sleep(POLL_MS, signal).catch(() => undefined);
  }
  return false;
}

/** A missing disk would waste the requests of a round: parts that land elsewhere are never loaded. @throws AnswerlakeError configuration, storage */
async function requireZone({ zone }: WorkerRequest, jobs: Jobs): Promise<void> {
  requireSameZone(zone, { own: await readZoneId(zone), queue: await readSetting(jobs.postgres, 'zone') });
}

/** In the heartbeat of a worker whose landing zone is gone. */
const WITHOUT_ZONE = 'without_zone';

/**
 * Leaves the rounds to workers that have the landing zone: each one taken without it is a try less for them.
 * Returns when it is there again, or when no other worker can work: then a round fails again, and its message says why. Returns after the signal, too.
 */
async function leaveToOthers({ request, jobs, presence }: ServeContext): Promise<void> {
  const { context, zone, heartbeat = HEARTBEAT } = request;
  const { effects, log, signal } = context;
  log.warn('worker.without_zone', { landing: zone.place });
  presence.show(() => ({ [WITHOUT_ZONE]: true }));
  while (!signal.aborted) {
    await effects.sleep(heartbeat.awayMs, signal).catch(() => undefined);
    presence.lost.throwIfAborted();
    const isBack = await requireZone(request, jobs).then(
      () => true,
      () => false,
    );
    if (isBack) presence.show(() => ({}));
    if (isBack || !(await hasOthers(jobs, presence, heartbeat))) return;
  }
}

async function hasOthers(jobs: Jobs, { id }: Presence, heartbeat: Heartbeat): Promise<boolean> {
  const known = await knownProcesses(jobs.postgres, heartbeat);
  return known.some(
    ({ kind, is_alive: isAlive, process_id: other, detail }) =>
      kind === 'worker' && isAlive && other !== id && detail[WITHOUT_ZONE] !== true,
  );
}

interface ServeContext {
  request: WorkerRequest;
  jobs: Jobs;
  presence: Presence;
}

/** False: the round failed because the landing zone is gone. @throws WrongClockError */
async function serve(job: TakenJob, { request, jobs, presence }: ServeContext): Promise<boolean> {
  const { log } = request.context;
  await jobs.claim(job.id, presence.id);
  const parsed = roundSchema.safeParse(job.data);
  if (!parsed.success) {
    await jobs.fail(ROUNDS, job.id, `the round cannot be read: ${z.prettifyError(parsed.error)}`);
    return true;
  }
  const round = parsed.data;
  const { organization } = round;
  const ids = { run: round.run.runId, round: round.round, organization };
  if (!(await tryLock(presence.session, `organization ${organization}`))) {
    await jobs.fail(ROUNDS, job.id, 'another worker still serves the organization');
    return true;
  }
  let hasZone = false;
  try {
    await requireZone(request, jobs);
    hasZone = true;
    presence.show(() => ({ organization, run: round.run.runId, round: round.round }));
    log.info('round.started', { ...ids, slices: round.kind === 'slices' ? round.slices.length : null });
    const end = await serveRound(round, request, presence);
    presence.lost.throwIfAborted();
    await jobs.complete(ROUNDS, job.id, end);
    log.info('round.ended', { ...ids, problems: end.problems.length, failed: end.failed.length });
  } catch (error) {
    log.warn('round.failed', { ...ids, error });
    // Where PostgreSQL is away this fails too: the loader finds the round without its worker.
    if (!presence.lost.aborted) await jobs.fail(ROUNDS, job.id, error);
    // Others may have the right clock: this host would take their tries, and ask for days that have not come.
    if (error instanceof WrongClockError) throw error;
  } finally {
    presence.show(() => ({}));
    if (!presence.lost.aborted) await unlock(presence.session, `organization ${organization}`);
  }
  return hasZone;
}

async function serveRound(round: Round, request: WorkerRequest, presence: Presence): Promise<RoundEndJson> {
  const { context, zone } = request;
  const { effects, signal } = context;
  const over = new AbortController();
  const late = new AbortController();
  const enough = AbortSignal.any([signal, over.signal]);
  const timer = effects.sleep(LONGEST_ROUND_MS, late.signal).then(
    () => over.abort(),
    () => undefined,
  );
  const hard = new AbortController();
  const goodbye = (): void => {
    void effects.sleep(GOODBYE_MS, late.signal).then(
      () => hard.abort(signal.reason),
      () => undefined,
    );
  };
  signal.addEventListener('abort', goodbye, { once: true });
  const lost = AbortSignal.any([presence.lost, hard.signal]);
  try {
    // Its own signal would cut off what is under way.
    const parts = { context: { ...context, signal: lost }, zone, lost, enough };
    return round.kind === 'reach' ? await serveReach(round, parts) : await serveSlices(round, parts);
  } finally {
    signal.removeEventListener('abort', goodbye);
    late.abort();
    await timer;
  }
}
