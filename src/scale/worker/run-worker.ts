import { hostname } from 'node:os';
import { z } from 'zod';
import { Prober } from '../../check/prober.ts';
import type { Config } from '../../config/config.ts';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, messageOf, usageError, type ExitCode } from '../../errors.ts';
import { openClients } from '../../extract/clients.ts';
import { seenQuotas } from '../../extract/quota.ts';
import type { Account } from '../../extract/reach-projects.ts';
import type { LoadRun } from '../../load/load-run.ts';
import type { SliceJob } from '../../plan/owed.ts';
import { correctionMs, LARGEST_SKEW_MS, skewText } from '../../plan/selection.ts';
import { SliceAsker } from '../../run/ask.ts';
import { Backlog, type BacklogWriter } from '../../run/backlog.ts';
import { Progress } from '../../run/progress.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import type { Secret } from '../../secret.ts';
import { flatSlice, type ArchivedAnswer } from '../../slice.ts';
import * as part from '../landing/part.ts';
import { identifyZone, readZoneId, requireSameZone, waitingZone, type Zone } from '../landing/zone.ts';
import { openJobs, type Jobs, type TakenJob } from '../queue/jobs.ts';
import { type Heartbeat, openPresence, type Presence, reconnecting, tryLock } from '../queue/processes.ts';
import { problemOf, roundSchema, type Round, type RoundEndJson } from '../queue/round.ts';
import { readQueueSetting, ROUND_QUEUE } from '../queue/schema.ts';

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
  return await reconnecting('worker', request, (begun) => workWhileConnected(request, begun));
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
  await using presence = await openPresence('worker', request);
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

interface ServeParts {
  /** Its signal stops all requests and all landing at once. */
  context: SyncContext;
  zone: Zone;
  /** Requests under way are finished and landed; the other slices go back to the loader. */
  enough: AbortSignal;
}

/**
 * Requests the slices of a round that earlier workers have not landed, lands the answers and returns how it ended.
 * @throws AnswerlakeError (configuration, storage); WrongClockError
 */
export async function serveRound(round: Round, parts: ServeParts): Promise<RoundEndJson> {
  const { zone, enough } = parts;
  const accounts = accountsOf(round, parts.context.config);
  const config = { ...parts.context.config, accounts: accounts.map((account) => account.config) };
  const context = { ...parts.context, config };
  const { effects, log, version, signal: lossSignal } = context;
  const { run, organization } = round;
  await using clients = openClients({
    context,
    maxWaitMs: round.maxWaitMs,
    // The loader waits for the reset, and the worker serves other organizations in the meantime.
    isWorker: true,
    organizations: new Map(config.accounts.map(({ name }) => [name, organization])),
    initialQuotas: new Map(round.quotas),
  });
  const landed = await landedSlices(zone, round);
  const jobs = jobsOf(round, accounts, config).filter(
    ({ planned }) => !landed.has(part.sliceName(planned.slice)),
  );
  const aheadOf = (account: string): number | null => clients.of(account).serverAheadMs;
  const { totals } = clients;
  const writer = landingWriter({ ...round, zone, version, effects, aheadOf, totals, lossSignal });
  const broken = new AbortController();
  const onBroken = (error: unknown): void => broken.abort(error);
  const signal = AbortSignal.any([lossSignal, broken.signal]);
  const prober = new Prober({ ...context, signal, clients, accounts });
  const projects = new Set(jobs.map(({ planned }) => planned.slice.projectId)).size;
  const sink = new Backlog({ writer, prober, signal, projects, probed: round.probed, onBroken });
  const progress = new Progress(undefined);
  const asker = new SliceAsker({ ...context, signal, run, clients, progress, sink, enough });
  const problems = await asker.ask(jobs);
  const probes = await sink.drain();
  lossSignal.throwIfAborted();
  const warnings: string[] = [];
  const aheadMs = writer.serverAheadMs() ?? 0;
  if (correctionMs(aheadMs) !== 0) {
    const reason = `worker on ${hostname()}: ${skewText(aheadMs)}: its answers are entered by the server's clock; set that machine's clock`;
    log.warn('clock.skewed', { run: run.runId, reason });
    warnings.push(reason);
  }
  return {
    problems: problems.map(({ error, account }) => problemOf(error, account)),
    failed: writer.failed,
    probes,
    ...writer.uncounted(),
    warnings,
    quotas: seenQuotas(clients.quotas),
    at: effects.now(),
  };
}

