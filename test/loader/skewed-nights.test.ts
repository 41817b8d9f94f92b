import { expect, test } from 'vitest';
import { Loader } from '../../src/load/loader.ts';
import type { LoadRun } from '../../src/load/load-run.ts';
import { supersededAnswers } from '../../src/load/ledger.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { toDay } from '../../src/day.ts';
import { answerOf, days } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

const HOUR = 3_600_000;
const FIRST: LoadRun = { ...FIRST_RUN, runId: '20260310T020000Z-bbbbbbbb' };
const SECOND: LoadRun = {
  ...FIRST,
  runId: '20260311T020000Z-aaaaaaaa',
  startedAt: FIRST.startedAt + 24 * HOUR,
  syncDay: toDay('2026-03-11'),
  sequence: 2,
};

/** Requests that every night repeats: lists, and a month that is not over. */
function nightOf(run: LoadRun, fetchedAt: number): ArchivedAnswer[] {
  const month = { windowKind: 'month', window: days('2026-03-01', run.syncDay) } as const;
  const summary = { totalResponses: 70, totalBrandMentions: 7, brandMentionRate: 10 };
  return [
    answerOf('prompts', { prompts: [], total: 0, totalPages: 1 }),
    answerOf('response_summary', summary, { slice: month }),
  ].map((answer) => ({
    ...answer,
    ...run,
    pages: answer.pages.map((page) => ({ ...page, fetchedAt })),
  }));
}

async function enter(file: WarehouseFile, run: LoadRun, answers: readonly ArchivedAnswer[]): Promise<void> {
  await file.connection.run(
    `insert into meta.runs (run_id, started_at, sync_day, status, version, sequence) select $1, cast($2 as timestamp), cast($3 as date), 'ok', '0.0.0', $4`,
    [run.runId, new Date(run.startedAt).toISOString(), run.syncDay, run.sequence],
  );
  const loader = new Loader({ connection: file.connection, run, archive: null });
  await loader.load(answers.map((answer) => ({ kind: 'answered', answer })));
}

test('a worker whose clock ran 30 hours ahead leaves no answers that overtake those of the next night', async () => {
  await using file = await WarehouseFile.open();
  await enter(file, FIRST, nightOf(FIRST, FIRST.startedAt + 30 * HOUR));
  const next = nightOf(SECOND, SECOND.startedAt + 1_000);
  expect(await supersededAnswers(file.connection, next, SECOND)).toEqual(new Set());
});

test('a worker whose clock is 30 hours behind does not bring answers of an earlier night back', async () => {
  await using file = await WarehouseFile.open();
  await enter(file, SECOND, nightOf(SECOND, SECOND.startedAt - 30 * HOUR));
  const late = nightOf({ ...FIRST, syncDay: SECOND.syncDay }, FIRST.startedAt + 1_000);
  expect(await supersededAnswers(file.connection, late, FIRST)).toEqual(new Set([0, 1]));
});

test('a loader whose clock ran ahead gave its run an id of the future, which overtakes no later run', async () => {
  await using file = await WarehouseFile.open();
  const ahead = { ...FIRST, runId: '20260312T080000Z-cccccccc', startedAt: FIRST.startedAt + 54 * HOUR };
  await enter(file, ahead, nightOf(ahead, FIRST.startedAt));
  await enter(file, SECOND, []);
  const next = nightOf(SECOND, SECOND.startedAt + 1_000);
  expect(await supersededAnswers(file.connection, next, SECOND)).toEqual(new Set());
});

test('a part of a run that is not entered yet is ordered by the sequence of the run, not by its clock', async () => {
  await using file = await WarehouseFile.open();
  const ahead = { ...FIRST, startedAt: FIRST.startedAt + 54 * HOUR };
  await enter(file, ahead, nightOf(ahead, FIRST.startedAt));
  const before = { ...FIRST, runId: '20260313T080000Z-dddddddd', sequence: 0 };
  const late = nightOf({ ...before, syncDay: ahead.syncDay }, ahead.startedAt + HOUR);
  expect(await supersededAnswers(file.connection, late, before)).toEqual(new Set([0, 1]));
});

test('of two answers of one run the one that was fetched last stays', async () => {
  await using file = await WarehouseFile.open();
  await enter(file, FIRST, nightOf(FIRST, FIRST.startedAt + 2_000));
  const [list, window] = nightOf(FIRST, FIRST.startedAt + 1_000);
  const [later] = nightOf(FIRST, FIRST.startedAt + 3_000);
  const answers = [list, window, later].flatMap((one) => (one === undefined ? [] : [one]));
  expect(await supersededAnswers(file.connection, answers, FIRST)).toEqual(new Set([0, 1]));
});
