import { setImmediate } from 'node:timers/promises';
import type { Account } from '../accounts/validate-account.ts';
import type { Clients } from '../accounts/clients.ts';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { askedPaths, type PathOf } from '../endpoints/asked-path.ts';
import { endpointNamed } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Turn } from '../extract/client.ts';
import { fetchSlice } from '../extract/fetch-slice.ts';
import type { LoadRun } from '../load/load-run.ts';
import { outcomeBytes, type SliceOutcome } from '../load/slice-outcome.ts';
import type { Log } from '../log.ts';
import { askedDays, cutShorter, type PlannedSlice } from '../plan/plan.ts';
import { GivenUp, type AskedAt } from './given-up.ts';
import type { Problem } from './outcome.ts';
import type { OutcomeSink } from './outcome-sink.ts';
import type { Progress } from './progress.ts';
import { notAsked, Refusals, type Verdict } from './refusals.ts';
import { isRangeTooLarge, type LongestWindows } from './longest-windows.ts';
import { SharedAnswers } from './shared-answers.ts';

/** Decoded bytes of an answer that takes more than a few milliseconds to read. */
const LARGE_BYTES = 262_144;

/** A planned slice, and the account whose key is used. */
export interface SliceJob {
  planned: PlannedSlice;
  account: Account;
  /** Sent with each request of the project; a project key never gets it. */
  projectHeader: string | undefined;
}

/** Asks for slices. A run asks for all of them, a plan only for the lists that it needs. */
export interface JobAsker {
  /** Asks for all jobs, in order within each account. Returns why an account was given up, if one was. */
  ask(jobs: readonly SliceJob[]): Promise<Problem[]>;
}

export interface AskOptions {
  config: { sync: Pick<Config['sync'], 'endpoints' | 'timezone'> };
  effects: Effects;
  log: Log;
  signal: AbortSignal;
  run: LoadRun;
  clients: Pick<Clients, 'of'>;
  longest: LongestWindows;
  progress: Progress;
  sink: OutcomeSink;
  /** Aborted when nothing more is to be begun; what is under way is finished. */
  enough?: AbortSignal;
}

/** Asks the API and passes every outcome to the sink. Remembers which accounts were given up for the rest of the run. */
export class SliceAsker implements JobAsker {
  readonly #options: AskOptions;
  readonly #givenUp: GivenUp;
  readonly #refusals = new Refusals();
  readonly #pathOf: PathOf;
  readonly #shared: SharedAnswers;

  constructor(options: AskOptions) {
    this.#options = options;
    this.#givenUp = new GivenUp(options.log);
    this.#pathOf = askedPaths(options.config.sync.endpoints);
    this.#shared = new SharedAnswers(options.run.syncDay, this.#pathOf);
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    const { clients, progress } = this.#options;
    progress.expect(jobs.length);
    const found = await Promise.all(
      jobs.map((job) => clients.of(job.account.config.name).inTurn((turn) => this.#askSlice(turn, job))),
    );
    return found.flat();
  }

  async #askSlice(turn: Turn, job: SliceJob): Promise<Problem[]> {
    if (this.#isOver(job)) return [];
    const tooLong = this.#options.longest.refusal(job.planned);
    if (tooLong !== null) return await this.#fail(job, tooLong);
    return await this.#askPiece(turn, job);
  }

  /** Asks for a slice or a part of one, as far as the series is not refused. */
  async #askPiece(turn: Turn, job: SliceJob): Promise<Problem[]> {
    const { longest } = this.#options;
    const { planned } = job;
    const said = await this.#refusals.enter(planned.slice, (waiting) => turn.aside(waiting));
    if (said !== null) return await this.#fail(job, notAsked(planned.slice, said));
    let verdict: Verdict = { kind: 'other' };
    let rest: readonly PlannedSlice[];
    const problems: Problem[] = [];
    try {
      // How long a window may be is learned while others wait.
      rest = longest.pieces(planned);
      if (rest.length === 0) {
        const tried = await this.#try(turn, job);
        const settled = tried.kind === 'too long' ? await this.#askShorter(turn, job, tried.error) : tried;
        verdict =
          settled.kind === 'refused'
            ? { kind: 'refused', message: settled.error.message }
            : { kind: settled.kind };
        problems.push(...settled.problems);
        rest = settled.rest ?? [];
      }
    } finally {
      this.#refusals.leave(planned.slice, verdict);
    }
    return [...problems, ...(await this.#askPieces(turn, job, rest))];
  }

  /** Asks once for the whole slice. Whatever came of it is pushed to the sink, but for a refusal of its length. */
  async #try(turn: Turn, job: SliceJob): Promise<Tried> {
    const { signal, longest, sink } = this.#options;
    try {
      await sink.room();
      if (this.#isOver(job)) return { kind: 'other', problems: [] };
      const closed = this.#givenUp.closed(this.#askedAt(job));
      if (closed) return { kind: 'other', problems: await this.#fail(job, closed) };
      const answer = await this.#fetch(turn, job);
      this.#givenUp.answered(this.#askedAt(job));
      const outcome: SliceOutcome = { kind: 'answered', answer };
      if (outcomeBytes(outcome) > LARGE_BYTES) {
        // Reading it blocks the loop: a signal is heard before, and the slice then stays owed.
        await setImmediate();
        if (signal.aborted) return { kind: 'other', problems: [] };
      }
      await sink.push(outcome);
      longest.answered(job.planned);
      return { kind: 'answered', problems: [] };
    } catch (error) {
      if (signal.aborted) return { kind: 'other', problems: [] };
      if (!(error instanceof AnswerlakeError)) throw error;
      if (error.class === 'stopped') return { kind: 'other', problems: [] };
      if (isRangeTooLarge(error)) return { kind: 'too long', error };
      const ofAccount = this.#givenUp.failed(this.#askedAt(job), error);
      if (ofAccount !== null) return { kind: 'other', problems: ofAccount };
      const problems = await this.#fail(job, error);
      return error instanceof ApiError && error.isBadQuestion
        ? { kind: 'refused', error, problems }
        : { kind: 'other', problems };
    }
  }

  #isOver(job: SliceJob): boolean {
    const { signal, enough } = this.#options;
    return signal.aborted || enough?.aborted === true || this.#givenUp.has(this.#askedAt(job));
  }

  #askedAt({ account, planned: { slice } }: SliceJob): AskedAt {
    return {
      account: account.config.name,
      project: slice.projectId,
      path: this.#pathOf(slice.endpoint),
    };
  }

  async #fetch(
    turn: Turn,
    { planned, account, projectHeader }: SliceJob,
  ): Promise<Extract<SliceOutcome, { kind: 'answered' }>['answer']> {
    const { config, signal, run } = this.#options;
    const { slice, asked, limit, wanted } = planned;
    const { path, parameters, limit: pageSize } = config.sync.endpoints[slice.endpoint] ?? {};
    const fetched = await fetchSlice(this.#shared.of(turn, account.config.name, slice), {
      endpoint: endpointNamed(slice.endpoint),
      slice,
      asked,
      limit,
      pageSize,
      wanted,
      timezone: config.sync.timezone,
      path,
      parameters,
      projectHeader,
      signal,
    });
    return {
      runId: run.runId,
      runStartedAt: run.startedAt,
      syncDay: run.syncDay,
      baseUrl: run.baseUrl,
      acceptShrink: run.acceptShrink,
      account: account.config.name,
      slice,
      asked,
      limit,
      ...fetched,
    };
  }

