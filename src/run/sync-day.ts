import { addDays, minDay, type Day } from '../day.ts';
import type { PlannedSlice } from '../plan/plan.ts';

/**
 * Detects whether a lagging server refuses the sync day: the first request for that day runs alone, and if it succeeds only without the
 * day, the rest of the run leaves the day out.
 */
export class SyncDay {
  readonly #today: Day;
  /** Whether the server counts `endDate`, by endpoint. */
  readonly #endDateOf: (endpoint: string) => 'inclusive' | 'exclusive';
  /** Endpoints that were tried without the day. */
  readonly #tried = new Set<string>();
  /** Request without the day → the refused request with it. */
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

  /** Releases every waiting request. */
  decide(): void {
    this.#release();
  }

  /** Waits until the first request for the sync day is answered. @returns what to call once this one is */
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

  /** The request to send now; null: it covers only the sync day, which is left out. */
  limited(planned: PlannedSlice): PlannedSlice | null {
    return this.#isLeftOut ? this.#without(planned) : planned;
  }

  answered(planned: PlannedSlice): void {
    if (this.#trials.has(planned)) this.#isLeftOut = true;
  }

  /** The request to send instead of a refused one, once per endpoint; null: the sync day is not the reason. */
  instead(planned: PlannedSlice): PlannedSlice | null {
    const { endpoint } = planned.slice;
    const without = this.#tried.has(endpoint) ? null : this.#without(planned);
    if (without === null || without === planned) return null;
    this.#tried.add(endpoint);
    this.#trials.set(without, planned);
    return without;
  }

  /** The refused request with the sync day behind one without it. */
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
