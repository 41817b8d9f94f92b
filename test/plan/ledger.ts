import { addDays, minDay, toDay, type Day, type DayRange } from '../../src/day.ts';
import { windowFrom } from '../../src/plan/cut.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { type Endpoint, MAX_WINDOW_DAYS } from '../../src/endpoints/endpoint.ts';
import { EMPTY_COVERAGE, type Coverage } from '../../src/plan/coverage.ts';
import { planSlices, type EndpointPlan, type PlannedSlice } from '../../src/plan/plan.ts';
import { finalAfterDays } from '../../src/believe/terms.ts';
import { seriesKey, sliceKey, sliceWindow, windowKey, type Scope, type SeriesKey } from '../../src/slice.ts';

interface Answered {
  planned: PlannedSlice;
  fetchedOn: Day;
  coveredEnd: Day | null;
}

/** A ledger in memory, by the plain reading of the contract. */
export class MemoryLedger {
  readonly #answered: Answered[] = [];
  readonly #lookbackDays: number;

  constructor(lookbackDays: number) {
    this.#lookbackDays = lookbackDays;
  }

  /** Enters an answer to every planned slice. */
  answer(planned: readonly PlannedSlice[], fetchedOn: Day): void {
    for (const one of planned) {
      this.#answered.push({ planned: one, fetchedOn, coveredEnd: sliceWindow(one.slice)?.end ?? null });
    }
  }

  get coverage(): Coverage {
    const of = (series: SeriesKey): Answered[] =>
      this.#answered.filter(({ planned }) => sliceKey(planned.slice) === seriesKey(series));
    return {
      ...EMPTY_COVERAGE,
      settled: (series) =>
        of(series).flatMap(({ planned, fetchedOn, coveredEnd }): DayRange[] => {
          const start = sliceWindow(planned.slice)?.start;
          if (start === undefined || coveredEnd === null) return [];
          const end = minDay(coveredEnd, addDays(fetchedOn, -finalAfterDays(this.#lookbackDays)));
          return end < start ? [] : [{ start, end }];
        }),
      isWindowSettled: (target, windowKind, start) =>
        this.#answered.some(({ planned: { slice }, fetchedOn }) => {
          // The longest window of the kind: it runs no further than this.
          const { end } = windowFrom(windowKind, start, toDay('9999-12-31'));
          const final = addDays(fetchedOn, -finalAfterDays(this.#lookbackDays));
          return sliceKey(slice) === windowKey(target, windowKind, start) && end <= final;
        }),
    };
  }
}

/** No value of any scope. */
export const NO_VALUES = { model: [], monitor: [], prompt: [], prompt_type: [], page: [] };

const FINE: readonly Scope[] = ['project', 'model', 'monitor'];
const WITH_FINE_SCOPES = new Set(['visibility', 'sentiment', 'share_of_voice']);

/** An endpoint as the default configuration has it. */
export function byDefault(endpoint: Endpoint): EndpointPlan {
  return {
    endpoint,
    scopes: WITH_FINE_SCOPES.has(endpoint.name) ? FINE : ['project'],
    grains: ['day'],
    windows: ['month', 'last_28_days'],
    maxDays: MAX_WINDOW_DAYS,
    endDate: 'inclusive',
    askedWith: 'today',
    limit: endpoint.limit,
  };
}

export interface NightOptions {
  ledger: MemoryLedger;
  today: Day;
  start: Day;
  endpoints?: readonly EndpointPlan[];
}

/** What one project with 6 models and 3 monitors owes on a night. */
export function planNight({ ledger, today, start, endpoints }: NightOptions): PlannedSlice[] {
  return planSlices({
    projectId: 'project-1',
    endpoints: endpoints ?? catalogue.map(byDefault),
    scopeValues: {
      ...NO_VALUES,
      model: ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'],
      monitor: ['monitor-1', 'monitor-2', 'monitor-3'],
    },
    range: { start, end: today },
    today,
    coverage: ledger.coverage,
  });
}
