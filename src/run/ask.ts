import { settingOf } from '../believe/fit.ts';
import type { SliceJob } from '../plan/owed.ts';
import { setImmediate } from 'node:timers/promises';
import type { Access, AskedAt } from '../extract/access.ts';
import type { Clients } from '../extract/clients.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Day } from '../day.ts';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { LoadRun } from '../load/load-run.ts';
import {
  alarmOf,
  type FailedSlice,
  outcomeBytes,
  refusalOf,
  type SliceOutcome,
} from '../load/prepare-answer.ts';
import type { Log } from '../log.ts';
import { fetchSlice, requestOf } from '../extract/fetch-slice.ts';
import { projectHeaderOf } from '../extract/reach-projects.ts';
import { isRangeRefused, RANGE_TOO_LARGE } from '../extract/range-limits.ts';
import { barerOf, cutToLimits, halvesOf, type PlannedSlice } from '../plan/plan.ts';
import { type ArchivedAnswer, describeSlice, type Slice, sliceWindow } from '../slice.ts';
import { endDateOf } from '../plan/selection.ts';
import { notAsked, Refusals, seriesOf, SyncDay } from './refusals.ts';
import type { Problem } from './outcome.ts';
import type { Progress } from './progress.ts';

/** Decoded size from which an answer takes more than a few milliseconds to read. */
const LARGE_BYTES = 262_144;

/** Extra workers per account beyond the requests under way, because some slices are being read or wait for a retry. */
const SLICES_WITHOUT_REQUEST = 2;

/** The server no longer has the days. */
const TOO_OLD = { refused: 'too_old' } as const;

/** Requests all jobs, in order within each account; a plan requests only the lists that it needs. Returns why accounts were abandoned. */
export type AskJobs = (jobs: readonly SliceJob[]) => Promise<Problem[]>;

export interface AskOptions {
  config: Config;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
  run: LoadRun;
  clients: { of: Clients['of'] };
  progress: Progress;
  sink: OutcomeSink;
  /** Aborted when no new request may start; requests under way finish. */
  enough?: AbortSignal;
}

/** Sends the requests and passes every outcome to the sink. */
export class SliceAsker {
  readonly #options: AskOptions;
  readonly #refusals = new Refusals();
  readonly #syncDay: SyncDay;
  /** Endpoint and project → requests. */
  readonly #spent = new Map<string, number>();
  /** Endpoint and project → answers which report that a parent of its lists no longer exists. */
  readonly #gone = new Map<string, { job: SliceJob; answer: ArchivedAnswer }[]>();
  /** Endpoints and projects for which another parent was answered. */
  readonly #came = new Set<string>();

