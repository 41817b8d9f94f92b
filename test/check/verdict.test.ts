import { expect, test } from 'vitest';
import {
  effectOf,
  endDateSeen,
  endDateVerdicts,
  isSparse,
  listVerdicts,
  readRefusal,
  weekVerdicts,
  type EndDate,
  type ListSeen,
} from '../../src/check/verdict.ts';
import { toDay, type Day } from '../../src/day.ts';
import { days } from '../support/answers.ts';

/** Days of March. */
const march = (...numbers: number[]): Day[] =>
  numbers.map((day) => toDay(`2026-03-${String(day).padStart(2, '0')}`));

test.each<[number[], EndDate | null]>([
  [[2, 3, 4, 5], 'inclusive'],
  [[5], 'inclusive'],
  [[2, 3, 4], 'exclusive'],
  [[2, 4], null],
  [[], null],
  [[1, 2, 3, 4], 'ignored'],
  [[2, 3, 4, 5, 6], 'ignored'],
])('an answer to 2 to 5 March with the days %j says of endDate: %s', (numbers, found) => {
  const window = days('2026-03-02', '2026-03-05');
  expect(endDateSeen(march(1, 2, 3, 4, 5, 6), march(...numbers), window)).toBe(found);
  // Of one other day, chance may have left out the last.
  expect(endDateSeen(march(4, 5), march(4), window)).toBeNull();
});

test('readings of endDate are one setting where all differ alike, and else a line each', () => {
  const told = (configured: 'inclusive' | 'exclusive', found: EndDate | null, endpoint = 'a') => ({
    endpoint,
    family: [endpoint, `${endpoint}2`],
    configured,
    found,
  });
  const lines = (...all: ReturnType<typeof told>[]) =>
    endDateVerdicts(all).map(({ verdict, setting, endpoints }) => [verdict, setting, endpoints.join()]);
  const none = told('inclusive', null, 'c');
  expect(lines(told('inclusive', 'exclusive'), told('inclusive', 'exclusive', 'b'), none)).toEqual([
    ['to set', 'api.end_date: exclusive', 'a,a2,b,b2'],
    ['cannot tell', null, 'c,c2'],
  ]);
  expect(lines(told('inclusive', 'exclusive'), told('inclusive', 'inclusive', 'b'))).toEqual([
    ['to set', 'sync.endpoints.a.end_date: exclusive, sync.endpoints.a2.end_date: exclusive', 'a,a2'],
    ['as documented', null, 'b,b2'],
  ]);
  expect(lines(told('exclusive', 'exclusive'), told('exclusive', 'ignored', 'b'))).toEqual([
    ['as set', null, 'a,a2'],
    ['to set', 'sync.endpoints.b.parameters', 'b,b2'],
  ]);
});

test('weeks are seven days apart, and begin on the weekday of the first', () => {
  const words = (starts: Day[]) =>
    weekVerdicts(starts, 'a').map(([, [verdict, text]]) => `${verdict}: ${text}`);
  expect(words(march(2, 9, 23))).toEqual([
    'as documented: the parameter changes the answer',
    'as documented: weeks begin on Monday',
  ]);
  expect(words(march(1, 8)).at(-1)).toBe('nothing to set: weeks begin on Sunday');
  expect(words(march(2, 9, 10))).toEqual(['to set: grouping by week has no effect']);
  expect(words(march(2))).toEqual(['cannot tell: too few weeks with figures']);
  expect([march(2, 4, 9), march(2, 4), march(2, 3, 9)].map(isSparse)).toEqual([true, false, false]);
});

test('a filter has an effect where the answers differ on days that both have', () => {
  const effect = (agrees: boolean | null, setting: string | null = 'a') => effectOf(agrees, setting)[0];
  expect([effect(false), effect(true), effect(true, null), effect(null)]).toEqual([
    'as documented',
    'to set',
    'nothing to set',
    'cannot tell',
  ]);
});

test('a list is judged by its total, its pages and their size', () => {
  const seen = (ids: string, total: number | null): ListSeen => ({ asked: 2, total, ids: ids.split('') });
  const words = (first: ListSeen, second: ListSeen | null = null) =>
    listVerdicts('a', first, second).map(([topic, [verdict]]) => `${topic}: ${verdict}`);
  const full = 'page size: as documented';
  expect(words(seen('ab', 3), seen('c', 3))).toEqual(['total: as documented', full]);
  expect(words(seen('ab', 2), seen('', 2))).toEqual(['total: as documented', full]);
  expect(words(seen('ab', 2), seen('c', 2))).toEqual(['total: unusable', full]);
  expect(words(seen('ab', 3), seen('', 3))).toEqual(['total: unusable', full]);
  expect(words(seen('ab', null))).toEqual(['total: unusable', full]);
  expect(words(seen('ab', 4), seen('ab', 4))).toEqual(['paging: to set', 'total: as documented', full]);
  expect(words(seen('a', 2), seen('b', 2))).toEqual(['total: as documented', 'page size: to set']);
  expect(words(seen('abc', 3))).toEqual(['total: as documented', 'page size: to set']);
  expect(words(seen('', 0))).toEqual(['total: cannot tell', 'page size: cannot tell']);
  expect(words(seen('a', 1))).toEqual(['total: as documented', 'page size: cannot tell']);
});

test('a refusal names the oldest day or the longest window', () => {
  expect(readRefusal('not before 2026-03-02')).toEqual({ oldest: '2026-03-02', longest: null });
  expect(readRefusal('at most 60 days')).toEqual({ oldest: null, longest: 60 });
  expect(readRefusal(null)).toEqual({ oldest: null, longest: null });
});
