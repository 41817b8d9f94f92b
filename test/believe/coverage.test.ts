import { describe, expect, test } from 'vitest';
import {
  newestTaken,
  NOTHING_KNOWN,
  owedAfter,
  owedElsewhere,
  owedOutside,
  reachOf,
  type KnownSeries,
  type OwedReason,
  type OwedRange,
  type Witness,
} from '../../src/believe/coverage.ts';
import { toDay, type Day } from '../../src/day.ts';
import { days, SYNC_DAY, WEEK } from '../support/answers.ts';

/** March days by number; 10 is the sync day. */
const march = (day: number): Day => toDay(`2026-03-${String(day).padStart(2, '0')}`);
const marchDays = (...numbers: number[]): Set<Day> => new Set(numbers.map(march));

/** A whole answer to 2 to 8 March by day, asked on the 10th, without a row. */
function witness(changes: Partial<Witness> = {}): Witness {
  return {
    window: WEEK,
    grain: 'day',
    syncDay: SYNC_DAY,
    taken: new Set(),
    refused: new Set(),
    isWhole: true,
    isIncomplete: false,
    lookbackDays: 5,
    ...changes,
  };
}

/** A witness, and the series before it. */
type OwedAfter = Partial<Witness> & { known?: KnownSeries };

describe('an answer reaches', () => {
  test.each<[string, Partial<Witness>, [number, number] | null]>([
    ['from the first taken row of a series to the last', { taken: marchDays(5, 3, 4) }, [3, 5]],
    ['nothing of a series without a row', {}, null],
    ['nothing when it is not whole', { taken: marchDays(3), isWhole: false }, null],
    ['the look-back and the end of a list of events', { grain: null }, [5, 8]],
    [
      'a list of events from a first day before the look-back',
      { grain: null, taken: marchDays(7, 3) },
      [3, 8],
    ],
    [
      'a list of events from the look-back, not from a first day after it',
      { grain: null, taken: marchDays(7) },
      [5, 8],
    ],
    ['no day before the window of a list of events', { grain: null, lookbackDays: 40 }, [2, 8]],
    ['the last day of a list of events alone', { grain: null, lookbackDays: 2 }, [8, 8]],
    ['nothing of a list of events that ends before the look-back', { grain: null, lookbackDays: 1 }, null],
  ])('%s', (_title, changes, reached) => {
    const expected = reached === null ? null : { start: march(reached[0]), end: march(reached[1]) };
    expect(reachOf(witness(changes), false)).toEqual(expected);
  });

  test('its whole window when the loss is accepted, unless it is not whole', () => {
    expect(reachOf(witness(), true)).toEqual(WEEK);
    expect(reachOf(witness({ isWhole: false }), true)).toBeNull();
  });
});

/** `refused 3..4` or, of an answer of another day than the sync day, `unconfirmed 3..7@9`. */
function ranges(text: string): OwedRange[] {
  return [...text.matchAll(/(\w+) (\d+)\.\.(\d+)(?:@(\d+))?/g)].map(([, reason, first, last, day]) => ({
    reason: reason as OwedReason,
    start: march(Number(first)),
    end: march(Number(last)),
    witnessedOn: march(Number(day ?? 10)),
  }));
}

const behind = (last: number): KnownSeries => ({ last: march(last), owed: [] });
const owed = (text: string): KnownSeries => ({ last: null, owed: ranges(text) });
const weeks = { grain: 'week', window: days('2026-03-02', '2026-03-20'), syncDay: march(30) } as const;
const nameless = new Set([null]);