  constructor(options: AskOptions) {
    const { config, run, signal } = options;
    this.#options = options;
    this.#syncDay = new SyncDay(run.syncDay, (endpoint) => endDateOf(config, endpoint));
    signal.addEventListener('abort', () => this.#syncDay.decide(), { once: true });
  }

  /** See `Refusals`. */
  get lengths(): ReadonlyMap<string, number> {
    return this.#refusals.lengths;
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    const { progress, config } = this.#options;
    progress.expect(jobs.length);
    const accounts = [...grouped(jobs, ({ account }) => account.config.name).values()];
    const workers = accounts.flatMap((ofAccount) => {
      const left = [...grouped(ofAccount, ({ planned }) => seriesOf(planned.slice)).values()];
      const length = config.api.concurrency + SLICES_WITHOUT_REQUEST;
      return Array.from({ length }, () => this.#askFrom(left));
    });
    await Promise.all(workers);
    await this.#settleGone();
    return accounts.flatMap(([job]) => {
      const error = job && this.#accessOf(job).takeProblem();
      return job && error ? [{ error, account: job.account.config.name }] : [];
    });
  }

  /** If one parent is gone, its list is empty; if all are gone, the endpoint is refused. */
  async #settleGone(): Promise<void> {
    for (const [key, gone] of this.#gone)
      for (const { job, answer } of gone)
        if (this.#came.has(key))
          await this.#options.sink.push({ kind: 'answered', endpoint: job.planned.endpoint, answer });
        else await this.#fail(job, goneError(answer));
    this.#gone.clear();
  }

  /** Works through one series after another, and through the slices of each one by one, so that the newest answer guides the older requests. */
  async #askFrom(left: SliceJob[][]): Promise<void> {
    for (let series = left.shift(); series !== undefined; series = left.shift())
      for (let job = series.shift(); job !== undefined; job = series.shift()) {
        const { account } = job;
        const release = await this.#syncDay.admit(job.planned);
        const planned = this.#syncDay.limited(job.planned);
        if (planned === null) this.#options.progress.expect(-1);
        const pieces =
          planned === null || this.#isOver(job) || this.#isSpent(planned)
            ? []
            : await this.#askPiece({ planned, account });
        release();
        // Newest first: learn how far back the server goes before requesting older days.
        series.unshift(...pieces.map((planned) => ({ planned, account })));
        if (pieces.length > 0) this.#options.progress.expect(pieces.length - 1);
      }
  }

  /** Requests a slice or a part of it unless the server has refused similar ones; returns the pieces to request instead. */
  async #askPiece(job: SliceJob): Promise<readonly PlannedSlice[]> {
    const { planned } = job;
    const { slice } = planned;
    const { range, refused } = this.#knownOf(job);
    const cut = cutToLimits(planned, range);
    if (cut === 'too old')
      return await this.#enter(job, notAsked(slice, 'no longer has days that old'), TOO_OLD);
    if (cut === 'too long') {
      // A whole window cannot be cut.
      const why = `refused as many days as too long; leave the window kind out (${settingOf({ slice, declared: planned.endpoint.declared ?? undefined }, 'windows')})`;
      return await this.#fail(job, notAsked(slice, why));
    }
    if (cut.length > 0) return cut;
    if (refused === null) return await this.#try(job);
    const why = `refused the other windows of the series: ${refused.message}`;
    return await this.#fail(job, notAsked(slice, why, refused));
  }

  #knownOf({ planned, account }: SliceJob): ReturnType<Refusals['of']> {
    return this.#refusals.of(planned.slice, account.config.name);
  }

