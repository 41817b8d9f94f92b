import { openClients, seenQuotas, type Clients } from '../../extract/clients.ts';
import { type Account, reachProjects, type Reached } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import type { Day } from '../../day.ts';
import { AnswerlakeError } from '../../errors.ts';
import { listParts, readManifest, runFolder, sliceName } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import {
  problemOf,
  type ReachRound,
  type Round,
  type RoundEndJson,
  type SlicesRound,
} from '../queue/round.ts';
import type { SliceJob } from '../../plan/owed.ts';
import { selectRun, serverDay } from '../../plan/selection.ts';
import { SliceAsker } from '../../run/ask.ts';
import { Progress } from '../../run/progress.ts';
import { type SyncContext, syncRequest } from '../../run/sync-request.ts';
import { LandingSink, type LandingSinkOptions } from './landing-sink.ts';
import { RoundClock } from './round-clock.ts';

export interface ServeParts {
  context: SyncContext;
  zone: Zone;
  /** Stops all requests and all landing at once. */
  lost: AbortSignal;
  /** Requests under way are finished and landed; the other slices go back to the loader. */
  enough: AbortSignal;
}

/**
 * Asks for what the round names, lands the answers and returns how it ended.
 * @throws AnswerlakeError (configuration, storage); WrongClockError
 */
export async function serveRound(round: Round, parts: ServeParts): Promise<RoundEndJson> {
  const isReach = round.kind === 'reach';
  const known = isReach ? [] : accountsOf(round, parts.context.config);
  const { accounts: configured } = parts.context.config;
  const accounts = isReach
    ? configured.filter(({ name }) => round.accounts?.includes(name) ?? true)
    : known.map(({ config }) => config);
  const config = { ...parts.context.config, accounts };
  const context = { ...parts.context, config };
  await using clients = openClients({
    context,
    maxWaitMs: round.maxWaitMs,
    // The loader waits for the reset, and the worker serves other organizations in the meantime.
    isWorker: true,
    organizations: new Map(
      known.flatMap(({ config: { name }, organizationId }) =>
        organizationId === null ? [] : [[name, organizationId] as const],
      ),
    ),
    initialQuotas: new Map(round.quotas),
  });
  const serving = { ...parts, context, clients };
  return isReach ? await serveReach(round, serving) : await serveSlices(round, { ...serving, known });
}

interface Serving extends ServeParts {
  clients: Clients;
}

/** Asks for the slices that earlier workers of the round have not landed. */
async function serveSlices(
  round: SlicesRound,
  { known, ...serving }: Serving & { known: readonly Account[] },
): Promise<RoundEndJson> {
  const { context, clients, zone, lost, enough } = serving;
  const landed = await landedSlices(zone, round);
  const jobs = jobsOf(round, known).filter(({ planned }) => !landed.has(sliceName(planned.slice)));
  const clock = new RoundClock((account) => clients.of(account).serverAheadMs);
  const sink = openSink(round, serving, { run: round.run, clock });
  const asker = new SliceAsker({
    ...context,
    signal: AbortSignal.any([lost, sink.broken]),
    run: round.run,
    clients,
    progress: new Progress(undefined),
    sink,
    enough,
  });
  const problems = await asker.ask(jobs);
  lost.throwIfAborted();
  return endOf(round, serving, {
    clock,
    problems: problems.map(({ error, ...where }) => problemOf(error, where)),
    failed: sink.failed,
    ...(await sink.finish()),
  });
}

/** Validates the keys and returns which projects they reach. */
async function serveReach(round: ReachRound, serving: Serving): Promise<RoundEndJson> {
  const { context, clients, lost, enough } = serving;
  const { config, effects } = context;
  // An interrupted validation is not landed: the next worker repeats it.
  const signal = AbortSignal.any([lost, enough]);
  const reached = await reachProjects({ config, clients, wanted: round.projects, signal });
  signal.throwIfAborted();
  const clock = new RoundClock(() => reached.serverAheadMs);
  clock.heard('');
  const { day } = serverDay(effects.now(), reached.serverAheadMs);
  const syncDay = syncDayOf(round, config, day);
  // Every other worker would refuse this day too, so the round ends here instead of being tried again.
  if (syncDay instanceof AnswerlakeError) {
    return endOf(round, serving, { clock, problems: [problemOf(syncDay, {})], ...clients.totals() });
  }
  const run = { ...round.run, syncDay };
  const sink = openSink(round, serving, { run, clock });
  for (const answer of reached.answers) {
    await sink.push({
      kind: 'answered',
      answer: { ...run, asked: null, limit: null, ...answer },
    });
  }
  return endOf(round, serving, {
    clock,
    problems: reached.problems.map(({ error, ...where }) => problemOf(error, where)),
    ...(await sink.finish()),
    reached: reachedJson(reached, syncDay),
  });
}

function openSink(
  { round, organization }: Round,
  { context: { effects, version }, clients, zone, lost }: Serving,
  own: Pick<LandingSinkOptions, 'run' | 'clock'>,
): LandingSink {
  const { totals } = clients;
  return new LandingSink({ ...own, round, organization, zone, version, effects, totals, lost });
}

function endOf(
  { run }: Round,
  { context: { effects, log }, clients }: Serving,
  {
    clock,
    ...end
  }: Pick<RoundEndJson, 'problems' | 'requests' | 'retries'> & Partial<RoundEndJson> & { clock: RoundClock },
): RoundEndJson {
  const skewed = clock.warnings();
  for (const reason of skewed) log.warn('clock.skewed', { run: run.runId, reason });
  return {
    failed: [],
    reached: null,
    ...end,
    warnings: [...clients.warnings(), ...skewed],
    quotas: seenQuotas(clients.quotas),
    at: effects.now(),
  };
}

function reachedJson(reached: Reached, syncDay: Day): RoundEndJson['reached'] {
  return {
    syncDay,
    accounts: reached.accounts.map(({ config: { name }, ...known }) => ({
      name,
      ...known,
      listed: reached.listedBy.get(name)?.slice() ?? null,
    })),
    projects: reached.projects.map(({ projectId, account, projectHeader }) => ({
      projectId,
      account: account.config.name,
      projectHeader: projectHeader ?? null,
    })),
    serverAheadMs: reached.serverAheadMs,
  };
}

/** @throws AnswerlakeError (configuration) when the configuration of this worker lacks an account of the round */
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
  return slices.flatMap(({ account: name, projectHeader, ...planned }) => {
    const account = accounts.find(({ config }) => config.name === name);
    return account === undefined ? [] : [{ planned, account, projectHeader: projectHeader ?? undefined }];
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

function syncDayOf({ today }: ReachRound, config: Config, serverToday: Day): Day | AnswerlakeError {
  try {
    return selectRun(config, syncRequest({ today }), serverToday).today;
  } catch (error) {
    if (error instanceof AnswerlakeError) return error;
    throw error;
  }
}
