import { expect, test } from 'vitest';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days, type SliceChanges } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Visibility of some days of March 2026. */
function visibility(numbers: readonly number[], slice: SliceChanges, value = 1): ArchivedAnswer {
  const body = numbers.map((number) => ({ date: `2026-03-0${String(number)}`, value }));
  return answerOf('visibility', body, { slice });
}

const EARLY = { window: days('2026-03-02', '2026-03-04') };
const LATE = { window: days('2026-03-05', '2026-03-07') };
const BOTH = { window: days('2026-03-02', '2026-03-07') };

test('slices that one loader meets again are compared, and no row is doubled', async () => {
  await using file = await WarehouseFile.open();
  const loader = await file.loader();
  const load = async (...answers: ArchivedAnswer[]) => {
    const entries = await loader.load(answers.map((answer) => ({ kind: 'answered', answer })));
    return entries.map(({ counts: { inserted, updated, unchanged, held } }) => [
      inserted,
      updated,
      unchanged,
      held,
    ]);
  };
  expect(await load(visibility([2, 3, 4], EARLY))).toEqual([[3, 0, 0, 0]]);
  expect(
    await load(visibility([5, 6, 7], LATE), visibility([2, 3], { ...EARLY, scope: 'model', scopeId: 'm' })),
  ).toEqual([
    [3, 0, 0, 0],
    [2, 0, 0, 0],
  ]);
  expect(await load(visibility([2, 3, 4, 5, 6, 7], BOTH))).toEqual([[0, 0, 6, 0]]);
  expect(await load(visibility([2, 3, 4, 5, 6, 7], BOTH, 2))).toEqual([[0, 6, 0, 0]]);
  const doubled =
    'select 1 from core.visibility group by project_id, grain, date, scope, scope_id having count(*) > 1';
  expect(await file.rows(doubled)).toEqual([]);
});
