import type { Account } from '../accounts/validate-account.ts';
import type { Clients } from '../accounts/clients.ts';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Asker } from '../extract/client.ts';
import { fetchSlice } from '../extract/fetch-slice.ts';
import type { LoadRun } from '../load/load-run.ts';
import type { SliceOutcome } from '../load/slice-outcome.ts';
import type { Log } from '../log.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { Problem } from './outcome.ts';
import type { Progress } from './progress.ts';
import { isRangeTooLarge, type WindowLimits } from './window-limits.ts';

/** A planned slice, and the account whose key is used. */
export interface SliceJob {
  planned: PlannedSlice;
  account: Account;
  /** Sent with each request of the project; a project key never gets it. */
  projectHeader: string | undefined;
}

/** Where outcomes go: a loader, or anything that passes them on to one. */
export interface OutcomeSink {
  /** Resolves when there is room for more. @throws the error that stopped the loader */
  push(outcome: SliceOutcome): Promise<void>;
}

/** Asks for slices. A run asks for all of them, a plan only for the lists that it needs. */
export interface JobAsker {
  /** Asks for all jobs, in order within each account. Returns why an account was given up, if one was. */
  ask(jobs: readonly SliceJob[]): Promise<Problem[]>;
}

export interface AskOptions {
  config: Config;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
  run: LoadRun;
  clients: Clients;
  limits: WindowLimits;
  progress: Progress;
  sink: OutcomeSink;
}

/** Asks the API and passes every outcome to the sink. Remembers which accounts were given up for the rest of the run. */
export class SliceAsker implements JobAsker {
  readonly #options: AskOptions;
  readonly #blocked = new Set<string>();

  constructor(options: AskOptions) {
    this.#options = options;
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    const { clients, progress } = this.#options;
    progress.expect(jobs.length);
    const found = await Promise.all(
      jobs.map((job) => clients.of(job.account.config.name).inTurn((asker) => this.#askSlice(asker, job))),
    );
    return found.flat();
  }

  async #askSlice(asker: Asker, job: SliceJob): Promise<Problem[]> {
    const { signal, limits, sink } = this.#options;
    if (signal.aborted || this.#blocked.has(job.account.config.name)) return [];
    const pieces = limits.pieces(job.planned);
    if (pieces.length > 0) return await this.#askPieces(asker, job, pieces);
    try {
      const answer = await this.#fetch(asker, job);
      await sink.push({ kind: 'answered', answer });
      return [];
    } catch (error) {
      if (signal.aborted) return [];
      if (!(error instanceof AnswerlakeError)) throw error;
      if (error.class === 'stopped') return [];
      return await this.#onFailure(asker, { job, error });
    }
  }

  async #fetch(
    asker: Asker,
    { planned, account, projectHeader }: SliceJob,
  ): Promise<Extract<SliceOutcome, { kind: 'answered' }>['answer']> {
    const { config, signal, run } = this.#options;
    const { slice, asked, limit } = planned;
    const own = config.sync.endpoints[slice.endpoint];
    const fetched = await fetchSlice(asker, {
      endpoint: endpointNamed(slice.endpoint),
      slice,
      asked,
      limit,
      timezone: config.sync.timezone,
      path: own?.path,
      parameters: own?.parameters,
      projectHeader,
      signal,
    });
    return {
      runId: run.runId,
      runStartedAt: run.startedAt,
      syncDay: run.syncDay,
      account: account.config.name,
      slice,
      asked,
      limit,
      ...fetched,
    };
  }

  async #onFailure(
    asker: Asker,
    { job, error }: { job: SliceJob; error: AnswerlakeError },
  ): Promise<Problem[]> {
    const { limits, log, sink, effects } = this.#options;
    const { slice } = job.planned;
    const why = reasonToBlock(error, slice.projectId === null);
    if (why !== null) return this.#block(job.account.config.name, { why, error });
    if (isRangeTooLarge(error)) {
      const days = limits.refused(job.planned);
      log.info('limit.learned', { endpoint: slice.endpoint, max_window_days: days });
      const pieces = limits.pieces(job.planned);
      if (pieces.length > 0) return await this.#askPieces(asker, job, pieces);
    }
    const { requests, status } = error instanceof ApiError ? error : { requests: 0, status: null };
    await sink.push({ kind: 'failed', slice, error, requests, httpStatus: status, at: effects.now() });
    return [];
  }

  async #askPieces(asker: Asker, job: SliceJob, pieces: readonly PlannedSlice[]): Promise<Problem[]> {
    this.#options.progress.expect(pieces.length - 1);
    const problems: Problem[] = [];
    for (const planned of pieces) problems.push(...(await this.#askSlice(asker, { ...job, planned })));
    return problems;
  }

  /** The account's remaining slices stay owed: the next run asks for them. */
  #block(account: string, { why, error }: { why: string; error: AnswerlakeError }): Problem[] {
    if (this.#blocked.has(account)) return [];
    this.#blocked.add(account);
    this.#options.log.warn('account.blocked', { account, why, error: error.message });
    return [{ error, account }];
  }
}

/** Why this key is of no more use in this run; null when only the slice failed. */
function reasonToBlock(error: AnswerlakeError, isKeyList: boolean): 'quota' | 'auth' | 'unavailable' | null {
  if (error.class === 'quota') return 'quota';
  // A failed key list says nothing about the projects: the v1 path may be closed while v2 works.
  if (isKeyList) return null;
  if (error.class === 'auth' && error instanceof ApiError && error.status === 401) return 'auth';
  return error.class === 'transient' && error.scope !== 'slice' ? 'unavailable' : null;
}
