import type { Day, DayRange } from '../day.ts';
import type { SeriesKey, WindowKind } from '../slice.ts';
import type { EndpointPlan } from './selection.ts';

/** A day of the unfiltered series of a project. */
export interface SeriesDay {
  endpoint: string;
  projectId: string;
  day: Day;
}

/** Decides which stored answers still count. */
export interface CoverageQuestion {
  today: Day;
  lookbackDays: number;
  /** A look-back longer than the configured one repeats requests that were refused as too old. */
  asksForOld: boolean;
  /** Runs that this one continues: slices that they loaded today are not requested again. */
  chain: readonly string[];
  /** Days to hold. */
  range: DayRange;
  /** Today's settings of each endpoint, which earlier answers are compared with. */
  asked: readonly EndpointPlan[];
  /** Only answers of the chain count (`--full`, or days named with `--from` and `--to`). */
  chainOnly: boolean;
}

/** A series, the windows of one kind, or a list. */
export interface CoverageKey extends SeriesKey {
  /** Left out or null: not windows. */
  windowKind?: WindowKind | null;
}

/** The evidence from earlier answers; a plan depends on nothing else. */
export interface Coverage {
  /** Days or windows that the stages of a run need not request; for a list (prompts, models), today if a run of the chain loaded it. */
  settled(key: CoverageKey): readonly DayRange[];
  /** Days or windows without a row according to a single answer: requested once more, after everything else. */
  unconfirmed(key: CoverageKey): readonly DayRange[];
  /** The first day that the nightly request for a series needs before the owed days; null if it needs none. */
  begin(series: SeriesKey): Day | null;
  /** Days of an additional request if the nightly one does not include them: rows that answers lack, and the days that `shownBy` names. */
  missing(series: SeriesKey): readonly DayRange[];
  /** The same days with the known neighbours of rows that answers lack. */
  needed(series: SeriesKey): readonly DayRange[];
  /** Closed windows that are requested only if the server still has their days, by window key. */
  shownBy: ReadonlyMap<string, SeriesDay>;
  /** Whether days fit one answer of a series whose answers end at a limit, by its stored rows; null for any other series. */
  fits(series: SeriesKey): ((days: DayRange) => boolean) | null;
  /** How much of a series or its windows is requested during an alarm. */
  asks(key: CoverageKey): Asks;
}

/**
 * `parts`: the look-back is a range of its own, apart from the rest. `newest`: of the rest, a single slice tests whether it is still
 * refused. `recent`: only the look-back. `nothing`: one of many refused filter values.
 */
export type Asks = 'all' | 'parts' | 'newest' | 'recent' | 'nothing';