test.each<[string, OwedAfter, string]>([
  ['all of a series that never had a row', {}, 'unconfirmed 2..8'],
  ['those behind the newest row of the answer', { taken: marchDays(3, 5) }, 'unconfirmed 6..8'],
  ['those behind the newest known row', { known: behind(6) }, 'unconfirmed 7..8'],
  ['none before the newest known row', { taken: marchDays(3), known: behind(8) }, ''],
  ['only days that are over', { window: days('2026-03-08', '2026-03-12') }, 'unconfirmed 8..9'],
  ['those that an answer of the same day lacked', { known: owed('unconfirmed 2..8') }, 'unconfirmed 2..8'],
  [
    'none that an answer of an earlier day lacked',
    { known: owed('unconfirmed 3..7@9') },
    'unconfirmed 2..2 unconfirmed 8..8',
  ],
  [
    'those that an answer of a later day lacked',
    { known: owed('unconfirmed 2..4@11') },
    'unconfirmed 2..4@11 unconfirmed 5..8',
  ],
  [
    'those owed for another reason, from today',
    { known: owed('incomplete 2..8@9 refused 2..8@9') },
    'unconfirmed 2..8',
  ],
  ['those of refused rows', { taken: marchDays(2, 4, 8), refused: marchDays(3, 4) }, 'refused 3..4'],
  [
    'all without a row after a refused row without a day',
    { taken: marchDays(2, 3, 8), refused: nameless },
    'refused 4..7',
  ],
  ['all of an incomplete answer', { taken: marchDays(2, 8), isIncomplete: true }, 'incomplete 2..8'],
  [
    'refused ones before incomplete ones',
    { isIncomplete: true, refused: marchDays(4) },
    'incomplete 2..3 refused 4..4 incomplete 5..8',
  ],
  [
    'apart where days between them have a row',
    { refused: marchDays(3, 5), taken: marchDays(4, 8) },
    'refused 3..3 refused 5..5',
  ],
  ['of things with dates, by day', { grain: null, known: behind(6) }, 'unconfirmed 7..8'],
  ['weeks in one range, by their first days', { ...weeks, known: behind(1) }, 'unconfirmed 2..16@30'],
  ['weeks behind the week of a row', { ...weeks, taken: marchDays(11) }, 'unconfirmed 16..16@30'],
  ['no week whose last day is the sync day', { grain: 'week', syncDay: march(8) }, ''],
  ['the week of a refused row', { grain: 'week', refused: marchDays(5) }, 'refused 2..2'],
  [
    'weeks without a row after a refused row without a day',
    { ...weeks, known: behind(8), refused: nameless, taken: marchDays(2) },
    'refused 9..16@30',
  ],
])('days that stay owed are %s', (_title, { known = NOTHING_KNOWN, ...changes }, expected) => {
  expect(owedAfter(witness(changes), known)).toEqual(ranges(expected));
});

test('the newest period with a row is the newest of this answer and of those before it', () => {
  const taken = marchDays(6, 8, 3);
  expect(newestTaken(witness({ taken }), NOTHING_KNOWN)).toBe(march(8));
  expect(newestTaken(witness({ taken }), { last: march(9), owed: [] })).toBe(march(9));
  expect(newestTaken(witness({ taken, grain: 'week' }), { last: toDay('2026-02-23'), owed: [] })).toBe(
    march(2),
  );
  expect(newestTaken(witness({ taken, grain: null }), NOTHING_KNOWN)).toBe(march(8));
  expect(newestTaken(witness(), NOTHING_KNOWN)).toBeNull();
});

test('a series that never had a row owes its other days until an answer of a later day has none either', () => {
  const known = owed('unconfirmed 1..1@9');
  expect(owedElsewhere(witness(), known)).toEqual([]);
  const ofToday = owed('unconfirmed 1..1@10');
  expect(owedElsewhere(witness(), ofToday)).toEqual(ofToday.owed);
  for (const changes of [{ isIncomplete: true }, { taken: marchDays(3), refused: marchDays(4) }])
    expect(owedElsewhere(witness(changes), known)).toEqual(known.owed);
});

test('owed ranges are cut where they reach into the window of the answer', () => {
  const before = ranges(
    'refused 1..3 refused 4..5 refused 7..9 unconfirmed 1..1 unconfirmed 9..9 refused 1..9',
  );
  const outside = ranges(
    'refused 1..1 refused 9..9 unconfirmed 1..1 unconfirmed 9..9 refused 1..1 refused 9..9',
  );
  expect(owedOutside(before, WEEK)).toEqual(outside);
});
