import type { LimitFunction } from 'p-limit';
import { seenQuotas } from '../../extract/clients.ts';
import { AnswerlakeError } from '../../errors.ts';
import type { Zone } from '../landing/zone.ts';
import { Loader } from '../../load/loader.ts';
import { problemOfRound, type RoundEnd, type RoundJson, type RoundProblem } from '../queue/round.ts';
import type { SliceJob } from '../../plan/owed.ts';
import type { JobAsker } from '../../run/ask.ts';
import { type Problem, resultOf, type SliceResult } from '../../run/outcome.ts';
import type { Probe } from '../../believe/suspicion.ts';
import { writeProbes } from '../../run/probes.ts';
import type { RunContext } from '../../run/run-context.ts';
import type { RoundDispatcher } from './round-dispatcher.ts';
import { countDays } from '../../day.ts';
import { sliceName } from '../landing/part.ts';
import { flatSlice, sliceKey, sliceWindow, type Slice } from '../../slice.ts';
import type { OutcomeQueue } from '../../run/load-queue.ts';

/** Slices of one round. */
const MAX_SLICES = 2_000;
/** After so many rounds in a row without an answer, the organization is given up for this run. */
const MAX_IDLE_ROUNDS = 3;
/** After it, the hour or the requested wait is over on every clock. */
const RESET_MARGIN_MS = 1_000;

/** How long to wait until an hour or a requested wait is over, never negative; null for any other problem. @param at the end of the round, by the clock of the worker */
function msToWait({ waitUntilMs }: RoundProblem, at: number): number | null {
  return waitUntilMs === null ? null : Math.max(0, waitUntilMs + RESET_MARGIN_MS - at);
}

export interface OrganizationAskerOptions {
  organization: string;
  context: RunContext;
  results: LoadedResults;
  dispatcher: Pick<RoundDispatcher, 'nextName' | 'dispatch'>;
  limitWrites: LimitFunction;
  zone: Zone;
  /** What one more question has shown, in this run or lately. */
  probed: Probe[];
  /** Longest wait for hourly quotas, and for waits that the server requests. */
  maxWaitMs: number;
}

/** Asks for the slices of one organization through workers: they are sent out in rounds, and come back as parts. */
export class OrganizationAsker implements JobAsker {
  readonly #options: OrganizationAskerOptions;
  readonly #blocked = new Set<string>();
  #waitLeftMs: number;

