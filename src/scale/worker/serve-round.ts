import { hostname } from 'node:os';
import type { Effects } from '../../effects.ts';
import type { LoadRun } from '../../load/load-run.ts';
import { flatSlice, type ArchivedAnswer } from '../../slice.ts';
import { openClients, seenQuotas } from '../../extract/clients.ts';
import type { Account } from '../../extract/reach-projects.ts';
import type { Config } from '../../config/config.ts';
import { AnswerlakeError, usageError } from '../../errors.ts';
import * as part from '../landing/part.ts';
import type { Zone } from '../landing/zone.ts';
import { problemOf, type Round, type RoundEndJson } from '../queue/round.ts';
import type { SliceJob } from '../../plan/owed.ts';
import { correctionMs, LARGEST_SKEW_MS, skewText } from '../../plan/selection.ts';
import { SliceAsker } from '../../run/ask.ts';
import { Backlog, type BacklogWriter } from '../../run/backlog.ts';
import { Prober } from '../../check/prober.ts';
import { Progress } from '../../run/progress.ts';
import type { SyncContext } from '../../run/sync-request.ts';

interface ServeParts {
  /** Its signal stops all requests and all landing at once. */
  context: SyncContext;
  zone: Zone;
  /** Requests under way are finished and landed; the other slices go back to the loader. */
  enough: AbortSignal;
}

/** Asks for the slices of a round that earlier workers have not landed, lands the answers and returns how it ended. @throws AnswerlakeError (configuration, storage); WrongClockError */
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
      `${config.path}: there is no account ${name}, which the loader has:`,
      'give workers and loader the same configuration',
    ]);
  });
}

function jobsOf({ slices }: Round, accounts: readonly Account[], { catalogue }: Config): SliceJob[] {
  return slices.flatMap(({ account: name, ...planned }) => {
    const account = accounts.find(({ config }) => config.name === name);
    const { endpoint } = planned.slice;
    if (!catalogue.has(endpoint))
      throw usageError([
        `endpoints/${endpoint}.yaml is not here, and the loader has it:`,
        'give workers and loader the same folders',
      ]);
    return account === undefined
      ? []
      : [{ planned: { endpoint: catalogue.named(planned.slice.endpoint), ...planned }, account }];
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
