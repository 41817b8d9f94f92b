import { expect, test } from 'vitest';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { days } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { action, eventList } from './lists.ts';

/** Actions of 2 and 3 March. */
const march = (second: string, third?: string): ArchivedAnswer =>
  eventList({
    '2026-03-02': [action(second, '2026-03-02')],
    '2026-03-03': third === undefined ? [] : [action(third, '2026-03-03')],
  });
const april = (...ids: readonly string[]): ArchivedAnswer =>
  eventList(
    { '2026-04-03': ids.map((id) => action(id, '2026-04-03')) },
    { slice: { window: days('2026-04-01', '2026-04-07') } },
  );
const STORED = "select action_id || ' ' || date from core.events order by 1";

test('an action that was completed again moves to its new day although its old day is not asked for', async () => {
  await using file = await WarehouseFile.open();
  await file.load([march('a', 'b')]);
  const [entry] = await file.load([april('a')], { runId: 'run-2' });
  expect(entry?.counts).toMatchObject({ inserted: 0, updated: 1, deleted: 0 });
  expect(await file.column(STORED)).toEqual(['a 2026-04-03', 'b 2026-03-03']);
  expect(await file.rows('select key, old, new from meta.restatements')).toEqual([
    {
      key: '{"project_id":"project-1","event_id":"action:a"}',
      old: '{"date":"2026-03-02","occurred_at":"2026-03-02 10:00:00"}',
      new: '{"date":"2026-04-03","occurred_at":"2026-04-03 10:00:00"}',
    },
  ]);
});

test('an action that was reopened and completed again stands once when both days are answered in one batch', async () => {
  await using file = await WarehouseFile.open();
  await file.load([march('a')]);
  await file.load([march('b'), april('a')], { runId: 'run-2' });
  expect(await file.column(STORED)).toEqual(['a 2026-04-03', 'b 2026-03-02']);
});

test('an action that is listed on two days stands on the later one, in whatever order they are asked for', async () => {
  await using file = await WarehouseFile.open();
  for (const answers of [[april('a'), march('a')], [march('a')], [april('a')]]) {
    await file.load(answers, { runId: `run-${String(answers.length)}` });
    expect(await file.column(STORED)).toEqual(['a 2026-04-03']);
  }
});

test('an action that is dated back is looked for in the whole range, and stands until it is found', async () => {
  await using file = await WarehouseFile.open();
  await file.night(30, [april('a', 'b'), march('c')]);
  for (const number of [31, 32]) await file.answered(number, april('b'));
  expect(await file.column(STORED)).toHaveLength(3);
  await file.answered(33, march('a', 'c'));
  expect(await file.column(STORED)).toEqual(['a 2026-03-02', 'b 2026-04-03', 'c 2026-03-03']);
  expect(await file.rows('select * from meta.vanishing')).toEqual([]);
});

test('an action that was reopened goes when a search of the whole range has not found it', async () => {
  await using file = await WarehouseFile.open();
  await file.answered(1, march('a', 'b'));
  for (const number of [2, 3]) await file.answered(number, march('a'));
  expect(await file.column(STORED)).toEqual(['a 2026-03-02']);
  const changes = "select change from meta.restatements where table_name = 'events'";
  expect(await file.column(changes)).toEqual(['deleted']);
});

test('an action that was reopened goes also where the action before it has moved away', async () => {
  await using file = await WarehouseFile.open();
  const from = (start: string, ...dates: readonly string[]): ArchivedAnswer =>
    eventList(Object.fromEntries(dates.map((date) => [date, [action(date, date)]])), {
      slice: { window: days(start, '2026-03-07') },
    });
  await file.answered(1, from('2026-03-01', '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-05'));
  // The action of 2 March moves to April, and that of 3 March is reopened.
  const moved = april('2026-03-02');
  await file.night(32, [from('2026-03-03', '2026-03-05'), moved]);
  await file.night(33, [from('2026-03-02', '2026-03-05'), moved]);
  const reason = "select reason from meta.asked_days where date = date '2026-03-03'";
  expect(await file.column(reason)).toEqual(['vanishing']);
  for (const number of [34, 35])
    await file.night(number, [from('2026-03-01', '2026-03-01', '2026-03-05'), moved]);
  expect(await file.column(STORED)).toEqual([
    '2026-03-01 2026-03-01',
    '2026-03-02 2026-04-03',
    '2026-03-05 2026-03-05',
  ]);
});
