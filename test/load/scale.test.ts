import { expect, test } from 'vitest';
import type { LoadRun } from '../../src/load/load-run.ts';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { week } from './lists.ts';

const SCORES = [47.3, 51.2, 50, 44.25, 38.6, 40.1, 45.9];
const VALUES = 'select visibility from core.visibility order by date';

/** What is stored of two nights, and the second one's status and alarm. */
async function stored(
  file: WarehouseFile,
  [first, second]: readonly [readonly number[], readonly unknown[]],
  run: Partial<LoadRun> = {},
): Promise<unknown[]> {
  await file.answered(1, week(first));
  const { status, failure } = await file.answered(2, week(second), run);
  return [status, failure?.alarm ?? null, await file.column(VALUES)];
}

const times = (factor: number, digits: number): number[] =>
  SCORES.map((score) => Number((score * factor).toFixed(digits)));

test.each([
  ['percentages that become fractions', SCORES, times(0.01, 3)],
  ['fractions of two digits that become percentages', times(0.01, 2), SCORES],
  ['tenths', SCORES, times(0.1, 1)],
  ['thousandths', SCORES, times(0.001, 6)],
])('%s are another scale: nothing is stored, with an alarm', async (_title, first, second) => {
  await using file = await WarehouseFile.open();
  expect(await stored(file, [first, second])).toEqual(['failed', 'scale', first]);
  expect(await file.column("select distinct asked_on from meta.asked_days where state = 'row'")).toEqual([
    '2026-03-10',
  ]);
  const [message] = await file.column('select error_message from meta.slices');
  expect(message).toMatch(
    /all 7 known figures of visibility have changed by the factor .*--full --accept-shrink/,
  );
});

test.each([
  ['figures of which one kept its unit', [...times(0.01, 4).slice(0, 6), SCORES[6]]],
  ['other figures', SCORES.map((score) => score / 97)],
  ['four different figures that became tenths', [4.73, 5.12, 5, 4.425, 38.6, 40.1, 45.9]],
])('%s are restated', async (_title, second) => {
  await using file = await WarehouseFile.open();
  expect(await stored(file, [SCORES, second])).toEqual(['loaded', null, second]);
});

test('a person who asks for all again takes the new scale', async () => {
  await using file = await WarehouseFile.open();
  const fractions = times(0.01, 4);
  const accepted = { acceptShrink: true, acceptScale: true };
  expect(await stored(file, [SCORES, fractions], accepted)).toEqual(['loaded', null, fractions]);
});

test('an answer in another scale stores nothing in side tables either', async () => {
  await using file = await WarehouseFile.open();
  const body = (factor: number, name: string): unknown =>
    SCORES.map((score, index) => ({
      date: `2026-03-0${String(index + 2)}`,
      brand: { id: 'b', name, domain: null, relation: 'SELF' },
      averageVisibility: score * factor,
      mentionCount: index + 3,
      totalResponses: 20,
      visibilityPercentage: score,
    }));
  await file.answered(1, answerOf('brand_visibility', body(1, 'before')));
  const { failure } = await file.answered(2, answerOf('brand_visibility', body(0.01, 'after')));
  expect(failure?.alarm).toBe('scale');
  expect(await file.column('select name from core.brands')).toEqual(['before']);
  expect(await file.column('select count(*) from meta.restatements')).toEqual([0]);
});
