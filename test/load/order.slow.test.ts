import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import { sliceWindow, type ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** One answer of every endpoint, a few scopes, and three windows side by side; the second night lacks every third day. */
function answersOf(night: number): ArchivedAnswer[] {
  const first = catalogue
    .filter(({ cut }) => cut.kind !== 'lookup')
    .map(({ name }) => answerOf(name, documentedBodies[name]));
  const series = ['m1', 'm2', 'm3'].flatMap((scopeId, index) =>
    [0, 7, 14].map((from) => {
      const start = addDays(toDay('2026-02-02'), from);
      const body = [0, 1, 2, 3, 4, 5, 6]
        .filter((day) => night === 0 || (day + index) % 3 !== 0)
        .map((day) => ({ date: addDays(start, day), value: day * night }));
      const window = days(start, addDays(start, 6));
      return answerOf('visibility', body, { slice: { scope: 'model', scopeId, window } });
    }),
  );
  return [...first, ...series].map((answer) => {
    const window = sliceWindow(answer.slice);
    return window === null ? answer : { ...answer, asked: { ...window, end: addDays(window.end, 1) } };
  });
}

/** All core tables after the batches of each night. */
async function loaded(nights: readonly (readonly ArchivedAnswer[][])[]): Promise<Record<string, string[]>> {
  await using file = await WarehouseFile.open();
  for (const [index, batches] of nights.entries())
    for (const batch of batches) await file.night(index + 1, batch);
  const all: Record<string, string[]> = {};
  for (const table of await file.coreTables()) all[table] = await file.contents(table);
  return all;
}

/** The answers of a night in any order, in batches of some size. */
const batchesOf = (night: number): fc.Arbitrary<ArchivedAnswer[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray(answersOf(night), { minLength: answersOf(night).length }),
      fc.integer({ min: 1, max: 20 }),
    )
    .map(([answers, size]) =>
      Array.from({ length: Math.ceil(answers.length / size) }, (_, n) =>
        answers.slice(n * size, (n + 1) * size),
      ),
    );

test('the tables are the same whatever the order and the size of the batches', async () => {
  const expected = await loaded([0, 1, 1].map((night) => [answersOf(night)]));
  expect(expected['visibility']?.length).toBeGreaterThan(30);
  // The days that two nights lack are gone.
  expect(expected['visibility']?.join(' ')).not.toContain('2026-02-05","scope":"model","scope_id":"m1"');
  await fc.assert(
    fc.asyncProperty(batchesOf(0), batchesOf(1), batchesOf(1), async (...nights) => {
      expect(await loaded(nights)).toEqual(expected);
    }),
    { numRuns: 12 },
  );
});
