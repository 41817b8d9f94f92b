import { expect, test } from 'vitest';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { days, type SliceChanges } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { week } from './lists.ts';

test('slices that one loader meets again are compared, and no row is doubled', async () => {
  await using file = await WarehouseFile.open();
  const loader = await file.loader();
  /** Inserted, updated and unchanged rows of each answer. */
  const load = async (...answers: ArchivedAnswer[]): Promise<string[]> => {
    const entries = await loader.load(answers.map((answer) => ({ kind: 'answered', answer })));
    return entries.map(({ counts: { inserted, updated, unchanged } }) =>
      [inserted, updated, unchanged].join(),
    );
  };
  const early: SliceChanges = { window: days('2026-03-02', '2026-03-04') };
  const late: SliceChanges = { window: days('2026-03-05', '2026-03-07') };
  const both: SliceChanges = { window: days('2026-03-02', '2026-03-07') };
  const ofModel: SliceChanges = { ...early, scope: 'model', scopeId: 'm' };
  const none = [undefined, undefined, undefined];
  expect(await load(week([1, 1, 1], { slice: early }))).toEqual(['3,0,0']);
  const apart = await load(week([...none, 1, 1, 1], { slice: late }), week([1, 1], { slice: ofModel }));
  expect(apart).toEqual(['3,0,0', '2,0,0']);
  expect(await load(week([1, 1, 1, 1, 1, 1], { slice: both }))).toEqual(['0,0,6']);
  expect(await load(week([2, 2, 2, 2, 2, 2], { slice: both }))).toEqual(['0,6,0']);
  const keys = 'select count(*) = count(distinct (grain, date, scope, scope_id)) from core.visibility';
  expect(await file.column(keys)).toEqual([true]);
});
