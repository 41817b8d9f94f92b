import { expect, test } from 'vitest';
import { isOfPlan, isQuiet, nextAlarm, unseenAlarm } from '../../src/believe/alarms.ts';
import type { Alarm, Seen } from '../../src/believe/alarms.ts';
import { isShrunk, isWitnessed, witnessesOf, type Earlier } from '../../src/believe/vanishing.ts';
import { addDays, toDay } from '../../src/day.ts';

const TODAY = toDay('2026-03-10');
const FIRST = toDay('2026-03-01');
const DATES = { first_on: FIRST, last_on: toDay('2026-03-09'), asked_on: FIRST };
const BEFORE: Alarm = { ...DATES, days: 3, known_since: null, is_recent: true };
const KNOWN = { ...BEFORE, known_since: toDay('2026-03-05') };
const SEEN: Seen = { isRecent: true, isOld: false, takesAll: false };

test.each<[string, [Alarm | null, Partial<Seen>, Partial<Alarm>]]>([
  ['begins', [null, {}, { first_on: TODAY, days: 1, last_on: TODAY, known_since: null, asked_on: TODAY }]],
  [
    'is known after three days',
    [BEFORE, {}, { days: 4, last_on: TODAY, known_since: TODAY, asked_on: FIRST }],
  ],
  ['is loud for three days', [{ ...BEFORE, days: 2 }, {}, { days: 3, known_since: null }]],
  ['counts a day once', [{ ...BEFORE, last_on: TODAY }, {}, { days: 3, known_since: null }]],
  ['stays known', [KNOWN, {}, { known_since: KNOWN.known_since }]],
  ['that takes all that is new stays loud', [BEFORE, { takesAll: true }, { days: 4, known_since: null }]],
  ['that takes all again is loud', [KNOWN, { takesAll: true }, { known_since: null }]],
  ['says when older days were asked about', [BEFORE, { isOld: true }, { asked_on: TODAY }]],
])('an alarm %s', (_, [before, seen, after]) => {
  expect(nextAlarm(before, { ...SEEN, ...seen }, TODAY)).toMatchObject(after);
});

test('an alarm of three days leaves older days out for a week', () => {
  const quiet = (days: number, ago: number): boolean =>
    isQuiet({ days, asked_on: addDays(TODAY, -ago) }, TODAY);
  expect([quiet(3, 6), quiet(3, 7), quiet(2, 6)]).toEqual([true, false, false]);
});

test.each<[string, Partial<Alarm>, { isOwn?: true; wasAnswered?: true }, Partial<Alarm>]>([
  ['is known where it is of a filter', {}, {}, { known_since: TODAY }],
  ['is as it was where it takes all that is new', {}, { isOwn: true }, { known_since: null }],
  ['is of older days', {}, { isOwn: true, wasAnswered: true }, { known_since: TODAY, is_recent: false }],
  ['is loud for its days', { days: 2 }, {}, { known_since: null }],
  ['is known from the next day on', { last_on: TODAY }, {}, { known_since: null }],
])('an alarm that a run does not see %s', (...[, before, how, after]) => {
  const seen = { isOwn: false, wasAnswered: false, ...how };
  expect(unseenAlarm({ ...BEFORE, ...before }, seen, TODAY)).toMatchObject(after);
});

test('a refusal is of the plan where it says so, or where nothing ever came, in the words of the API', () => {
  const of = (httpStatus: number, isNew: boolean, isOfApi = true): boolean =>
    isOfPlan({ httpStatus, isNew, isOfApi });
  expect([of(402, false), of(403, false), of(404, true), of(501, true)]).toEqual([true, true, true, true]);
  expect([of(404, false), of(403, false, false), of(404, true, false)]).toEqual([false, false, false]);
});

const said = (last_on: string, changes: Partial<Earlier> = {}): Earlier => ({
  change: 'gone',
  witnesses: 1,
  lastOn: toDay(last_on),
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
