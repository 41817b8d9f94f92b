import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { unfinishedRuns } from '../../src/run/run-record.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const SELECTION = '{"full":true}';
type Run = readonly [day: string, status: string];

test.each<[string, Run[], string[]]>([
  [
    'those of its selection that did not finish, however many nights they took',
    [
      ['2026-06-30', 'failed'],
      ['2026-07-01', 'ok'],
      ['2026-07-03', 'stopped'],
      ['2026-07-08', 'parked'],
      ['2026-07-12', 'failed'],
    ],
    ['2026-07-12', '2026-07-08', '2026-07-03'],
  ],
  [
    'none that stopped months ago: what was restated since then would be missed',
    [['2026-05-02', 'stopped']],
    [],
  ],
  [
    'none of the week before',
    [
      ['2026-07-07', 'failed'],
      ['2026-07-13', 'stopped'],
    ],
    ['2026-07-13'],
  ],
])('a run continues %s', async (_, known, expected) => {
  await using file = await WarehouseFile.open();
  for (const [sequence, [day, status]] of known.entries()) {
    await file.connection.run(
      'insert into meta.runs (run_id, started_at, sync_day, status, selection, sequence) select $1, cast($1 as timestamp), cast($1 as date), $2, $3, $4',
      [day, status, SELECTION, sequence],
    );
  }
  const continued = (selection: string) => unfinishedRuns(file.connection, selection, toDay('2026-07-14'));
  expect(await continued(SELECTION)).toEqual(expected);
  expect(await continued('{"full":false}')).toEqual([]);
});
