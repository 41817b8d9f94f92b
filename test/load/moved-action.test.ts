import { expect, test } from 'vitest';
import { eventsBody } from '../fixtures/events.ts';
import { answerOf, days } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const action = (id: string, day: string): unknown => ({
  date: day,
  items: [
    {
      type: 'action',
      occurredAt: `${day}T10:00:00.000Z`,
      action: { id, type: 'CUSTOM', status: 'done', title: id },
    },
  ],
});
const events = (...list: unknown[]): unknown => ({
  ...eventsBody,
  events: list,
  total: list.length,
});

test('an action that was completed again moves to its new day although its old day is not asked for', async () => {
  await using file = await WarehouseFile.open();
  await file.load([answerOf('events', events(action('a', '2026-03-02'), action('b', '2026-03-03')))]);
  const later = days('2026-04-01', '2026-04-07');
  const answer = answerOf('events', events(action('a', '2026-04-03')), { slice: { window: later } });
  const [entry] = await file.load([answer], { runId: 'run-2' });
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
  await file.load([answerOf('events', events(action('a', '2026-03-02')))]);
  const later = days('2026-04-01', '2026-04-07');
  await file.load(
    [
      answerOf('events', events(action('b', '2026-03-02'))),
      answerOf('events', events(action('a', '2026-04-03')), { slice: { window: later } }),
    ],
    { runId: 'run-2' },
  );
  expect(await file.rows('select event_id, date from core.events order by 1')).toEqual([
    { event_id: 'action:a', date: '2026-04-03' },
    { event_id: 'action:b', date: '2026-03-02' },
  ]);
});
