import { expect, test } from 'vitest';
import { addDays } from '../../src/day.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Visibility of days of March, every day with the same value. */
function answer(first: number, last: number, { value = 2, missing = 0 } = {}): ArchivedAnswer {
  const dates = Array.from({ length: last - first + 1 }, (_, at) => `2026-03-0${String(first + at)}`);
  const window = days(dates[0] ?? '', dates.at(-1) ?? '');
  const body = dates.filter((_, at) => first + at !== missing).map((date) => ({ date, value }));
  return answerOf('visibility', body, {
    slice: { window },
    asked: { ...window, end: addDays(window.end, 1) },
  });
}

const before = answer(2, 8, { value: 1 });
const CASES: readonly (readonly [string, readonly ArchivedAnswer[]])[] = [
  ['the same slice', [answer(2, 8), answer(2, 8, { value: 3 })]],
  ['windows that overlap', [answer(2, 7), answer(6, 8, { value: 3 })]],
  ['a window and its last days again, one of which is gone', [answer(2, 8), answer(7, 8, { missing: 7 })]],
];
const KEPT = [
  '* from core.visibility',
  'key, change, old, new from meta.restatements',
  'key, change, witnessed_on from meta.vanishing',
  '* from meta.asked_days',
  '* from meta.slices',
];

const outcome = (file: WarehouseFile): Promise<unknown[]> =>
  Promise.all(KEPT.map((kept) => file.rows(`select ${kept} order by all`)));

test.each(
  [false, true].flatMap((accept) => CASES.map(([what, answers]) => [what, accept, answers] as const)),
)('%s in one batch is loaded as in two (shrinking is accepted: %s)', async (_what, acceptShrink, answers) => {
  const second = { runId: 'run-2', acceptShrink };
  await using apart = await WarehouseFile.open();
  await apart.load([before]);
  for (const one of answers) await apart.load([one], second);
  await using together = await WarehouseFile.open();
  await together.load([before]);
  await together.load(answers, second);
  expect(await outcome(together)).toEqual(await outcome(apart));
});
