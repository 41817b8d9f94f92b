import { openClients, seenQuotas } from '../../extract/clients.ts';
import type { Account } from '../../extract/validate-account.ts';
import type { Config } from '../../config/config.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { listParts, readManifest, runFolder, sliceName } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { problemOf, type RoundEndJson, type SlicesRound, type ReachRound } from '../queue/round.ts';
import { SliceAsker, type SliceJob } from '../../run/ask.ts';
import { Progress } from '../../run/progress.ts';
import { type SyncContext, syncRequest } from '../../run/sync-request.ts';
import { LandingSink } from './landing-sink.ts';
import { RoundClock } from './round-clock.ts';
import { reachProjects } from '../../extract/reach-projects.ts';
import type { Day } from '../../day.ts';
import { selectRun } from '../../run/selection.ts';
import { serverDay } from '../../run/server-day.ts';

export interface ServeParts {
  context: SyncContext;
  zone: Zone;
  /** Stops asking and landing at once. */
  lost: AbortSignal;
  /** What is under way is finished and landed; the rest goes back. */
  enough: AbortSignal;
}

/** Asks for the slices of a round that its earlier workers did not land, and lands the answers. @throws AnswerlakeError (storage); WrongClockError */
export async function serveSlices(round: SlicesRound, parts: ServeParts): Promise<RoundEndJson> {
  const { context, zone, lost, enough } = parts;
  const { effects, log } = context;
  const accounts = accountsOf(round, context.config);
  const config = { ...context.config, accounts: accounts.map((account) => account.config) };
  const landed = await landedSlices(zone, round);
  const jobs = jobsOf(round, accounts).filter(({ planned }) => !landed.has(sliceName(planned.slice)));
  const broken = new AbortController();
  const signal = AbortSignal.any([lost, broken.signal]);
  // The loader waits for the reset, and the worker serves others in the meantime.
  await using clients = openClients({
    context: { ...context, config },
    maxWaitMs: round.maxWaitMs,
    isWorker: true,
    organizations: new Map(
      accounts.flatMap(({ config: { name }, organizationId }) =>
        organizationId === null ? [] : [[name, organizationId] as const],
      ),
    ),
    initialQuotas: new Map(round.quotas),
  });
  const clock = new RoundClock((account) => clients.of(account).serverAheadMs);
  const sink = new LandingSink({
    ...round,
    zone,
    version: context.version,
    effects,
    clock,
    totals: clients.totals,
    lost,
    onBroken: (error) => broken.abort(error),
  });
  const progress = new Progress(undefined);
  const options = { config, effects, log, signal, run: round.run, clients, progress, sink, enough };
  const problems = await new SliceAsker(options).ask(jobs);
  lost.throwIfAborted();
  const rest = await sink.finish();
  const skewed = clock.warnings();
  for (const reason of skewed) log.warn('clock.skewed', { run: round.run.runId, reason });
  return {
    problems: problems.map(({ error, account = null, projectId = null }) =>
      problemOf(knownError(error), { account, projectId }),
    ),
    failed: sink.failed,
    ...rest,
    warnings: [...clients.warnings(), ...skewed],
    quotas: seenQuotas(clients.quotas),
    at: effects.now(),
    reached: null,
  };
}

function knownError(error: unknown): AnswerlakeError {
  return error instanceof AnswerlakeError ? error : new AnswerlakeError(messageOf(error), { class: 'bug' });
}

/** @throws AnswerlakeError (configuration) when this worker's file lacks an account of the round */
function accountsOf({ accounts }: SlicesRound, config: Config): Account[] {
  return accounts.map(({ name, ...known }) => {
    const own = config.accounts.find((account) => account.name === name);
    if (own !== undefined) return { ...known, config: own };
    throw new AnswerlakeError(
      `${config.path}: there is no account ${name}, which the loader has: give workers and loader the same configuration`,
      { class: 'configuration' },
    );
  });
}

