import { describe, expect, test } from 'vitest';
import { reachOf, saidOf, type Said, type SaidRange, type Witness } from '../../src/believe/coverage.ts';
import { toDay, type Day } from '../../src/day.ts';
import { days, WEEK } from '../support/answers.ts';

/** March days by number. */
const march = (day: number): Day => toDay(`2026-03-${String(day).padStart(2, '0')}`);
const on = (...numbers: number[]): Set<Day> => new Set(numbers.map(march));

/** A whole answer to 2 to 8 March by day, without a row. */
function witness(changes: Partial<Witness> = {}): Witness {
  const none = { taken: new Set<Day>(), refused: new Set<Day>() };
  return { window: WEEK, grain: 'day', ...none, isIncomplete: false, isTruncated: false, ...changes };
}

describe('an answer reaches', () => {
  test.each<[string, Partial<Witness>, [number, number] | null]>([
    ['from the first taken row of a series to the last', { taken: on(5, 3, 4) }, [3, 5]],
    ['nothing of a series without a row', {}, null],
    ['nothing when its pages do not prove that it is whole', { taken: on(3), isIncomplete: true }, null],
    ['nothing of a series whose list was cut off', { taken: on(3), isTruncated: true }, null],
    ['from the first event to the end of its window', { grain: null, taken: on(4, 6) }, [4, 8]],
    ['nothing of a list of events without one', { grain: null }, null],
    ['nothing of a window: that is whole or not', { grain: 'window', taken: on(2) }, null],
    ['six days around the weeks that were taken, within its window', { grain: 'week', taken: on(4) }, [2, 8]],
  ])('%s', (_title, changes, reached) => {
    const expected = reached === null ? null : { start: march(reached[0]), end: march(reached[1]) };
    expect(reachOf(witness(changes))).toEqual(expected);
  });
});

/** `row 3..4` for each range. */
function ranges(text: string): SaidRange[] {
  return [...text.matchAll(/(\w+) (\d+)\.\.(\d+)/g)].map(([, said, first, last]) => ({
    said: said as Said,
    start: march(Number(first)),
    end: march(Number(last)),
  }));
}

const weeks = { grain: 'week', window: days('2026-03-02', '2026-03-22') } as const;
const nameless = new Set([null]);
const INCOMPLETE = { isIncomplete: true };

test.each<[string, Partial<Witness>, string]>([
  ['nothing of any day without a row', {}, 'none 2..8'],
  ['the days with a row', { taken: on(3, 4, 6) }, 'none 2..2 row 3..4 none 5..5 row 6..6 none 7..8'],
  ['that a row cannot be read', { taken: on(2, 3), refused: on(3) }, 'row 2..2 bad_row 3..3 none 4..8'],
  // Any of the days without a row may be the one that cannot be read.
  ['that a day cannot be read', { taken: on(2, 3), refused: nameless }, 'row 2..3 bad_row 4..8'],
  ['that no day is proven when the list is not', { ...INCOMPLETE, taken: on(3) }, 'incomplete 2..8'],
  ['a refused row first', { ...INCOMPLETE, refused: on(4) }, 'incomplete 2..3 bad_row 4..4 incomplete 5..8'],
  ['weeks by their first day', { ...weeks, taken: on(9) }, 'none 2..2 row 9..9 none 16..16'],
  ['the week that holds another weekday', { ...weeks, taken: on(11) }, 'none 2..2 row 9..9 none 16..16'],
  ['of a window by its first day', { grain: 'window', taken: on(2) }, 'row 2..2'],
  ['nothing of a window', { grain: 'window' }, 'none 2..2'],
  ['a refused row of a window', { grain: 'window', taken: on(2), refused: nameless }, 'bad_row 2..2'],
])('an answer says %s', (_title, changes, expected) => {
  expect(saidOf(witness(changes))).toEqual(ranges(expected));
});