  constructor(options: OrganizationAskerOptions) {
    this.#options = options;
    this.#waitLeftMs = options.maxWaitMs;
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    const { context, dispatcher, results } = this.#options;
    const answered = new AnsweredSlices();
    const problems: Problem[] = [];
    let afterMs = 0;
    let idle = 0;
    for (let left = this.#left(jobs, answered); left.length > 0; left = this.#left(jobs, answered)) {
      if (context.signal.aborted) break;
      const before = answered.size;
      const round = this.#roundOf(left.slice(0, MAX_SLICES));
      const { end, reason, taken } = await dispatcher.dispatch(round, afterMs);
      afterMs = 0;
      results.add(taken.results);
      for (const slice of taken.answered) answered.add(slice);
      problems.push(...taken.damages.map(({ name, what }) => ({ error: this.#damaged(name, what) })));
      if (end !== null) {
        await this.#loadFailed(end);
        await this.#enterProbes(end);
        for (const { slice } of end.failed) answered.add(slice);
        afterMs = this.#judge(end, problems);
      }
      idle = answered.size > before || afterMs > 0 ? 0 : idle + 1;
      if ((idle < MAX_IDLE_ROUNDS && reason === null) || idle === 0) continue;
      problems.push({ error: this.#givenUp(reason) });
      for (const { account } of jobs) this.#blocked.add(account.config.name);
    }
    return problems;
  }

  #left(jobs: readonly SliceJob[], answered: AnsweredSlices): SliceJob[] {
    return jobs.filter(
      ({ planned, account }) => !this.#blocked.has(account.config.name) && !answered.has(planned.slice),
    );
  }

  #roundOf(jobs: readonly SliceJob[]): RoundJson {
    const { organization, context, dispatcher } = this.#options;
    const accounts = new Map(jobs.map(({ account }) => [account.config.name, account]));
    const projects = new Set(jobs.map(({ planned }) => planned.slice.projectId));
    return {
      run: context.run,
      round: dispatcher.nextName(),
      organization,
      accounts: [...accounts].map(([name, { organizationId, isOrganizationKey }]) => ({
        name,
        organizationId,
        isOrganizationKey,
      })),
      quotas: seenQuotas(context.clients.quotas),
      maxWaitMs: this.#options.maxWaitMs,
      probed: this.#options.probed.filter(({ projectId }) => projects.has(projectId)),
      slices: jobs.map(({ planned: { slice, asked, limit, askedWith, wanted }, account, projectHeader }) => ({
        slice: flatSlice(slice),
        asked,
        limit,
        askedWith,
        wanted: [...(wanted ?? [])],
        account: account.config.name,
        projectHeader: projectHeader ?? null,
      })),
    };
  }

  /** Blocks the accounts that cannot go on; returns how long the others wait for their quota, or because the server asked for it. */
  #judge(end: RoundEnd, problems: Problem[]): number {
    let afterMs = 0;
    for (const problem of end.problems) {
      const waitMs = msToWait(problem, end.at);
      // A wait of 0 means that the hour has ended meanwhile: the next round asks at once.
      if (waitMs !== null && waitMs <= this.#waitLeftMs) {
        afterMs = Math.max(afterMs, waitMs);
        continue;
      }
      if (problem.account !== null) this.#blocked.add(problem.account);
      problems.push(problemOfRound(problem));
    }
    this.#waitLeftMs -= afterMs;
    return afterMs;
  }

  async #loadFailed({ failed }: RoundEnd): Promise<void> {
    if (failed.length === 0) return;
    const { context, results, limitWrites } = this.#options;
    const { connection, run } = context;
    const outcomes = failed.map((one) => ({
      ...one,
      kind: 'failed' as const,
      error: problemOfRound(one).error,
    }));
    const entries = await limitWrites(async () => {
      const loader = new Loader({ connection, run, archive: null });
      return await loader.load(outcomes);
    });
    results.add(entries.map(resultOf));
  }

  /** The next rounds ask nothing of it again. */
  async #enterProbes({ probes }: RoundEnd): Promise<void> {
    if (probes.length === 0) return;
    const { context, limitWrites, probed } = this.#options;
    probed.push(...probes);
    await limitWrites(() => writeProbes(context.connection, context.run, probes));
  }

  #damaged(name: string, what: string): AnswerlakeError {
    return new AnswerlakeError(
      `${this.#options.zone.place}: part ${name} is not loaded: ${what}; its slices are asked again`,
      { class: 'storage', scope: 'slice' },
    );
  }

  #givenUp(reason: string | null): AnswerlakeError {
    const { organization } = this.#options;
    const message =
      reason === null
        ? `organization ${organization}: ${String(MAX_IDLE_ROUNDS)} rounds in a row brought nothing; see the logs of the workers, then run again`
        : `organization ${organization}: its workers bring nothing (${reason}); fix that, then run answerlake queue retry`;
    return new AnswerlakeError(message, { class: 'transient' });
  }
}

/** The slices that have been answered, whole or in pieces. */
class AnsweredSlices {
  readonly #names = new Set<string>();
  /** Series → days of its answered slices. */
  readonly #pieces = new Map<string, Slice[]>();

  get size(): number {
    return this.#names.size;
  }

  add(slice: Slice): void {
    const name = sliceName(slice);
    if (this.#names.has(name)) return;
    this.#names.add(name);
    const key = sliceKey(slice);
    this.#pieces.set(key, [...(this.#pieces.get(key) ?? []), slice]);
  }

  /** True if the slice was answered, or pieces that cover all of its days. */
  has(slice: Slice): boolean {
    if (this.#names.has(sliceName(slice))) return true;
    const window = sliceWindow(slice);
    if (window === null || slice.kind === 'window') return false;
    let days = 0;
    for (const piece of this.#pieces.get(sliceKey(slice)) ?? []) {
      const own = sliceWindow(piece);
      if (own !== null && own.start >= window.start && own.end <= window.end)
        days += countDays(own.start, own.end);
    }
    return days >= countDays(window.start, window.end);
  }
}

/** The results of loaded parts; nothing is pushed here, because parts are loaded whole. */
export class LoadedResults implements OutcomeQueue {
  #loaded: SliceResult[] = [];

  add(results: readonly SliceResult[]): void {
    this.#loaded.push(...results);
  }

  room(): Promise<void> {
    return Promise.resolve();
  }

  async push(): Promise<void> {
    throw new RangeError('the loader loads parts, not single outcomes');
  }

  async drain(): Promise<SliceResult[]> {
    return this.takeLoaded();
  }

  takeLoaded(): SliceResult[] {
    const loaded = this.#loaded;
    this.#loaded = [];
    return loaded;
  }
}