function jobsOf({ slices }: SlicesRound, accounts: readonly Account[]): SliceJob[] {
  return slices.flatMap(({ slice, asked, limit, askedWith, wanted, account: name, projectHeader }) => {
    const account = accounts.find(({ config }) => config.name === name);
    if (account === undefined) return [];
    return [
      {
        planned: { slice, asked, limit, askedWith, wanted },
        account,
        projectHeader: projectHeader ?? undefined,
      },
    ];
  });
}

/** The slices that earlier workers of the round have landed; a damaged part is ignored. */
async function landedSlices(zone: Zone, { run, round }: SlicesRound): Promise<Set<string>> {
  const landed = new Set<string>();
  for (const name of await listParts(zone, `${runFolder(run)}${round}-`)) {
    const found = await readManifest(zone, name);
    if (found.kind === 'sound') for (const slice of found.manifest.slices) landed.add(slice);
  }
  return landed;
}

/** Validates the keys of the round, lands the answers and says which projects are reached. @throws AnswerlakeError (configuration, storage); WrongClockError */
export async function serveReach(
  round: ReachRound,
  { context, zone, lost, enough }: ServeParts,
): Promise<RoundEndJson> {
  const { effects, log } = context;
  const accounts = context.config.accounts.filter(({ name }) => round.accounts?.includes(name) ?? true);
  const config = { ...context.config, accounts };
  await using clients = openClients({
    context: { ...context, config },
    maxWaitMs: round.maxWaitMs,
    isWorker: true,
    organizations: new Map(),
    initialQuotas: new Map(round.quotas),
  });
  // An interrupted validation is not landed: the next worker repeats it.
  const signal = AbortSignal.any([lost, enough]);
  const reached = await reachProjects({ config, clients, wanted: round.projects, signal });
  signal.throwIfAborted();
  const clock = new RoundClock(() => reached.serverAheadMs);
  clock.heard('');
  const skewed = clock.warnings();
  for (const reason of skewed) log.warn('clock.skewed', { run: round.run.runId, reason });
  const { day } = serverDay(effects.now(), reached.serverAheadMs);
  const syncDay = syncDayOf(round, config, day);
  // Another worker would say the same, so this is how the round ends, not a reason to try it again.
  if (syncDay instanceof AnswerlakeError) {
    return {
      ...clients.totals(),
      problems: [problemOf(syncDay, {})],
      failed: [],
      warnings: [...clients.warnings(), ...skewed],
      quotas: seenQuotas(clients.quotas),
      at: effects.now(),
      reached: null,
    };
  }
  const run = { ...round.run, syncDay };
  const { organization, round: name } = round;
  const sink = new LandingSink({
    zone,
    run,
    version: context.version,
    round: name,
    organization,
    effects,
    clock,
    totals: clients.totals,
    lost,
    onBroken: () => undefined,
  });
  const { startedAt: runStartedAt, ...ofRun } = run;
  for (const answer of reached.answers) {
    await sink.push({
      kind: 'answered',
      answer: { ...ofRun, runStartedAt, asked: null, limit: null, ...answer },
    });
  }
  const rest = await sink.finish();
  return {
    problems: reached.problems.map(({ error, ...where }) => problemOf(error, where)),
    failed: [],
    ...rest,
    warnings: [...clients.warnings(), ...skewed],
    quotas: seenQuotas(clients.quotas),
    at: effects.now(),
    reached: {
      syncDay,
      accounts: reached.accounts.map(({ config: { name: account }, ...known }) => ({
        name: account,
        ...known,
        listed: reached.listedBy.get(account)?.slice() ?? null,
      })),
      projects: reached.projects.map(({ projectId, account, projectHeader }) => ({
        projectId,
        account: account.config.name,
        projectHeader: projectHeader ?? null,
      })),
      warnings: reached.warnings,
      listed: reached.listed === null ? null : [...reached.listed],
      serverAheadMs: reached.serverAheadMs,
    },
  };
}

function syncDayOf({ today }: ReachRound, config: Config, serverToday: Day): Day | AnswerlakeError {
  try {
    return selectRun(config, syncRequest({ today }), serverToday).today;
  } catch (error) {
    if (error instanceof AnswerlakeError) return error;
    throw error;
  }
}
