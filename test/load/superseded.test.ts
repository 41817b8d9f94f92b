import { expect, test } from 'vitest';
import { supersededAnswers } from '../../src/load/ledger.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, days } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

const LATER = { runId: 'run-2', startedAt: FIRST_RUN.startedAt + 86_400_000, sequence: 2 };

function series(start: string, end: string): ArchivedAnswer {
  return answerOf('visibility', [], { slice: { window: days(start, end) } });
}

test('a series of an earlier run is superseded by one of a later run that shares a day with it', async () => {
  await using file = await WarehouseFile.open();
  await file.connection.run(
    `insert into meta.runs (run_id, started_at, sync_day, status, sequence)
     values ('run-2', '2026-03-11 02:00:00', '2026-03-11', 'ok', 2)`,
  );
  await file.load([series('2026-03-04', '2026-03-06')], LATER);
  const windows = [
    ['2026-03-02', '2026-03-03'],
    ['2026-03-02', '2026-03-04'],
    ['2026-03-06', '2026-03-08'],
    ['2026-03-07', '2026-03-08'],
  ] as const;
  const late = windows.map(([start, end]) => series(start, end));
  expect(await supersededAnswers(file.connection, late, FIRST_RUN)).toEqual(new Set([1, 2]));
  // Of one run, each window is an answer of its own.
  const same = late.map((answer) => ({ ...answer, runId: 'run-2' }));
  expect(await supersededAnswers(file.connection, same, LATER)).toEqual(new Set());
});