  /** Halves the window until one is answered: only that shows that the length was what the server refused. The rest is left to the caller. */
  async #askShorter(turn: Turn, job: SliceJob, error: AnswerlakeError): Promise<Settled> {
    const { longest, log } = this.#options;
    const { planned } = job;
    const endpoint = endpointNamed(planned.slice.endpoint);
    let refused = planned;
    let refusal = error;
    for (;;) {
      const days = longest.shorterThan(refused);
      // The newest of the longest first: an old day may be refused for its age.
      const [first, ...rest] =
        days === null
          ? []
          : cutShorter(planned, endpoint, days)
              .toReversed()
              .sort((a, b) => askedDays(b) - askedDays(a));
      // Periods are never cut: the same one again would be refused again.
      if (first === undefined || askedDays(first) >= askedDays(refused)) break;
      const tried = await this.#try(turn, { ...job, planned: first });
      if (tried.kind !== 'too long') {
        if (tried.kind === 'answered') {
          const learned = longest.shown(refused, first);
          log.info('limit.learned', { endpoint: endpoint.name, max_window_days: learned });
        }
        return { ...tried, rest };
      }
      refused = first;
      refusal = tried.error;
    }
    const isWhole = planned.slice.kind === 'window';
    const isBelieved = isWhole && longest.refusedWhole(planned, refusal);
    if (!isWhole) longest.giveUp(planned);
    const problems = await this.#fail(job, refusal);
    return isBelieved ? { kind: 'other', problems } : { kind: 'refused', error: refusal, problems };
  }

  async #askPieces(turn: Turn, job: SliceJob, pieces: readonly PlannedSlice[]): Promise<Problem[]> {
    this.#options.progress.expect(Math.max(0, pieces.length - 1));
    const problems: Problem[] = [];
    for (const planned of pieces) problems.push(...(await this.#askPiece(turn, { ...job, planned })));
    return problems;
  }

  async #fail({ planned: { slice } }: SliceJob, error: AnswerlakeError): Promise<Problem[]> {
    const { sink, effects } = this.#options;
    const { requests, status } = error instanceof ApiError ? error : { requests: 0, status: null };
    await sink.push({ kind: 'failed', slice, error, requests, httpStatus: status, at: effects.now() });
    return [];
  }
}

/** What came of a slice whose outcome was pushed, and the parts of it that are still to be asked for. */
type Settled = { problems: Problem[]; rest?: readonly PlannedSlice[] } & (
  { kind: 'answered' | 'other' } | { kind: 'refused'; error: AnswerlakeError }
);

type Tried = Settled | { kind: 'too long'; error: AnswerlakeError };
