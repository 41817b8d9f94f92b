import { expect, test } from 'vitest';
import { isShrunk, isWitnessed, witnessesOf, type Earlier } from '../../src/believe/vanishing.ts';
import { toDay } from '../../src/day.ts';
import { SYNC_DAY } from '../support/answers.ts';

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
  expect(witnessesOf('gone', earlier, SYNC_DAY)).toBe(witnesses);
});

test('a row goes with two witnesses, and with three where an answer lacks most of what is known', () => {
  expect([1, 2].map((witnesses) => isWitnessed(witnesses, false))).toEqual([false, true]);
  expect([2, 3].map((witnesses) => isWitnessed(witnesses, true))).toEqual([false, true]);
});

test('an answer is suspicious when it lacks more than half of the known rows, and more than three', () => {
  expect([isShrunk(4, 8), isShrunk(4, 7), isShrunk(3, 3)]).toEqual([false, true, false]);
});
