import { expect, test } from 'vitest';
import type { LoadRun } from '../../src/load/load-run.ts';
import { supersededAnswers } from '../../src/load/ledger.ts';
import { enterKnownRun } from '../../src/run/run-record.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { toDay } from '../../src/day.ts';
import { answerOf, days } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

const HOUR = 3_600_000;
const START = FIRST_RUN.startedAt;
const FIRST: LoadRun = { ...FIRST_RUN, runId: '20260310T020000Z-bbbbbbbb' };
const SECOND: LoadRun = {
  ...FIRST,
  runId: '20260311T020000Z-aaaaaaaa',
  startedAt: START + 24 * HOUR,
  syncDay: toDay('2026-03-11'),
  sequence: 2,
};
/** The loader whose clock ran ahead gave it an id of the future. */
const AHEAD = { ...FIRST, runId: '20260312T080000Z-cccccccc', startedAt: START + 54 * HOUR };
const BEFORE = { ...AHEAD, runId: '20260313T080000Z-dddddddd', sequence: 0 };

/** Requests that every night repeats: lists, and a month that is not over. */
function nightOf(run: LoadRun, fetchedAt: number): ArchivedAnswer[] {
  const month = { windowKind: 'month', window: days('2026-03-01', run.syncDay) } as const;
  const summary = { totalResponses: 70, totalBrandMentions: 7, brandMentionRate: 10 };
  return [
    answerOf('prompts', { prompts: [], total: 0, totalPages: 1 }),
    answerOf('response_summary', summary, { slice: month }),
  ].map((answer) => ({ ...answer, ...run, pages: answer.pages.map((page) => ({ ...page, fetchedAt })) }));
}

const OF_SECOND = nightOf(SECOND, SECOND.startedAt + 1_000);
const lateOf = (run: LoadRun, known: LoadRun, fetchedAt: number): ArchivedAnswer[] =>
  nightOf({ ...run, syncDay: known.syncDay }, fetchedAt);

test.each<[string, [LoadRun, ArchivedAnswer[]][], [LoadRun, ArchivedAnswer[]], number[]]>([
  [
    'a worker whose clock ran 30 hours ahead leaves no answers that overtake those of the next night',
    [[FIRST, nightOf(FIRST, START + 30 * HOUR)]],
    [SECOND, OF_SECOND],
    [],
  ],
  [
    'a worker whose clock is 30 hours behind does not bring answers of an earlier night back',
    [[SECOND, nightOf(SECOND, SECOND.startedAt - 30 * HOUR)]],
    [FIRST, lateOf(FIRST, SECOND, START + 1_000)],
    [0, 1],
  ],
  [
    'a loader whose clock ran ahead gave its run an id of the future, which overtakes no later run',
    [
      [AHEAD, nightOf(AHEAD, START)],
      [SECOND, []],
    ],
    [SECOND, OF_SECOND],
    [],
  ],
  [
    'a part of a run that is not entered yet is ordered by the sequence of the run, not by its clock',
    [[AHEAD, nightOf(AHEAD, START)]],
    [BEFORE, lateOf(BEFORE, AHEAD, AHEAD.startedAt + HOUR)],
    [0, 1],
  ],
  [
    'of two answers of one run the one that was fetched last stays',
    [[FIRST, nightOf(FIRST, START + 2_000)]],
    [FIRST, [...nightOf(FIRST, START + 1_000), ...nightOf(FIRST, START + 3_000)]],
    [0, 1],
  ],
])('%s', async (...[_title, entered, [run, arriving], superseded]) => {
  await using file = await WarehouseFile.open();
  for (const [known, answers] of entered) {
    await enterKnownRun(file.connection, known, { status: 'ok', version: '0.0.0', message: '' });
    await file.load(answers, known);
  }
  expect(await supersededAnswers(file.connection, arriving, run)).toEqual(new Set(superseded));
});
