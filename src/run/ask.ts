import type { SliceJob } from '../plan/owed.ts';
import { setImmediate } from 'node:timers/promises';
import type { Clients } from '../extract/clients.ts';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { askedPaths, type PathOf, endpointNamed, endpointsAtPathOf } from '../endpoints/catalogue.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Task, Asker } from '../extract/client.ts';
import { fetchSlice } from '../extract/fetch-slice.ts';
import type { LoadRun } from '../load/load-run.ts';
import { outcomeBytes, type SliceOutcome } from '../load/prepare-answer.ts';
import type { Log } from '../log.ts';
import { isRangeRefused } from '../extract/range-limits.ts';
import { cutToLimits, halvesOf, type PlannedSlice } from '../plan/plan.ts';
import { sliceWindow, WINDOW_KINDS, type Slice } from '../slice.ts';
import { EndpointLimits, GivenUp, notAsked, Refusals, type AskedAt, type Verdict } from './refusals.ts';
import type { Problem } from './outcome.ts';
import type { Progress } from './progress.ts';
import type { Day } from '../day.ts';
import type { ApiAnswer } from '../extract/call.ts';
import { windowsOf } from '../plan/cut.ts';

/** Decoded bytes of an answer that takes more than a few milliseconds to read. */
const LARGE_BYTES = 262_144;

/** Tasks for each request that may be under way: many wait for the first answers of their series. */
const TASKS_PER_SLOT = 8;

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
  readonly #limits = new EndpointLimits();
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
    const accounts = new Set(jobs.map(({ account }) => account.config.name));
    const tasks = [...accounts].flatMap((account) => {
      const client = clients.of(account);
      const left = jobs.filter((job) => job.account.config.name === account).values();
      // A task that has not started costs memory, so tasks are made as others end.
      return Array.from({ length: TASKS_PER_SLOT * client.concurrency }, async () => {
        for (const job of left) await client.task((task) => this.#askSlice(task, job));
      });
    });
    await Promise.all(tasks);
    return this.#givenUp.takeProblems();
  }

  async #askSlice(task: Task, job: SliceJob): Promise<void> {
    const left = [job];
    // Newest first, so that what is still owed is never asked for before it is known how far back the server goes.
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (this.#isOver(next)) return;
      const pieces = await this.#askPiece(task, next);
      left.unshift(...pieces.map((planned) => ({ ...job, planned })));
      if (pieces.length > 0) this.#options.progress.expect(pieces.length - 1);
    }
  }

  /** Asks for a slice or a part of one, as far as the series is not refused; returns the pieces to ask for instead. */
  async #askPiece(task: Task, job: SliceJob): Promise<readonly PlannedSlice[]> {
    const { planned } = job;
    const limits = this.#limitsOf(job);
    const done = await limits.enter(planned, task.releaseWhile);
    try {
      const cut = cutToLimits(planned, limits.range);
      if (cut === 'too old') await this.#refuse(job, null);
      // A whole window cannot be cut.
      else if (cut === 'too long')
        await this.#fail(
          job,
          notAsked(
            planned.slice,
            `refused as many days as too long; leave the window kind out (sync.endpoints.${planned.slice.endpoint}.windows)`,
          ),
        );
      else if (cut.length > 0) return cut;
      else return await this.#askOfSeries(task, job);
      return [];
    } finally {
      done();
    }
  }

  /** Asks for a slice, unless the server has refused others of its series. */
  async #askOfSeries(task: Task, job: SliceJob): Promise<readonly PlannedSlice[]> {
    const { slice } = job.planned;
    const said = await this.#refusals.enter(slice, task.releaseWhile);
    let settled: Settled = OTHER;
    if (said !== null) {
      await this.#fail(job, notAsked(slice, `refused the other windows of the series: ${said}`));
      return [];
    }
    try {
      settled = await this.#try(task, job);
      return settled.pieces ?? [];
    } finally {
      this.#refusals.leave(slice, settled);
    }
  }

  /** Asks once for the whole slice. Whatever came of it is pushed to the sink. */
  async #try(task: Task, job: SliceJob): Promise<Settled> {
    const { signal, sink } = this.#options;
    try {
      await sink.room();
      if (this.#isOver(job)) return OTHER;
      const closed = this.#givenUp.closed(this.#askedAt(job));
      if (closed) return await this.#fail(job, closed);
      const answer = await this.#fetch(task, job);
      this.#givenUp.answered(this.#askedAt(job));
      const outcome: SliceOutcome = { kind: 'answered', answer };
      if (outcomeBytes(outcome) > LARGE_BYTES) {
        // Reading it blocks the loop: a signal is heard before, and the slice then stays owed.
        await setImmediate();
        if (signal.aborted) return OTHER;
      }
      await sink.push(outcome);
      if (job.planned.asked !== null) this.#limitsOf(job).range.answered(job.planned.asked);
      return { kind: 'answered' };
    } catch (error) {
      if (signal.aborted) return OTHER;
      if (!(error instanceof AnswerlakeError)) throw error;
      if (error.class === 'stopped') return OTHER;
      if (isRangeRefused(error)) return await this.#rangeRefused(task, job, error);
      if (this.#givenUp.failed(this.#askedAt(job), error)) return OTHER;
      return await this.#fail(job, error);
    }
  }

  /** The server refused the days: shorter and newer ones are tried, down to one period. */
  async #rangeRefused(task: Task, job: SliceJob, error: ApiError): Promise<Settled> {
    const { planned } = job;
    const { asked, slice } = planned;
    const window = sliceWindow(slice);
    if (asked === null || window === null) return await this.#fail(job, error);
    const halves = halvesOf(planned);
    const isSmallest = halves.length < 2;
    // The period before may be too old where the period itself is not.
    if (isSmallest && slice.kind !== 'window' && asked.start < window.start)
      return { kind: 'other', pieces: [{ ...planned, asked: { ...asked, start: window.start } }] };
    const { range } = this.#limitsOf(job);
    const verdict = range.refused(asked, { isSmallest, first: window.start });
    switch (verdict) {
      case 'halve':
        return { kind: 'other', pieces: halves };
      case 'too_old':
        return await this.#refuse(job, error);
      case 'unclear': {
        const day = { ...planned, asked: { start: window.start, end: window.start } };
        const refused = await this.#refusalOf(task, { ...job, planned: day });
        if (this.#options.signal.aborted) return OTHER;
        if (refused === null) return await this.#fail(job, error);
        range.tooOld(window.start);
        return await this.#refuse(job, refused, error.requests);
      }
      case 'failed':
        return await this.#fail(job, error);
      default:
        return verdict satisfies never;
    }
  }

  /** How the server refuses a range; null when it does not. */
  async #refusalOf(task: Task, job: SliceJob): Promise<ApiError | null> {
    try {
      await this.#fetch(task, job);
    } catch (error) {
      if (!(error instanceof AnswerlakeError)) throw error;
      if (isRangeRefused(error)) return error;
    }
    return null;
  }

  /** Enters days that the server no longer has. @param refused null: it was not asked again @param requests those before the refused one */
  async #refuse({ planned: { slice } }: SliceJob, refused: ApiError | null, requests = 0): Promise<Settled> {
    const { sink, effects } = this.#options;
    await sink.push({
      kind: 'failed',
      slice,
      error: refused ?? notAsked(slice, 'no longer has days that old'),
      requests: requests + (refused?.requests ?? 0),
      httpStatus: refused?.status ?? null,
      at: effects.now(),
      refused: 'too_old',
    });
    return OTHER;
  }

  #limitsOf({ planned: { slice }, account }: SliceJob): ReturnType<EndpointLimits['of']> {
    return this.#limits.of(slice.endpoint, account.config.name);
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
    task: Task,
    { planned, account, projectHeader }: SliceJob,
  ): Promise<Extract<SliceOutcome, { kind: 'answered' }>['answer']> {
    const { config, signal, run } = this.#options;
    const { slice, asked, limit, wanted, askedWith } = planned;
    const { path, parameters, limit: pageSize } = config.sync.endpoints[slice.endpoint] ?? {};
    const fetched = await fetchSlice(this.#shared.of(task, account.config.name, slice), {
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
      ...run,
      account: account.config.name,
      slice,
      asked,
      limit,
      askedWith,
      ...fetched,
    };
  }

  async #fail({ planned: { slice } }: SliceJob, error: AnswerlakeError): Promise<Verdict> {
    const { sink, effects } = this.#options;
    const { requests, status } = error instanceof ApiError ? error : { requests: 0, status: null };
    await sink.push({ kind: 'failed', slice, error, requests, httpStatus: status, at: effects.now() });
    return error instanceof ApiError && error.isBadQuestion
      ? { kind: 'refused', message: error.message }
      : OTHER;
  }
}

