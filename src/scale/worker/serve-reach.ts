import { openClients, seenQuotas } from '../../extract/clients.ts';
import { reachProjects } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import type { Day } from '../../day.ts';
import { AnswerlakeError } from '../../errors.ts';
import { problemOf, type ReachRound, type RoundEndJson } from '../queue/round.ts';
import { selectRun } from '../../run/selection.ts';
import { serverDay } from '../../run/server-day.ts';
import { syncRequest } from '../../run/sync-request.ts';
import { LandingSink } from './landing-sink.ts';
import { RoundClock } from './round-clock.ts';
import type { ServeParts } from './serve-slices.ts';

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
