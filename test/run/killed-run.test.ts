import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { startRun } from '../../src/run/run-record.ts';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { table } from '../support/table.ts';

const RUN = { syncDay: toDay('2026-03-10'), baseUrl: 'http://localhost', lookbackDays: 7 };
const ASKED = { job: null, selection: '{}', version: '0.0.0', lookback_days: 7 };
const start = (hour: number): number => Date.parse(`2026-03-10T0${hour}:00:00Z`);

test('a run that was killed has the number of slices that it loaded until then', async () => {
  await using file = await WarehouseFile.open();
  const { connection } = file;
  await startRun(connection, { ...RUN, sequence: 1, runId: 'killed', startedAt: start(2) }, ASKED);
  const body = ['2026-03-02', '2026-03-03', '2026-03-04'].map((date) => ({ date, value: 1 }));
  await file.load([answerOf('visibility', body), answerOf('sentiment', body.slice(1))], { runId: 'killed' });
  await startRun(connection, { ...RUN, sequence: 2, runId: 'next', startedAt: start(3) }, ASKED);
  expect(await file.rows('select run_id, status, slices_loaded from meta.runs order by started_at')).toEqual(
    table('run_id status slices_loaded', ['killed', 'failed', 2], ['next', 'running', null]),
  );
});
