import { describe, expect, test } from 'vitest';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { addDays } from '../../src/day.ts';
import { answerOf, days } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Visibility of `start..end`, every day with the same value. */
function answer(start: string, end: string, { value = 2, missing = [''] } = {}): ArchivedAnswer {
  const window = days(start, end);
  const body: unknown[] = [];
  for (let date = window.start; date <= window.end; date = addDays(date, 1)) {
    if (!missing.includes(date)) body.push({ date, value });
  }
  return answerOf('visibility', body, {
    slice: { window },
    asked: { ...window, end: addDays(window.end, 1) },
  });
}

const before = answer('2026-03-02', '2026-03-08', { value: 1 });
const CASES: readonly (readonly [string, readonly ArchivedAnswer[]])[] = [
  [
    'the same slice',
    [answer('2026-03-02', '2026-03-08', { value: 2 }), answer('2026-03-02', '2026-03-08', { value: 3 })],
  ],
  [
    'windows that overlap',
    [answer('2026-03-02', '2026-03-07', { value: 2 }), answer('2026-03-06', '2026-03-08', { value: 3 })],
  ],
  [
    'a window and its last days again, one of which is gone',
    [
      answer('2026-03-02', '2026-03-08', { value: 2 }),
      answer('2026-03-07', '2026-03-08', { value: 2, missing: ['2026-03-07'] }),
    ],
  ],
];

async function outcome(file: WarehouseFile): Promise<unknown> {
  return {
    rows: await file.contents('visibility'),
    restatements: await file.rows('select key, change, old, new from meta.restatements order by all'),
    vanishing: await file.rows('select key, change, witnessed_on from meta.vanishing order by all'),
    asked: await file.rows('select * from meta.asked_days order by all'),
    ledger: await file.rows('select * from meta.slices order by window_start, window_end'),
  };
}

describe.each([false, true])('where shrinking is accepted: %s', (acceptShrink) => {
  const second = { runId: 'run-2', acceptShrink };

  test.each(CASES)('%s in one batch is loaded as in two', async (_what, answers) => {
    await using apart = await WarehouseFile.open();
    await apart.load([before]);
    for (const one of answers) await apart.load([one], second);
    await using together = await WarehouseFile.open();
    await together.load([before]);
    await together.load(answers, second);
    expect(await outcome(together)).toEqual(await outcome(apart));
  });
});
