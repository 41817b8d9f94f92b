import { expect, test } from 'vitest';
import { goesNow, isSuspicious, type Missing } from '../../src/believe/vanishing.ts';
import { toDay } from '../../src/day.ts';
import { SYNC_DAY } from '../support/answers.ts';

const gone = { change: 'gone', isClosed: true, earlier: null, witnessedOn: null } as const;
const on = (day: string, earlier: Missing['earlier'] = 'gone'): Missing => ({
  ...gone,
  earlier,
  witnessedOn: toDay(day),
});

test.each<[string, Missing, boolean]>([
  ['waits when no earlier answer lacked it', gone, false],
  ['waits when only an answer of the same day lacked it', on('2026-03-10'), false],
  ['waits when an earlier answer said something else of it', on('2026-03-09', 'emptied'), false],
  ['goes when an answer of an earlier day said the same', on('2026-03-09'), true],
  ['goes at once when its day is still running', { ...gone, isClosed: false }, true],
])('a row that an answer lacks %s', (_title, missing, goes) => {
  expect(goesNow(missing, { syncDay: SYNC_DAY, acceptShrink: false })).toBe(goes);
  expect(goesNow(missing, { syncDay: SYNC_DAY, acceptShrink: true })).toBe(true);
});

test('an answer is suspicious when it lacks more than half of the known rows', () => {
  expect([isSuspicious(1, 2), isSuspicious(2, 3), isSuspicious(1, 3)]).toEqual([false, true, false]);
});
