import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { sliceWindow, type ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { runs } from '../support/runs.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const MODELS = ['m1', 'm2', 'm3'];

/** One answer of every endpoint, a few scopes, and three windows side by side. */
function night(shift: number): ArchivedAnswer[] {
  const first = catalogue
    .filter(({ cut }) => cut.kind !== 'lookup')
    .map(({ name }) => answerOf(name, documentedBodies[name]));
  const series = MODELS.flatMap((scopeId, index) =>
    [0, 1, 2].map((week) => {
      const start = addDays(toDay('2026-02-02'), week * 7);
      const body = [0, 1, 2, 3, 4, 5, 6]
        .filter((day) => shift === 0 || (day + index) % 3 !== 0)
        .map((day) => ({ date: addDays(start, day), value: day * shift }));
      const window = days(start, addDays(start, 6));
      return answerOf('visibility', body, {
        slice: { scope: 'model', scopeId, window },
        asked: days(start, addDays(start, 7)),
      });
    }),
  );
  return [...first, ...series].map((answer) => {
    const window = sliceWindow(answer.slice);
    return answer.asked === null || window === null
      ? answer
      : { ...answer, asked: { ...answer.asked, end: addDays(window.end, 1) } };
  });
}

/** Loads the batches of each night. */
async function load(file: WarehouseFile, nights: readonly (readonly ArchivedAnswer[][])[]): Promise<void> {
  for (const [index, batches] of nights.entries())
    for (const batch of batches) await file.night(index + 1, batch);
}

async function contents(file: WarehouseFile): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of await file.coreTables()) all[table] = await file.contents(table);
  return all;
}

let expected: Record<string, string[]> = {};

beforeAll(async () => {
  await using file = await WarehouseFile.open();
  await load(file, [[night(0)], [night(1)], [night(1)]]);
  expected = await contents(file);
});
afterAll(() => {
  expected = {};
});

test('the tables are the same whatever the order and the size of the batches', async () => {
  expect(expected['visibility']?.length).toBeGreaterThan(30);
  // The days that two nights lack are gone.
  expect(expected['visibility']?.join(' ')).not.toContain('2026-02-05","scope":"model","scope_id":"m1"');
  const order = (shift: number): fc.Arbitrary<ArchivedAnswer[][]> =>
    fc
      .tuple(
        fc.shuffledSubarray(night(shift), { minLength: night(shift).length }),
        fc.integer({ min: 1, max: 20 }),
      )
      .map(([answers, size]) =>
        Array.from({ length: Math.ceil(answers.length / size) }, (_, n) =>
          answers.slice(n * size, (n + 1) * size),
        ),
      );
  await fc.assert(
    fc.asyncProperty(order(0), order(1), order(1), async (...nights) => {
      await using file = await WarehouseFile.open();
      await load(file, nights);
      expect(await contents(file)).toEqual(expected);
    }),
    runs(12),
  );
});
