import { addDays, minDay, type Day } from '../day.ts';
import type { PlannedSlice } from '../plan/plan.ts';

/** Finds out whether a server that lags behind refuses the sync day: the first question for that day goes alone, and where it is answered without the day, the rest of the run leaves the day out. */
export class SyncDay {
  readonly #today: Day;
  /** Whether the server counts `endDate`, by endpoint. */
  readonly #endDateOf: (endpoint: string) => 'inclusive' | 'exclusive';
  /** Endpoints that were asked without the day. */
  readonly #tried = new Set<string>();
  /** Question without the day → the refused one with it. */
  readonly #trials = new Map<PlannedSlice, PlannedSlice>();
  #release: () => void = () => undefined;
  readonly #decided = new Promise<void>((resolve) => {
    this.#release = resolve;
  });
  #first: PlannedSlice | null = null;
  #isLeftOut = false;

  constructor(today: Day, endDateOf: (endpoint: string) => 'inclusive' | 'exclusive') {
    this.#today = today;
    this.#endDateOf = endDateOf;
  }

  /** Lets every waiting question go. */
  decide(): void {
    this.#release();
  }

  /** Waits until the first question for the sync day is answered. @returns what to call once this one is */
  async admit(planned: PlannedSlice): Promise<() => void> {
    if (this.#trials.has(planned)) return () => this.decide();
    if (this.#without(planned) === planned) return () => undefined;
    if (this.#first !== null) {
      await this.#decided;
      return () => undefined;
    }
    this.#first = planned;
    return () => {
      if (![...this.#trials.values()].includes(planned)) this.decide();
    };
  }

  /** The question as it is asked now; null: it is about the sync day alone, which is left out. */
  limited(planned: PlannedSlice): PlannedSlice | null {
    return this.#isLeftOut ? this.#without(planned) : planned;
  }

  answered(planned: PlannedSlice): void {
    if (this.#trials.has(planned)) this.#isLeftOut = true;
  }

  /** The question to ask instead of a refused one, once for each endpoint; null: the sync day is not the reason. */
  instead(planned: PlannedSlice): PlannedSlice | null {
    const { endpoint } = planned.slice;
    const without = this.#tried.has(endpoint) ? null : this.#without(planned);
    if (without === null || without === planned) return null;
    this.#tried.add(endpoint);
    this.#trials.set(without, planned);
    return without;
  }

  /** The question with the sync day, for which a refused one was asked without it. */
  refusedBefore(planned: PlannedSlice): PlannedSlice | null {
    return this.#trials.get(planned) ?? null;
  }

  #without(planned: PlannedSlice): PlannedSlice | null {
    const { slice, asked } = planned;
    if (slice.kind === 'list' || asked === null) return planned;
    const last = this.#endDateOf(slice.endpoint) === 'inclusive' ? this.#today : addDays(this.#today, 1);
    if (asked.end < last) return planned;
    const { start } = slice.window;
    const window = { start, end: minDay(slice.window.end, addDays(this.#today, -1)) };
    if (window.end < start) return null;
    return { ...planned, slice: { ...slice, window }, asked: { ...asked, end: addDays(last, -1) } };
  }
}