/** What came of a request, and the pieces to ask for instead. */
type Settled = Verdict & { pieces?: readonly PlannedSlice[] };

const OTHER: Settled = { kind: 'other' };

/** Where outcomes go: a loader, or anything that passes them on to one. */
export interface OutcomeSink {
  /** Resolves when there is room for one more: a request that is over holds no place, so nothing else keeps requests back. @throws as `push` */
  room(): Promise<void>;
  /** Resolves when there is room for more. @throws the error that stopped the loader */
  push(outcome: SliceOutcome): Promise<void>;
}

/** Two kinds of window may have the same days, and so may a series and a window of one path: the first lends its answer to the others. */
class SharedAnswers {
  readonly #today: Day;
  readonly #pathOf: PathOf;
  readonly #lent = new Map<string, Promise<ApiAnswer>>();

  constructor(today: Day, pathOf: PathOf) {
    this.#today = today;
    this.#pathOf = pathOf;
  }

  /** The asker for a slice: one that lends, one that borrows, or the task itself. */
  of(asker: Task, account: string, slice: Slice): Asker {
    const lends = this.#isAskedAgain(slice);
    const borrows = slice.kind === 'window';
    if (!lends && !borrows) return asker;
    return {
      get: async (request) => {
        const { path, query, projectId = null } = request;
        const key = JSON.stringify([account, projectId, path, query]);
        const lent = this.#lent.get(key);
        const borrowed = lent && (await asker.releaseWhile(lent).catch(() => undefined));
        if (borrowed !== undefined) return { ...borrowed, requests: 0 };
        const answer = asker.get(request);
        if (lends) this.#lent.set(key, answer);
        return await answer.catch((error: unknown) => {
          this.#lent.delete(key);
          throw error;
        });
      },
    };
  }

  /** Whether a later slice of the run may ask for the same. */
  #isAskedAgain(slice: Slice): boolean {
    const window = sliceWindow(slice);
    if (window === null) return false;
    if (slice.kind === 'series' && endpointsAtPathOf(slice.endpoint, this.#pathOf).length === 1) return false;
    const kinds = WINDOW_KINDS.filter((kind) =>
      windowsOf(kind, window, this.#today).some(
        (own) => own.window.start === window.start && own.window.end === window.end,
      ),
    );
    return kinds.length > (slice.kind === 'window' ? 1 : 0);
  }
}
