import type { LimitFunction } from 'p-limit';
import type { Probe } from '../../believe/suspicion.ts';
import type { DayRange } from '../../day.ts';
import { AnswerlakeError } from '../../errors.ts';
import { seenQuotas } from '../../extract/clients.ts';
import { openWaitBudget } from '../../extract/pace.ts';
import { Loader } from '../../load/loader.ts';
import { uncovered } from '../../plan/cut.ts';
import type { SliceJob } from '../../plan/owed.ts';
import type { AskJobs } from '../../run/ask.ts';
import { type Problem, resultOf, type SliceResult } from '../../run/outcome.ts';
import { writeProbes } from '../../run/taught.ts';
import type { OpenRun } from '../../run/run-context.ts';
import { flatSlice, sliceKey, sliceWindow, type Slice } from '../../slice.ts';
import { sliceName } from '../landing/part.ts';
import { problemOfRound, type RoundEnd, type RoundJson } from '../queue/round.ts';
import type { RoundDispatcher } from './round-dispatcher.ts';

const MAX_SLICES = 2_000;
/** After so many rounds in a row without an answer, the organization is given up for this run. */
const MAX_IDLE_ROUNDS = 3;
/** After it, the hour or the requested wait is over on every clock. */
const RESET_MARGIN_MS = 1_000;

export interface OrganizationAskerRequest {
  organization: string;
  run: OpenRun;
  dispatch: RoundDispatcher['dispatch'];
  limitWrites: LimitFunction;
  /** What one more question has shown, in this run or lately. */
  probed: Probe[];
  /** Longest wait for hourly quotas, and for waits that the server requests. */
  maxWaitMs: number;
  onLoaded: (results: readonly SliceResult[]) => void;
}

/** Asks for the slices of one organization through workers: they are sent out in rounds, and come back as parts. */
export function organizationAsker(request: OrganizationAskerRequest): AskJobs {
  const { organization, dispatch, limitWrites, probed, maxWaitMs, onLoaded } = request;
  const { connection, run, signal, clients } = request.run;
  /** Accounts that cannot go on. */
  const blocked = new Set<string>();
  const waitBudget = openWaitBudget(maxWaitMs);

  const roundOf = (jobs: readonly SliceJob[]): Omit<RoundJson, 'round'> => {
    const accounts = new Map(jobs.map(({ account }) => [account.config.name, account]));
    const projects = new Set(jobs.map(({ planned }) => planned.slice.projectId));
    return {
      run,
      organization,
      accounts: [...accounts].map(([name, { config: _config, ...known }]) => ({ name, ...known })),
      quotas: seenQuotas(clients.quotas),
      maxWaitMs,
      probed: probed.filter(({ projectId }) => projects.has(projectId)),
      slices: jobs.map(({ planned: { slice, wanted, endpoint: _endpoint, ...asked }, account }) => ({
        ...asked,
        slice: flatSlice(slice),
        wanted: [...(wanted ?? [])],
        account: account.config.name,
      })),
    };
  };
  /** Enters the slices that failed, and what one more question has shown, which the next rounds do not ask again. */
  const enter = async ({ failed, probes }: RoundEnd): Promise<void> => {
    probed.push(...probes);
    const outcomes = failed.map((one) => ({ ...one, ...problemOfRound(one), kind: 'failed' as const }));
    await limitWrites(async () => {
      await writeProbes(connection, run, probes);
      if (outcomes.length === 0) return;
      onLoaded((await new Loader({ connection, run, archive: null }).load(outcomes)).map(resultOf));
    });
  };
  /** Blocks the accounts that cannot go on; returns how long the others wait for their quota, or because the server asked for it. */
  const judge = ({ at, problems: found }: RoundEnd, problems: Problem[]): number => {
    let afterMs = 0;
    for (const problem of found) {
      const untilMs = problem.waitUntilMs === null ? null : problem.waitUntilMs + RESET_MARGIN_MS;
      // If the hour has ended meanwhile, the next round asks at once.
      if (untilMs !== null && waitBudget.book(at, untilMs)) {
        afterMs = Math.max(afterMs, untilMs - at);
        continue;
      }
      if (problem.account !== null) blocked.add(problem.account);
      problems.push(problemOfRound(problem));
    }
    return afterMs;
  };
  return async (jobs) => {
    const answered = new AnsweredSlices();
    const problems: Problem[] = [];
    let afterMs = 0;
    let idle = 0;
    while (!signal.aborted) {
      const left = jobs.filter(
        ({ planned, account }) => !blocked.has(account.config.name) && !answered.has(planned.slice),
      );
      if (left.length === 0) break;
      const before = answered.size;
      const { end, reason, taken } = await dispatch(roundOf(left.slice(0, MAX_SLICES)), afterMs);
      onLoaded(taken.results);
      problems.push(...taken.damages.map((error) => ({ error })));
      if (end !== null) await enter(end);
      for (const slice of taken.answered) answered.add(slice);
      for (const { slice } of end?.failed ?? []) answered.add(slice);
      afterMs = end === null ? 0 : judge(end, problems);
      idle = answered.size > before || afterMs > 0 ? 0 : idle + 1;
      if ((idle < MAX_IDLE_ROUNDS && reason === null) || idle === 0) continue;
      problems.push({ error: givenUp(organization, reason) });
      for (const { account } of jobs) blocked.add(account.config.name);
    }
    return problems;
  };
}

function givenUp(organization: string, reason: string | null): AnswerlakeError {
  const [why, todo] =
    reason === null
      ? [
          `${String(MAX_IDLE_ROUNDS)} rounds in a row brought nothing;`,
          'see the logs of the workers, then run again',
        ]
      : [`its workers bring nothing (${reason});`, 'fix that, then run answerlake queue retry'];
  return new AnswerlakeError([`organization ${organization}: ${why}`, todo], { class: 'transient' });
}

/** The slices that have been answered, whole or in pieces. */
class AnsweredSlices {
  readonly #names = new Set<string>();
  /** Slices that differ by their days alone → days that are answered; none for a slice without days. */
  readonly #bySeries = new Map<string, DayRange[]>();

  get size(): number {
    return this.#names.size;
  }

  add(slice: Slice): void {
    this.#names.add(sliceName(slice));
    const answered = this.#bySeries.get(sliceKey(slice)) ?? [];
    const window = sliceWindow(slice);
    if (window !== null) answered.push(window);
    this.#bySeries.set(sliceKey(slice), answered);
  }

  /** True if the slice was answered, or pieces that cover all of its days. */
  has(slice: Slice): boolean {
    const answered = this.#bySeries.get(sliceKey(slice));
    const window = sliceWindow(slice);
    if (answered === undefined || window === null) return answered !== undefined;
    return uncovered(window, answered).length === 0;
  }
}
