import { describe, expect, test } from 'vitest';
import {
  datedSlice,
  describeSlice,
  flatSlice,
  listSlice,
  SLICE_COLUMNS,
  sliceKey,
  sliceOfColumns,
  sliceValues,
  seriesSlice,
  windowSlice,
  type Slice,
} from '../src/slice.ts';
import { days, WEEK } from './support/answers.ts';

const target = { endpoint: 'visibility', projectId: 'p', scope: 'model', scopeId: 'm' } as const;
const LATER = days('2026-03-02', '2026-03-09');

const slices: readonly Slice[] = [
  listSlice(target),
  listSlice({ ...target, projectId: null }),
  seriesSlice(target, 'week', WEEK),
  datedSlice(target, WEEK),
  windowSlice(target, 'month', WEEK),
];

describe.each(slices)('a slice of kind $kind', (slice) => {
  test(`a slice of kind ${slice.kind} is the same after it was flattened`, () => {
    expect(sliceOfColumns(flatSlice(slice))).toEqual(slice);
  });

  test(`a slice of kind ${slice.kind} has its values in the order of the columns`, () => {
    const values = sliceValues(slice);
    expect(Object.fromEntries(SLICE_COLUMNS.map((column, index) => [column, values[index]]))).toEqual(
      flatSlice(slice),
    );
  });
});

test('columns of a series without days make no slice', () => {
  const flat = flatSlice(seriesSlice(target, 'day', WEEK));
  const month = flatSlice(windowSlice(target, 'month', WEEK));
  for (const columns of [flat, month]) {
    expect(sliceOfColumns({ ...columns, window_start: null, window_end: null })).toBeNull();
  }
  expect(sliceOfColumns({ ...flat, window_start: null })).toBeNull();
  expect(sliceOfColumns({ ...flat, window_end: null })).toBeNull();
});

test('slices of one series have one key, window answers of two starts have two', () => {
  expect(sliceKey(seriesSlice(target, 'day', WEEK))).toBe(sliceKey(seriesSlice(target, 'day', LATER)));
  expect(sliceKey(seriesSlice(target, 'day', WEEK))).not.toBe(sliceKey(seriesSlice(target, 'week', WEEK)));
  const month = sliceKey(windowSlice(target, 'month', WEEK));
  expect(month).toBe(sliceKey(windowSlice(target, 'month', LATER)));
  expect(month).not.toBe(sliceKey(windowSlice(target, 'month', days('2026-02-01', '2026-02-28'))));
});

const WEEKLY = seriesSlice({ ...target, scope: 'project' }, 'week', WEEK);

test.each<[Slice, string]>([
  [listSlice(target), 'visibility of project p model=m'],
  [listSlice({ ...target, projectId: null, scope: 'project' }), 'visibility'],
  [WEEKLY, 'visibility of project p by week 2026-03-02..2026-03-08'],
  [datedSlice(target, WEEK), 'visibility of project p model=m 2026-03-02..2026-03-08'],
  [windowSlice(target, 'month', WEEK), 'visibility of project p model=m by month 2026-03-02..2026-03-08'],
])('a slice is described in one line: %#', (slice, line) => {
  expect(describeSlice(slice)).toBe(line);
});

test('slices of no project and of different kinds of window have keys of their own', () => {
  const month = windowSlice(target, 'month', WEEK);
  const none = listSlice({ ...target, projectId: null });
  const keys = [listSlice(target), none, month, { ...month, windowKind: 'last_7_days' as const }];
  expect(new Set(keys.map(sliceKey)).size).toBe(keys.length);
  expect(sliceKey(none)).toBe(sliceKey(listSlice({ ...target, projectId: '' })));
});
