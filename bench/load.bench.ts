import { bench, describe } from 'vitest';
import { addDays, toDay } from '../src/day.ts';
import { seriesSlice, type ArchivedAnswer } from '../src/slice.ts';
import { WarehouseFile } from '../test/support/warehouse-file.ts';

const START = toDay('2026-01-01');
const DAYS = 90;
const SLICES = 60;

function answers(by: number): ArchivedAnswer[] {
  return Array.from({ length: SLICES }, (_, slice) => ({
    runId: 'bench',
    runStartedAt: 0,
    syncDay: '2026-07-01',
    account: 'bench',
    slice: seriesSlice(
      { endpoint: 'visibility', projectId: 'p', scope: 'model', scopeId: `model-${String(slice)}` },
      'day',
      { start: START, end: addDays(START, DAYS - 1) },
    ),
    asked: { start: START, end: addDays(START, DAYS - 1) },
    limit: null,
    requests: 1,
    pages: [
      {
        page: 1,
        status: 200,
        fetchedAt: 0,
        body: Array.from({ length: DAYS }, (__, day) => ({
          date: addDays(START, day),
          value: slice + day + by,
        })),
      },
    ],
  }));
}

const options = { iterations: 5, time: 0, warmupIterations: 1, warmupTime: 0 };

describe('60 slices of 90 days', async () => {
  const file = await WarehouseFile.open();
  let change = 0;
  await file.load(answers(0));
  bench('unchanged, one batch', async () => void (await file.load(answers(change))), options);
  bench(
    'unchanged, slice by slice',
    async () => {
      for (const answer of answers(change)) await file.load([answer]);
    },
    options,
  );
  bench(
    'every value restated, one batch',
    async () => {
      change += 1;
      await file.load(answers(change));
    },
    options,
  );
});