  /** Requests the whole slice once. Pushes the outcome to the sink, or returns the pieces to request instead. */
  async #try(job: SliceJob): Promise<readonly PlannedSlice[]> {
    const { signal, sink } = this.#options;
    const [access, at] = [this.#accessOf(job), this.#askedAt(job)];
    try {
      await sink.waitForCapacity();
      if (this.#isOver(job)) return [];
      const closed = access.refusalOf(at);
      if (closed) return await this.#fail(job, closed);
      const answer = await this.#fetch(job);
      access.sliceAnswered(at.project);
      this.#syncDay.answered(job.planned);
      const pieces = this.#piecesOf(job.planned, answer);
      if (pieces.length > 0) return pieces;
      if (this.#isHeld(job, answer)) return [];
      const outcome: SliceOutcome = { kind: 'answered', endpoint: job.planned.endpoint, answer };
      if (outcomeBytes(outcome) > LARGE_BYTES) {
        // Reading blocks the event loop, so check for a signal first; the slice then stays owed.
        await setImmediate();
        if (signal.aborted) return [];
      }
      await sink.push(outcome);
      if (job.planned.asked !== null) this.#knownOf(job).range.answered(job.planned.asked);
      return [];
    } catch (error) {
      if (signal.aborted) return [];
      if (!(error instanceof AnswerlakeError)) throw error;
      if (error.class === 'stopped') return [];
      if (isRangeRefused(error)) return await this.#rangeRefused(job, error);
      if (access.sliceFailed(at, error)) return [];
      return await this.#fail(job, error);
    }
  }

  /** Keeps an answer that may be a refusal of the whole endpoint. */
  #isHeld(job: SliceJob, answer: ArchivedAnswer): boolean {
    const { endpoint, slice } = job.planned;
    if (slice.scope !== 'parent') return false;
    const key = placeOf(slice);
    const isGone = answer.pages.some(({ status }) => endpoint.answeredStatuses.includes(status));
    if (isGone) this.#gone.set(key, [...(this.#gone.get(key) ?? []), { job, answer }]);
    else this.#came.add(key);
    return isGone;
  }

  /** The pieces to request instead of a series whose answer is cut off, down to one day. */
  #piecesOf(planned: PlannedSlice, answer: ArchivedAnswer): readonly PlannedSlice[] {
    const { endpoint, slice, asked } = planned;
    if (endpoint.cut.kind !== 'series' || slice.kind !== 'series' || asked === null) return [];
    const isHalved = endpoint.cut.isHalved === true;
    if (answer.isSuspected !== true && !(isHalved && isCutOff(endpoint, answer))) return [];
    const halves = halvesOf(planned);
    if (halves.length > 1 || !isHalved) return halves.length > 1 ? halves : [];
    // The extra day may be what makes the answer too long.
    return barerOf(planned, endDateOf(this.#options.config, endpoint.name));
  }

  /** The server refused the days: try shorter and newer ranges, down to one period. */
  async #rangeRefused(job: SliceJob, error: ApiError): Promise<readonly PlannedSlice[]> {
    const { planned } = job;
    const window = sliceWindow(planned.slice);
    if (window === null) return await this.#fail(job, error);
    const whole = this.#syncDay.refusedBefore(planned);
    if (whole !== null) return await this.#rangeRefused({ ...job, planned: whole }, error);
    const instead = error.code === RANGE_TOO_LARGE ? null : this.#syncDay.instead(planned);
    if (instead !== null) return [instead];
    const asked = planned.asked ?? window;
    const halves = halvesOf(planned);
    const isSmallest = halves.length < 2;
    // The extra days may be too many, or the preceding period too old, even if the period itself is neither.
    const endDate = endDateOf(this.#options.config, planned.endpoint.name);
    const { range } = this.#knownOf(job);
    const barer = isSmallest ? barerOf(planned, endDate, range.hasAnsweredLength(asked)) : [];
    if (barer.length > 0) return barer;
    const verdict = range.refused(asked, { isSmallest, first: window.start });
    if (verdict === 'halve') return halves;
    if (verdict === 'too_old') return await this.#enter(job, error, TOO_OLD);
    if (verdict === 'unclear') return await this.#askFirstDay(job, error, { day: window.start, requests: 0 });
    // A window was refused before anything newer was answered, and it cannot be cut: its last day alone shows whether the days are the reason.
    if (range.hasAnswered || planned.slice.kind !== 'window') return await this.#fail(job, error);
    const { isAnswered, requests } = await this.#askDay(job, window.end);
    if (this.#options.signal.aborted) return [];
    if (!isAnswered) return await this.#fail(job, error, requests);
    range.answered({ start: window.end, end: window.end });
    return await this.#askFirstDay(job, error, { day: window.start, requests });
  }

  /** A long range was refused but a newer day was answered: the first day alone shows whether age or length is the reason. */
  async #askFirstDay(job: SliceJob, error: ApiError, { day, requests }: { day: Day; requests: number }) {
    const first = await this.#askDay(job, day);
    if (this.#options.signal.aborted) return [];
    if (first.refused === null) return await this.#fail(job, error, requests + first.requests);
    this.#knownOf(job).range.tooOld(day);
    return await this.#enter(job, first.refused, { ...TOO_OLD, questions: error.requests + requests });
  }

  /** Requests one day of a slice. */
  async #askDay(job: SliceJob, day: Day) {
    try {
      const planned = { ...job.planned, asked: { start: day, end: day } };
      const { requests } = await this.#fetch({ ...job, planned });
      return { isAnswered: true, refused: null, requests };
    } catch (error) {
      if (!(error instanceof AnswerlakeError)) throw error;
      return { isAnswered: false, refused: isRangeRefused(error) ? error : null, requests: error.requests };
    }
  }

  /** Whether an endpoint has used up its requests for this run; the rest stays owed. */
  #isSpent({ endpoint: { maxRequests }, slice }: PlannedSlice): boolean {
    return maxRequests !== null && (this.#spent.get(placeOf(slice)) ?? 0) >= maxRequests;
  }

  #spend(slice: Slice, requests: number): void {
    const key = placeOf(slice);
    this.#spent.set(key, (this.#spent.get(key) ?? 0) + requests);
  }

  #isOver(job: SliceJob): boolean {
    const { signal, enough } = this.#options;
    return signal.aborted || enough?.aborted === true || this.#accessOf(job).isBlocked;
  }

