import type { Day, DayRange } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { SeriesKey, Slice, SliceTarget, WindowKind } from '../slice.ts';

/** A day of the unfiltered series of a project. */
export interface SeriesDay {
  endpoint: string;
  projectId: string;
  day: Day;
}

/** What answers of earlier days are compared with. */
export interface AskedToday {
  endpoint: Endpoint;
  askedWith: string;
  limit: number | null;
  /** Look-back of this endpoint; left out: that of the run. */
  lookbackDays?: number | undefined;
  /** The daily series that shows whether the server remembers a closed window; null where none is asked. */
  series: string | null;
}

/** Decides which stored answers still count. */
export interface CoverageQuestion {
  today: Day;
  lookbackDays: number;
  /** A look-back longer than the configured one asks again for what the server refused as too old. */
  asksForOld: boolean;
  /** Runs that this one continues: slices they loaded today are not asked for again. */
  chain: readonly string[];
  /** Days to hold. */
  range: DayRange;
  /** How each endpoint is asked today. */
  asked: readonly AskedToday[];
  /** Only answers of the chain count (`--full`, or days named with `--from` and `--to`). */
  chainOnly: boolean;
}

/** What is known of the server's answers; a plan depends on nothing else. */
export interface Coverage {
  /** Days that the stages of a run need not ask for. */
  settled(series: SeriesKey): readonly DayRange[];
  /** Days without a row by one answer alone: asked once more, after everything else. */
  unconfirmed(series: SeriesKey): readonly DayRange[];
  /** True when the window's figures need no answer any more. */
  isWindowSettled(target: SliceTarget, windowKind: WindowKind, start: Day): boolean;
  /** First days of windows that are asked once more, after everything else. */
  unconfirmedWindows(target: SliceTarget, windowKind: WindowKind): readonly Day[];
  /** True when a run of the chain loaded this list (prompts, models) today. */
  isListLoaded(list: Slice): boolean;
  /** First day that the nightly question of a series needs beyond what is owed, so that it can answer; null where it needs none. */
  begin(series: SeriesKey): Day | null;
  /** What one request more is sent for where that question does not hold it: rows that answers lack, with the known rows on either side, and those that `shownBy` names. */
  needed(series: SeriesKey): readonly DayRange[];
  /** Closed windows that are asked only where the server shows that it remembers their days, by window key. */
  shownBy: ReadonlyMap<string, SeriesDay>;
  /** How much of a series or of windows is asked, as far as it has an alarm. */
  asks(target: SliceTarget, kind: Kind): Asks;
}

/** What tells the series and windows of one target apart. */
export type Kind = Pick<SeriesKey, 'grain'> & { windowKind: WindowKind | null };

/**
 * `parts`: the look-back is a range of its own, and so is the rest. `newest`: of the rest one slice finds out whether it is
 * refused still. `recent`: the look-back alone. `nothing`: a refused value of a filter, of which there are many.
 */
export type Asks = 'all' | 'parts' | 'newest' | 'recent' | 'nothing';
