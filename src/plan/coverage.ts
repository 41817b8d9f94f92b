import { isFinal } from '../believe/terms.ts';
import { addDays, type Day, type DayRange } from '../day.ts';
import { seriesKey, sliceKey, windowKey } from '../slice.ts';
import { uncovered } from './cut.ts';
import type { Coverage } from './plan.ts';

/** Decides which stored answers still count. */
export interface CoverageQuestion {
  today: Day;
  lookbackDays: number;
  /** A look-back longer than the configured one asks again for what the server refused as too old. */
  asksForOld: boolean;
  /** Runs that this one continues: slices they loaded today are not asked for again. */
  chain: readonly string[];
  /** How each endpoint is asked today. */
  asked: readonly { endpoint: string; askedWith: string; limit: number | null }[];
  /** Only answers of the chain count (`--full`, or days named with `--from` and `--to`). */
  chainOnly: boolean;
}

/** What the ledger says of the answers that count, by the keys of slices. */
export interface LedgerFacts {
  /** Days that are final, or that a run of the chain asked for today. */
  settled: ReadonlyMap<string, readonly DayRange[]>;
  /** Days and windows that are asked again although an answer was loaded for them. */
  owedDays: ReadonlyMap<string, readonly DayRange[]>;
  owedWindows: ReadonlySet<string>;
  /** Days of series without any row that no later sync day has confirmed. */
  unconfirmed: ReadonlyMap<string, readonly DayRange[]>;
  windows: ReadonlyMap<string, { syncDay: Day; timezone: string | null; isOfChain: boolean }>;
  /** Lists that a run of the chain loaded today. */
  lists: ReadonlySet<string>;
}

/** What needs no answer any more. */
export function coverageOf(facts: LedgerFacts, question: CoverageQuestion): Coverage {
  const { today, lookbackDays, chainOnly } = question;
  return {
    settled: (series) => {
      const key = seriesKey(series);
      const ranges = facts.settled.get(key) ?? [];
      const owed = facts.owedDays.get(key) ?? [];
      return ranges.flatMap((range) => uncovered(range, owed));
    },
    unconfirmed: (series) => facts.unconfirmed.get(seriesKey(series)) ?? [],
    isWindowSettled: (window) => {
      const key = windowKey(window, window.windowKind, window.start);
      const known = facts.windows.get(key);
      if (known === undefined) return false;
      const { syncDay, timezone, isOfChain } = known;
      if (isOfChain && syncDay === today) return true;
      if (facts.owedWindows.has(key) || (chainOnly && !isOfChain)) return false;
      return isFinal(window.lastDay, { syncDay, lookbackDays, timezone });
    },
    isListLoaded: (list) => facts.lists.has(sliceKey(list)),
  };
}

/** Bits of one number that JavaScript holds exactly. */
export const BLOCK_DAYS = 50;

/** The days of a series in a block of days: bit 0 stands for the first one. */
export interface DayBlock {
  block: Day;
  bits: number;
}

/** The ranges of days of a series, in order, from its blocks in order. */
export function rangesOf(blocks: readonly DayBlock[]): DayRange[] {
  const ranges: DayRange[] = [];
  for (const { block, bits } of blocks) {
    for (const [first, last] of runsOf(bits)) {
      const [start, end] = [addDays(block, first), addDays(block, last)];
      const before = ranges.at(-1);
      const isNext = before !== undefined && addDays(before.end, 1) === start;
      if (isNext) ranges.pop();
      ranges.push({ start: isNext ? before.start : start, end });
    }
  }
  return ranges;
}

/** First and last place of each run of ones. */
function* runsOf(bits: number): Generator<[number, number]> {
  let first = -1;
  for (let place = 0, left = bits; place <= BLOCK_DAYS; place += 1, left = Math.floor(left / 2)) {
    if (left % 2 === 1) {
      if (first < 0) first = place;
    } else if (first >= 0) {
      yield [first, place - 1];
      first = -1;
    }
  }
}