  #accessOf({ account }: SliceJob): Access {
    return this.#options.clients.of(account.config.name).access;
  }

  #askedAt({ planned: { endpoint, slice } }: SliceJob): AskedAt {
    const { path = endpoint.path } = this.#options.config.sync.endpoints[endpoint.name] ?? {};
    return { project: slice.projectId, path };
  }

  async #fetch({ planned, account }: SliceJob): Promise<ArchivedAnswer> {
    const { clients, config, signal, run } = this.#options;
    const { endpoint, slice, asked, limit, wanted, askedWith } = planned;
    const { name } = account.config;
    const projectHeader = projectHeaderOf(account, slice.projectId);
    const { startedAt, syncDay: today } = run;
    const request = { endpoint, slice, asked, limit, wanted, startedAt, today, projectHeader, signal };
    const fetched = await fetchSlice(clients.of(name), requestOf(config, request));
    this.#spend(slice, fetched.requests);
    const declared = endpoint.declared ?? undefined;
    return { ...run, account: name, slice, asked, limit, askedWith, declared, ...fetched };
  }

  /** @param questions further requests that were sent to find the cause of the error */
  async #fail(job: SliceJob, error: AnswerlakeError, questions = 0): Promise<[]> {
    if (error instanceof ApiError && error.isBadQuestion) this.#knownOf(job).add(error);
    return await this.#enter(job, error, { questions, ...alarmOf(error, job.planned.slice) });
  }

  async #enter(
    { planned: { slice } }: SliceJob,
    error: AnswerlakeError,
    { questions = 0, ...known }: { questions?: number } & Pick<FailedSlice, 'refused' | 'alarm'>,
  ): Promise<[]> {
    const { sink, effects } = this.#options;
    const requests = questions + error.requests;
    this.#spend(slice, requests);
    const httpStatus = refusalOf(error)?.status ?? null;
    const failed = { slice, error, requests, httpStatus, at: effects.now(), ...known };
    await sink.push({ kind: 'failed', ...failed });
    return [];
  }
}

/** Endpoint and project. */
function placeOf({ endpoint, projectId }: Slice): string {
  return `${endpoint} ${projectId ?? ''}`;
}

/** The refusal of an endpoint whose parents are all gone. */
function goneError({ slice, pages, account }: ArchivedAnswer): ApiError {
  const status = pages.at(-1)?.status ?? null;
  const what = `the server answers ${String(status)} for all that the run asked for one by one`;
  const facts = { status, code: null, serverMessage: null, path: '', outcomeUnknown: false };
  return new ApiError(`${describeSlice(slice)} (account ${account}): ${what}`, {
    ...facts,
    class: 'contract',
    scope: 'slice',
    // The requests of the answer are counted already.
    requests: 0,
  });
}

/** Whether a page of an answer is as long as its limit. */
function isCutOff(endpoint: Endpoint, { slice, syncDay, limit, pages }: ArchivedAnswer): boolean {
  if (limit === null) return false;
  return pages.some(({ body, fetchedAt, status, page }) => {
    const read = endpoint.readBody(body, { slice, syncDay, fetchedAt, status, page });
    return read.success && (read.data.listed ?? 0) >= limit;
  });
}

/** Groups by key, in order of first appearance. */
export function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Takes outcomes: a loader, or a sink that forwards to one. */
export interface OutcomeSink {
  /** Resolves when another outcome can be pushed: a finished request holds no slot, so only this limits requests. @throws as `push` */
  waitForCapacity(): Promise<void>;
  /** Resolves when more can be pushed. @throws the error that stopped the loader */
  push(outcome: SliceOutcome): Promise<void>;
}
