import type { LimitFunction } from 'p-limit';
import type { Probe } from '../../believe/suspicion.ts';
import { countDays } from '../../day.ts';
import { AnswerlakeError } from '../../errors.ts';
import { seenQuotas } from '../../extract/clients.ts';
import { openWaitBudget } from '../../extract/pace.ts';
import { Loader } from '../../load/loader.ts';
import type { SliceJob } from '../../plan/owed.ts';
import type { JobAsker } from '../../run/ask.ts';
import { type Problem, resultOf, type SliceResult } from '../../run/outcome.ts';
import { writeProbes } from '../../run/probes.ts';
import type { RunContext } from '../../run/run-context.ts';
import { flatSlice, sliceKey, sliceWindow, type Slice } from '../../slice.ts';
import { sliceName } from '../landing/part.ts';
import { problemOfRound, type RoundEnd, type RoundJson } from '../queue/round.ts';
import type { RoundDispatcher } from './round-dispatcher.ts';

/** Slices of one round. */
const MAX_SLICES = 2_000;
/** After so many rounds in a row without an answer, the organization is given up for this run. */
const MAX_IDLE_ROUNDS = 3;
/** After it, the hour or the requested wait is over on every clock. */
const RESET_MARGIN_MS = 1_000;

export interface OrganizationAskerOptions {
  organization: string;
  context: Pick<RunContext, 'clients' | 'connection' | 'run' | 'signal'>;
  dispatcher: Pick<RoundDispatcher, 'dispatch'>;
  limitWrites: LimitFunction;
  /** What one more question has shown, in this run or lately. */
  probed: Probe[];
  /** Longest wait for hourly quotas, and for waits that the server requests. */
  maxWaitMs: number;
  onLoaded: (results: readonly SliceResult[]) => void;
}

/** Asks for the slices of one organization through workers: they are sent out in rounds, and come back as parts. */
export class OrganizationAsker implements JobAsker {
  readonly #options: OrganizationAskerOptions;
  readonly #blocked = new Set<string>();
  readonly #waitBudget: ReturnType<typeof openWaitBudget>;

  constructor(options: OrganizationAskerOptions) {
    this.#options = options;
    this.#waitBudget = openWaitBudget(options.maxWaitMs);
  }

  async ask(jobs: readonly SliceJob[]): Promise<Problem[]> {
    const { context, dispatcher, onLoaded } = this.#options;
    const answered = new AnsweredSlices();
    const problems: Problem[] = [];
    let afterMs = 0;
    let idle = 0;
    while (!context.signal.aborted) {
      const left = jobs.filter(
        ({ planned, account }) => !this.#blocked.has(account.config.name) && !answered.has(planned.slice),
      );
      if (left.length === 0) break;
      const before = answered.size;
      const { end, reason, taken } = await dispatcher.dispatch(
        this.#roundOf(left.slice(0, MAX_SLICES)),
        afterMs,
      );
      onLoaded(taken.results);
      for (const slice of taken.answered) answered.add(slice);
      problems.push(...taken.damages.map((error) => ({ error })));
      if (end !== null) await this.#enter(end);
      for (const { slice } of end?.failed ?? []) answered.add(slice);
      afterMs = end === null ? 0 : this.#judge(end, problems);
      idle = answered.size > before || afterMs > 0 ? 0 : idle + 1;
      if ((idle < MAX_IDLE_ROUNDS && reason === null) || idle === 0) continue;
      problems.push({ error: this.#givenUp(reason) });
      for (const { account } of jobs) this.#blocked.add(account.config.name);
    }
    return problems;
  }

  #roundOf(jobs: readonly SliceJob[]): Omit<RoundJson, 'round'> {
    const { organization, context, maxWaitMs, probed } = this.#options;
    const accounts = new Map(jobs.map(({ account }) => [account.config.name, account]));
    const projects = new Set(jobs.map(({ planned }) => planned.slice.projectId));
    return {
      run: context.run,
      organization,
      accounts: [...accounts].map(([name, { config: _config, ...known }]) => ({ name, ...known })),
      quotas: seenQuotas(context.clients.quotas),
      maxWaitMs,
      probed: probed.filter(({ projectId }) => projects.has(projectId)),
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
  #judge({ at, problems }: RoundEnd, all: Problem[]): number {
    let afterMs = 0;
    for (const problem of problems) {
      const untilMs = problem.waitUntilMs === null ? null : problem.waitUntilMs + RESET_MARGIN_MS;
      // If the hour has ended meanwhile, the next round asks at once.
      if (untilMs !== null && this.#waitBudget.book(at, untilMs)) {
        afterMs = Math.max(afterMs, untilMs - at);
        continue;
      }
      if (problem.account !== null) this.#blocked.add(problem.account);
      all.push(problemOfRound(problem));
    }
    return afterMs;
  }

  /** Enters the slices that failed, and what one more question has shown, which the next rounds do not ask again. */
  async #enter({ failed, probes }: RoundEnd): Promise<void> {
    const { context, limitWrites, probed, onLoaded } = this.#options;
    const { connection, run } = context;
    probed.push(...probes);
    const outcomes = failed.map((one) => ({ ...one, ...problemOfRound(one), kind: 'failed' as const }));
    await limitWrites(async () => {
      await writeProbes(connection, run, probes);
      if (outcomes.length === 0) return;
      onLoaded((await new Loader({ connection, run, archive: null }).load(outcomes)).map(resultOf));
    });
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
  /** Slices that differ by their days alone, by name. */
  readonly #bySeries = new Map<string, Map<string, Slice>>();
  size = 0;

  add(slice: Slice): void {
    const key = sliceKey(slice);
    const pieces = this.#bySeries.get(key) ?? new Map<string, Slice>();
    this.#bySeries.set(key, pieces);
    if (pieces.has(sliceName(slice))) return;
    pieces.set(sliceName(slice), slice);
    this.size += 1;
  }

  /** True if the slice was answered, or pieces that cover all of its days. */
  has(slice: Slice): boolean {
    const pieces = this.#bySeries.get(sliceKey(slice));
    const window = sliceWindow(slice);
    if (pieces === undefined || window === null) return pieces !== undefined;
    let days = 0;
    for (const piece of pieces.values()) {
      const own = sliceWindow(piece);
      if (own !== null && own.start >= window.start && own.end <= window.end)
        days += countDays(own.start, own.end);
    }
    return days >= countDays(window.start, window.end);
  }
}
