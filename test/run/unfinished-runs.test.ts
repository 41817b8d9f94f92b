import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { unfinishedRuns } from '../../src/run/run-record.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const SELECTION = '{"full":true}';
const TODAY = toDay('2026-07-14');

async function runs(
  file: WarehouseFile,
  ...known: readonly (readonly [start: string, status: string])[]
): Promise<void> {
  for (const [sequence, [start, status]] of known.entries()) {
    await file.connection.run(
      'insert into meta.runs (run_id, started_at, sync_day, status, selection, sequence) select $1, cast($2 as timestamp), cast($2 as date), $3, $4, $5',
      [`run of ${start}`, `${start}T03:00:00Z`, status, SELECTION, sequence],
    );
  }
}

test('a run continues those of its selection that did not finish, however many nights they took', async () => {
  await using file = await WarehouseFile.open();
  await runs(
    file,
    ['2026-06-30', 'failed'],
    ['2026-07-01', 'ok'],
    ['2026-07-04', 'stopped'],
    ['2026-07-08', 'parked'],
    ['2026-07-12', 'failed'],
  );
  expect(await unfinishedRuns(file.connection, SELECTION, TODAY)).toEqual([
    'run of 2026-07-12',
    'run of 2026-07-08',
    'run of 2026-07-04',
  ]);
  expect(await unfinishedRuns(file.connection, '{"full":false}', TODAY)).toEqual([]);
});

test('a run that stopped months ago is not continued: what was restated since then would be missed', async () => {
  await using file = await WarehouseFile.open();
  await runs(file, ['2026-05-02', 'stopped']);
  expect(await unfinishedRuns(file.connection, SELECTION, TODAY)).toEqual([]);
});

test('weekly runs that fail do not continue each other', async () => {
  await using file = await WarehouseFile.open();
  await runs(file, ['2026-06-30', 'failed'], ['2026-07-07', 'failed'], ['2026-07-13', 'stopped']);
  expect(await unfinishedRuns(file.connection, SELECTION, TODAY)).toEqual(['run of 2026-07-13']);
});
