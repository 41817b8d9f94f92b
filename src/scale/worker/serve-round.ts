import { hostname } from 'node:os';
import { openClients, seenQuotas } from '../../extract/clients.ts';
import type { Account } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import { usageError } from '../../errors.ts';
import { DamagedPartError, listParts, readManifest, runFolder, sliceName } from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { problemOf, type Round, type RoundEndJson } from '../queue/round.ts';
import type { SliceJob } from '../../plan/owed.ts';
import { correctionMs, skewText } from '../../plan/selection.ts';
import { SliceAsker } from '../../run/ask.ts';
import { JudgedSink } from '../../run/judged-sink.ts';
import { namesProject, Prober } from '../../run/prober.ts';
import { Progress } from '../../run/progress.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import { openLandingSink } from './landing-sink.ts';

export interface ServeParts {
  /** Its signal stops all requests and all landing at once. */
  context: SyncContext;
  zone: Zone;
  /** Requests under way are finished and landed; the other slices go back to the loader. */
  enough: AbortSignal;
}

/** Asks for the slices of a round that earlier workers have not landed, lands the answers and returns how it ended. @throws AnswerlakeError (configuration, storage); WrongClockError */
export async function serveRound(
  round: Round,
  { zone, enough, ...parts }: ServeParts,
): Promise<RoundEndJson> {
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
  const jobs = jobsOf(round, accounts).filter(({ planned }) => !landed.has(sliceName(planned.slice)));
  const sink = openLandingSink({
    ...round,
    zone,
    version,
    effects,
    aheadOf: (account) => clients.of(account).serverAheadMs,
    totals: clients.totals,
    lossSignal,
  });
  const signal = AbortSignal.any([lossSignal, sink.broken]);
  const prober = new Prober({ ...context, signal, clients, namesProject: namesProject(accounts) });
  const projects = new Set(jobs.map(({ planned }) => planned.slice.projectId)).size;
  const judged = new JudgedSink({ sink, prober, signal, projects, probed: round.probed });
  const progress = new Progress(undefined);
  const asker = new SliceAsker({ ...context, signal, run, clients, progress, sink: judged, enough });
  const problems = await asker.ask(jobs);
  await judged.settle();
  lossSignal.throwIfAborted();
  const uncounted = await sink.finish();
  const warnings: string[] = [];
  const aheadMs = sink.serverAheadMs() ?? 0;
  if (correctionMs(aheadMs) !== 0) {
    const reason = `worker on ${hostname()}: ${skewText(aheadMs)}: its answers are entered by the server's clock; set that machine's clock`;
    log.warn('clock.skewed', { run: run.runId, reason });
    warnings.push(reason);
  }
  return {
    problems: problems.map(({ error, account }) => problemOf(error, account)),
    failed: sink.failed,
    probes: judged.takeProbes(),
    ...uncounted,
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
    throw usageError(
      `${config.path}: there is no account ${name}, which the loader has: give workers and loader the same configuration`,
    );
  });
}

function jobsOf({ slices }: Round, accounts: readonly Account[]): SliceJob[] {
  return slices.flatMap(({ account: name, projectHeader, ...planned }) => {
    const account = accounts.find(({ config }) => config.name === name);
    return account === undefined ? [] : [{ planned, account, projectHeader: projectHeader ?? undefined }];
  });
}

/** The slices that earlier workers of the round have landed; a damaged part is ignored. */
async function landedSlices(zone: Zone, { run, round }: Round): Promise<Set<string>> {
  const landed = new Set<string>();
  for (const name of await listParts(zone, `${runFolder(run)}${round}-`)) {
    const { slices } = await readManifest(zone, name).then(
      ({ manifest }) => manifest,
      (error: unknown) => {
        if (error instanceof DamagedPartError) return { slices: [] };
        throw error;
      },
    );
    for (const slice of slices) landed.add(slice);
  }
  return landed;
}
