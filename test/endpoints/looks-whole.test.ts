import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { brandVisibility } from '../../src/endpoints/visibility.ts';
import { seriesSlice } from '../../src/slice.ts';

const WINDOW = { start: toDay('2026-07-01'), end: toDay('2026-07-10') };
const TARGET = { endpoint: 'brand_visibility', projectId: 'p', scope: 'project', scopeId: 'p' } as const;
const SLICE = seriesSlice(TARGET, 'day', WINDOW);

/** Five brands on so many days: 50 rows on ten. */
function points(days: number): object[] {
  return Array.from({ length: days * 5 }, (_, index) => ({
    date: addDays(WINDOW.start, Math.floor(index / 5)),
    brand: { id: `b${String(index % 5)}` },
  }));
}

function looksWhole(list: readonly object[]): boolean {
  const { paging } = brandVisibility;
  if (paging.kind !== 'offset') throw new Error('brands are paged by offset');
  return paging.looksWhole(list, SLICE);
}

it('a list of brands without an offset looks whole when each has each day up to the end of the window', () => {
  expect(looksWhole(points(10))).toBe(true);
  expect(looksWhole(points(8))).toBe(true);
});

it.each([
  ['a day', points(10).slice(1)],
  ['the end of the window', points(7)],
  ['a day that can be read', [...points(10).slice(1), { date: 7, brand: { id: 'b0' } }]],
])('a list of brands without an offset may be cut off when it lacks %s', (_, list) => {
  expect(looksWhole(list)).toBe(false);
});
