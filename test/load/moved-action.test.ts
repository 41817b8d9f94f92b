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