/** @throws AnswerlakeError (configuration) when the configuration of this worker lacks an account of the round */
function accountsOf({ accounts }: Round, config: Config): Account[] {
  return accounts.map(({ name, ...known }) => {
    const own = config.accounts.find((account) => account.name === name);
    if (own !== undefined) return { ...known, config: own };
    throw usageError([
      `${config.path}: there is no account ${name}, although the loader has it:`,
      'give workers and loader the same configuration',
    ]);
  });
}

function jobsOf({ slices }: Round, accounts: readonly Account[], { catalogue }: Config): SliceJob[] {
  return slices.flatMap(({ account: name, ...planned }) => {
    const { endpoint } = planned.slice;
    if (!catalogue.has(endpoint))
      throw usageError([
        `endpoints/${endpoint}.yaml is missing here, although the loader has it:`,
        'give workers and loader the same folders',
      ]);
    const account = accounts.filter(({ config }) => config.name === name);
    return account.map((own) => ({
      planned: { endpoint: catalogue.named(endpoint), ...planned },
      account: own,
    }));
  });
}

/** The slices that earlier workers of the round have landed; a damaged part is ignored. */
async function landedSlices(zone: Zone, { run, round }: Round): Promise<Set<string>> {
  const landed = new Set<string>();
  for (const name of await part.listParts(zone, `${part.runFolder(run)}${round}-`)) {
    const found = await part.readManifest(zone, name).catch((error: unknown) => {
      if (!(error instanceof part.DamagedPartError)) throw error;
    });
    for (const slice of found?.manifest.slices ?? []) landed.add(slice);
  }
  return landed;
}

interface LandingWriterRequest {
  zone: Zone;
  run: LoadRun;
  round: string;
  version: string;
  effects: Effects;
  /** How far the server's clock is ahead, by the last answer to an account; null if no answer had a time. */
  aheadOf: (account: string) => number | null;
  totals: () => { requests: number; retries: number };
  /** Once aborted, nothing may be landed. */
  lossSignal: AbortSignal;
}

/** The clock of this host is too far off to ask or land anything. */
export class WrongClockError extends AnswerlakeError {
  constructor(serverAheadMs: number) {
    const message = [`${skewText(serverAheadMs)}:`, `set this machine's clock, then start the worker again`];
    super(message, { class: 'configuration' });
  }
}

/** Lands answers in parts, with times by the server's clock, because those of two hosts must be in order; keeps failed slices for the end of the round. */
export function landingWriter(request: LandingWriterRequest) {
  const { zone, run, round, version, effects, aheadOf, totals, lossSignal } = request;
  const failed: RoundEndJson['failed'] = [];
  /** By the first answer that has a time. */
  let serverAheadMs: number | null = null;
  let counted = { requests: 0, retries: 0 };
  /** Requests since the last call. */
  const uncounted = (): { requests: number; retries: number } => {
    const before = counted;
    counted = totals();
    return { requests: counted.requests - before.requests, retries: counted.retries - before.retries };
  };
  const writer: BacklogWriter<ArchivedAnswer | null> = {
    /** @throws WrongClockError */
    prepare: (outcome) => {
      if (outcome.kind === 'failed') {
        const { kind: _kind, error, slice, ...facts } = outcome;
        const at = outcome.at + correctionMs(serverAheadMs);
        failed.push({ ...problemOf(error), ...facts, slice: flatSlice(slice), at });
        return null;
      }
      const { answer } = outcome;
      serverAheadMs ??= aheadOf(answer.account);
      if (Math.abs(serverAheadMs ?? 0) > LARGEST_SKEW_MS) throw new WrongClockError(serverAheadMs ?? 0);
      const laterMs = correctionMs(serverAheadMs);
      const pages = answer.pages.map((page) => ({ ...page, fetchedAt: page.fetchedAt + laterMs }));
      return { ...answer, pages };
    },
    write: async (prepared) => {
      const answers = prepared.filter((answer) => answer !== null);
      if (answers.length === 0) return;
      // A successor may be at work, and its answers must be the newest.
      lossSignal.throwIfAborted();
      const facts = { version, round, ...uncounted(), landed_at: new Date(effects.now()).toISOString() };
      await part.landPart(zone, { run, facts, answers });
    },
  };
  return { ...writer, failed, uncounted, serverAheadMs: (): number | null => serverAheadMs };
}
