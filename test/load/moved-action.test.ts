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
const LATER = eventList(
  { '2026-04-03': [action('a', '2026-04-03')] },
  { slice: { window: days('2026-04-01', '2026-04-07') } },
);

test('an action that was completed again moves to its new day although its old day is not asked for', async () => {
  await using file = await WarehouseFile.open();
  await file.load([march('a', 'b')]);
  const [entry] = await file.load([LATER], { runId: 'run-2' });
  expect(entry?.counts).toMatchObject({ inserted: 0, updated: 1, deleted: 0 });
  expect(await file.rows('select event_id, date from core.events order by 1')).toEqual([
    { event_id: 'action:a', date: '2026-04-03' },
    { event_id: 'action:b', date: '2026-03-03' },
  ]);
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
  await file.load([march('b'), LATER], { runId: 'run-2' });
  expect(await file.rows('select event_id, date from core.events order by 1')).toEqual([
    { event_id: 'action:a', date: '2026-04-03' },
    { event_id: 'action:b', date: '2026-03-02' },
  ]);
});

test('an action that is listed on two days stands on the later one, in whatever order they are asked for', async () => {
  await using file = await WarehouseFile.open();
  const stored = 'select event_id, date from core.events order by 1';
  for (const answers of [[LATER, march('a')], [march('a')], [LATER]]) {
    await file.load(answers, { runId: `run-${String(answers.length)}` });
    expect(await file.rows(stored)).toEqual([{ event_id: 'action:a', date: '2026-04-03' }]);
  }
});

test('an action that is dated back is looked for in the whole range, and stands until it is found', async () => {
  await using file = await WarehouseFile.open();
  const april = (...ids: readonly string[]): ArchivedAnswer =>
    eventList(
      { '2026-04-03': ids.map((id) => action(id, '2026-04-03')) },
      { slice: { window: days('2026-04-01', '2026-04-07') } },
    );
  const stored = 'select event_id, date from core.events order by 1';
  await file.night(30, [april('a', 'b'), march('c')]);
  await file.night(31, [april('b')]);
  await file.night(32, [april('b')]);
  expect(await file.rows(stored)).toHaveLength(3);
  await file.night(33, [march('a', 'c')]);
  expect(await file.rows(stored)).toEqual([
    { event_id: 'action:a', date: '2026-03-02' },
    { event_id: 'action:b', date: '2026-04-03' },
    { event_id: 'action:c', date: '2026-03-03' },
  ]);
  expect(await file.rows('select * from meta.vanishing')).toEqual([]);
});

test('an action that was reopened goes when a search of the whole range has not found it', async () => {
  await using file = await WarehouseFile.open();
  await file.night(1, [march('a', 'b')]);
  for (const number of [2, 3]) await file.night(number, [march('a')]);
  expect(await file.rows('select event_id from core.events')).toEqual([{ event_id: 'action:a' }]);
  expect(await file.rows("select change from meta.restatements where table_name = 'events'")).toEqual([
    { change: 'deleted' },
  ]);
});
