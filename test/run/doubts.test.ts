import { expect, it } from 'vitest';
import { readDoubts } from '../../src/run/doubts.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Ten responses a day in May and June, and a summary of May. */
async function doubts(summary: number): Promise<string[]> {
  await using file = await WarehouseFile.open();
  await file.connection.run(
    `insert into core.response_sentiment by name
     select 'p' as project_id, 'day' as grain, cast(unnest(generate_series(date '2026-05-01', date '2026-06-10', interval 1 day)) as date) as date,
       'project' as scope, 'p' as scope_id, 4 as positive, 3 as negative, 2 as neutral, 1 as unknown, 'r' as _run_id, now()::timestamp as _changed_at`,
  );
  await file.connection.run(
    `insert into core.response_summary by name
     select 'p' as project_id, 'month' as window_kind, date '2026-05-01' as window_start, date '2026-05-31' as window_end,
       'project' as scope, 'p' as scope_id, cast($1 as bigint) as total_responses, 'r' as _run_id, now()::timestamp as _changed_at`,
    [summary],
  );
  return await readDoubts(file.connection);
}

it('a whole month that is not the sum of its days by exactly one end day is doubted', async () => {
  expect(await doubts(310)).toEqual([]);
  expect(await doubts(300)).toEqual([
    expect.stringMatching(/2026-05 of project p has 300 .* have 310: its last day/),
  ]);
  expect(await doubts(320)).toEqual([expect.stringMatching(/320 .* the day after it/)]);
  expect(await doubts(305)).toEqual([]);
});
