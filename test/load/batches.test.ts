import { expect, test, vi } from 'vitest';
import { AnswerlakeError, type ErrorClass } from '../../src/errors.ts';
import { freshAnswers } from '../../src/load/ledger.ts';
import { Loader } from '../../src/load/loader.ts';
import type { SliceOutcome } from '../../src/load/prepare-answer.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answered, days } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { eventList, promptGroup, week } from './lists.ts';

/** Prompts of monitors, id and name. */
function events(...monitors: readonly (readonly [id: string, name: string])[]): ArchivedAnswer {
  const day = '2026-03-03';
  return eventList({ [day]: monitors.map(([id, name]) => promptGroup({ id, name }, day, `prompt-${id}`)) });
}

test('tables that are compared together each get what happened to their own rows', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, answers: readonly ArchivedAnswer[]): Promise<unknown[]> =>
    (await file.night(number, answers)).map(({ status, counts: { updated, held, deleted, unchanged } }) =>
      [status, updated, held, deleted, unchanged].join(' '),
    );
  const whole = [1, 2, 3, 4, 5, 6, 7];
  await night(1, [week(whole), week(whole, {}, 'sentiment'), events(['1', 'Beans'], ['2', 'Machines'])]);
  const next = [
    week([1, 2, 30, undefined, 5, 6, 7]),
    // Less than half of the days.
    week([1, 2], {}, 'sentiment'),
    // The event and its prompt are the same but for the monitor's name, which the monitor has too.
    events(['1', 'Coffee beans']),
  ];
  // Updated, held, deleted, unchanged.
  expect(await night(2, next)).toEqual(['loaded 1 1 0 5', 'suspicious 0 0 0 2', 'loaded 2 2 0 1']);
  expect(await night(3, next)).toEqual(['loaded 0 0 1 6', 'suspicious 0 0 0 2', 'loaded 0 0 2 3']);
});

test.each<[ErrorClass, number]>([
  ['bug', 3],
  ['storage', 1],
  ['locked', 1],
])('a batch that fails for %s takes %i transactions', async (kind, transactions) => {
  await using file = await WarehouseFile.open();
  let count = 0;
  const { connection } = file;
  const run = connection.run.bind(connection);
  vi.spyOn(connection, 'run').mockImplementation(async (sql, params) => {
    if (sql !== 'begin transaction') return await run(sql, params);
    count += 1;
    if (count === 1) throw new AnswerlakeError('it broke', { class: kind });
    return await run(sql, params);
  });
  const loader = new Loader({ connection, run: FIRST_RUN, archive: null });
  const answers = [week([1]), week([2], {}, 'sentiment')];
  const outcomes = answers.map(answered);
  const [tried] = await Promise.allSettled([loader.load(outcomes)]);
  expect([tried.status, count]).toEqual([count === 1 ? 'rejected' : 'fulfilled', transactions]);
  expect(await file.column('select count(*) from meta.slices')).toEqual([count === 1 ? 0 : 2]);
});

test('a series of an earlier run is superseded by one of a later run that shares a day with it', async () => {
  await using file = await WarehouseFile.open();
  const later = { runId: 'run-2', startedAt: FIRST_RUN.startedAt + 86_400_000, sequence: 2 };
  await file.connection.run(
    `insert into meta.runs (run_id, started_at, sync_day, status, sequence)
     values ('run-2', '2026-03-11 02:00:00', '2026-03-11', 'ok', 2)`,
  );
  const series = (start: string, end: string): ArchivedAnswer =>
    week([], { slice: { window: days(`2026-03-0${start}`, `2026-03-0${end}`) } });
  await file.load([series('4', '6')], later);
  const late = [series('2', '3'), series('2', '4'), series('6', '8'), series('7', '8')];
  expect(await freshAnswers(file.connection, late, FIRST_RUN)).toEqual([late[0], late[3]]);
  // Of one run, each window is an answer of its own.
  const same = late.map((answer) => ({ ...answer, runId: 'run-2' }));
  expect(await freshAnswers(file.connection, same, later)).toEqual(same);
});

test('the ledger has the alarm of a slice that failed, and none where the network did', async () => {
  await using file = await WarehouseFile.open();
  const loader = new Loader({ connection: file.connection, run: FIRST_RUN, archive: null });
  const failed = (alarm: { alarm?: 'refused' }): SliceOutcome => {
    const { slice } = week([1]);
    return { kind: 'failed', slice, error: new Error('no'), requests: 1, httpStatus: 404, at: 0, ...alarm };
  };
  const entries = await loader.load([failed({ alarm: 'refused' }), failed({})]);
  expect(entries.map(({ failure }) => failure?.alarm)).toEqual(['refused', null]);
});
