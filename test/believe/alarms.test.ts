import { expect, test } from 'vitest';
import { isKnown, isQuiet, nextAlarm, type Alarm, type Seen } from '../../src/believe/alarms.ts';
import { isShrunk, isWitnessed, witnessesOf, type Earlier } from '../../src/believe/vanishing.ts';
import { addDays, toDay } from '../../src/day.ts';

const TODAY = toDay('2026-03-10');
const BEFORE: Alarm = {
  firstOn: toDay('2026-03-01'),
  days: 3,
  lastOn: toDay('2026-03-09'),
  knownSince: null,
  periods: 2,
};
const SEEN: Seen = { reason: 'refused', periods: 2, isRecent: false };
const NEW = { firstOn: TODAY, days: 1, lastOn: TODAY, knownSince: null };

test.each<[string, [Alarm | null, Partial<Seen>, Partial<Alarm>]]>([
  ['begins', [null, {}, { ...NEW, periods: 2 }]],
  ['begins again when it is about twice as many periods', [BEFORE, { periods: 4 }, { ...NEW, periods: 4 }]],
  [
    'is known after three days',
    [BEFORE, { periods: 3 }, { days: 4, lastOn: TODAY, knownSince: TODAY, periods: 2 }],
  ],
  ['is loud for three days', [{ ...BEFORE, days: 2 }, {}, { days: 3, knownSince: null }]],
  ['counts a day once', [{ ...BEFORE, lastOn: TODAY }, {}, { days: 3, knownSince: null }]],
  [
    'stays known',
    [{ ...BEFORE, days: 5, knownSince: toDay('2026-03-05') }, {}, { knownSince: toDay('2026-03-05') }],
  ],
  [
    'of recent bad rows stays loud',
    [BEFORE, { reason: 'bad_row', isRecent: true }, { days: 4, knownSince: null }],
  ],
  ['of old bad rows is known', [BEFORE, { reason: 'bad_row' }, { days: 4, knownSince: TODAY }]],
  ['of a whole series goes on', [{ ...BEFORE, periods: null }, { periods: 9 }, { days: 4, periods: null }]],
])('an alarm %s', (_, [before, seen, after]) => {
  expect(nextAlarm(before, { ...SEEN, ...seen }, TODAY)).toMatchObject(after);
});

test('an alarm of three days is quiet for a week after it was asked about, and known from the next day on', () => {
  const quiet = (days: number, ago: number, lastOn = BEFORE.lastOn): boolean =>
    isQuiet({ days, lastOn, askedOn: addDays(TODAY, -ago) }, TODAY);
  expect([quiet(3, 6), quiet(3, 7), quiet(2, 6), quiet(3, 6, TODAY)]).toEqual([true, false, false, false]);
  const known = (before: Partial<Alarm>, seen: Partial<Seen> = {}): boolean =>
    isKnown({ ...BEFORE, ...before }, { ...SEEN, ...seen }, TODAY);
  expect([known({}), known({ days: 2 }), known({ lastOn: TODAY })]).toEqual([true, false, false]);
  const recent = { isRecent: true };
  expect([known({}, recent), known({}, { ...recent, reason: 'bad_row' })]).toEqual([true, false]);
});

const said = (lastOn: string, changes: Partial<Earlier> = {}): Earlier => ({
  change: 'gone',
  witnesses: 1,
  lastOn: toDay(lastOn),
  ...changes,
});

test.each<[string, Earlier | null, number]>([
  ['no earlier answer lacked it', null, 1],
  ['an answer of the same sync day lacked it', said('2026-03-10'), 1],
  ['an earlier answer emptied it', said('2026-03-09', { change: 'emptied' }), 1],
  ['an answer of an earlier sync day lacked it', said('2026-03-09'), 2],
  ['answers of two sync days lacked it', said('2026-03-09', { witnesses: 2 }), 3],
])('a row that an answer lacks has its witnesses when %s', (_title, earlier, witnesses) => {
  expect(witnessesOf('gone', earlier, TODAY)).toBe(witnesses);
});

test('a row goes with two witnesses, and with three where an answer lacks most of what is known', () => {
  expect([1, 2].map((witnesses) => isWitnessed(witnesses, false))).toEqual([false, true]);
  expect([2, 3].map((witnesses) => isWitnessed(witnesses, true))).toEqual([false, true]);
});

test('an answer is suspicious when it lacks more than half of the known rows, and more than three', () => {
  expect([isShrunk(4, 8), isShrunk(4, 7), isShrunk(3, 3)]).toEqual([false, true, false]);
});
