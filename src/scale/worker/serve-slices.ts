import { openClients, seenQuotas } from '../../extract/clients.ts';
import type { Account } from '../../extract/validate-account.ts';
import type { Config } from '../../config/config.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { listParts, readManifest } from '../landing/read-part.ts';
import { runFolder, sliceName } from '../landing/manifest.ts';
import type { Zone } from '../landing/zone.ts';
import { problemOf, type RoundEndJson, type SlicesRound } from '../queue/round.ts';
import { SliceAsker, type SliceJob } from '../../run/ask.ts';
import { Progress } from '../../run/progress.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import { LandingSink } from './landing-sink.ts';
import { RoundClock } from './round-clock.ts';

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
