import { addDays, type Day, type DayRange } from '../day.ts';

/** Bits of one number that JavaScript holds exactly. */
const BLOCK_DAYS = 50;
const DAY_ONE = "date '0001-01-01'";

/** The days of a series in a block of days: bit 0 stands for the first one. */
export interface DayBlock {
  block: Day;
  bits: number;
}

/**
 * The query for blocks of days, in order, by the columns `keys`; `windows` is a query for these and `first_day` and `last_day`.
 * After a year of nights a series has hundreds of windows that overlap: their bits are or-ed together, and nothing is sorted.
 */
export function selectDayBlocks(windows: string, keys: string): string {
  return `with days as (
      select ${keys}, first_day - ${DAY_ONE} as first_day, last_day - ${DAY_ONE} as last_day
      from (${windows}) where last_day >= first_day
    ), blocks as (
      select ${keys}, first_day, last_day,
        unnest(range(first_day - first_day % ${String(BLOCK_DAYS)}, last_day + 1, ${String(BLOCK_DAYS)})) as block
      from days
    )
    select ${keys}, ${DAY_ONE} + cast(block as integer) as block, bit_or(
      (cast(1 as bigint) << least(last_day + 1 - block, ${String(BLOCK_DAYS)})) - (cast(1 as bigint) << greatest(first_day - block, 0))
    ) as bits
    from blocks group by ${keys}, block order by block`;
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
