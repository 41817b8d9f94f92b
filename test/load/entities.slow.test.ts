import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf } from '../support/answers.ts';
import { eventsBody } from '../fixtures/events.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { promptsBody } from '../fixtures/prompts.ts';
import { validationBody } from '../fixtures/validate.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { eventList, promptGroup, promptList } from './lists.ts';

function prompts(changes: Readonly<Record<string, object>>): ArchivedAnswer {
  return promptList(...Object.entries(changes).map(([id, fields]) => ({ id, ...fields })));
}

test('prompts that left the list on two nights are marked until they come back, and both are restatements', async () => {
  await using file = await WarehouseFile.open();
  const marks = 'select prompt_id as id, removed_at, _run_id as run from core.prompts order by 1';
  await file.night(1, [prompts({ a: {}, b: {} })]);
  await file.night(2, [prompts({ b: {} })]);
  const [left] = await file.night(3, [prompts({ b: {} })]);
  expect(left?.counts).toMatchObject({ deleted: 1 });
  expect(await file.rows(marks)).toEqual([
    { id: 'a', removed_at: '2026-03-10T02:03:04.567Z', run: 'run-3' },
    { id: 'b', removed_at: null, run: 'run-1' },
  ]);
  const [still] = await file.night(4, [prompts({ b: {} })]);
  expect(still?.counts).toMatchObject({ deleted: 0, updated: 0, held: 0 });
  await file.night(5, [prompts({ a: {}, b: {} })]);
  expect(await file.rows(marks)).toEqual([
    { id: 'a', removed_at: null, run: 'run-5' },
    { id: 'b', removed_at: null, run: 'run-1' },
  ]);
  const removed = '{"removed_at":"2026-03-10 02:03:04.567"}';
  expect(await file.rows('select run_id, old, new from meta.restatements order by run_id')).toEqual([
    { run_id: 'run-3', old: '{"removed_at":null}', new: removed },
    { run_id: 'run-5', old: removed, new: '{"removed_at":null}' },
  ]);
});

test('prompts of another project are not marked', async () => {
  await using file = await WarehouseFile.open();
  const other = answerOf('prompts', promptsBody, { slice: { projectId: 'project-2' } });
  // Apart: both have the id of one monitor.
  for (const answer of [prompts({ a: {}, b: {} }), other]) await file.night(1, [answer]);
  for (const number of [2, 3]) await file.night(number, [prompts({ a: {} })]);
  const marked = 'select project_id, prompt_id from core.prompts where removed_at is not null';
  expect(await file.rows(marked)).toEqual([{ project_id: 'project-1', prompt_id: 'b' }]);
});

test('prompts are not written for a newer updatedAt, which comes along with the next change', async () => {
  await using file = await WarehouseFile.open();
  const updated = 'select amount_of_responses as n, updated_at from core.prompts';
  await file.load([prompts({ a: {} })]);
  const [same] = await file.load([prompts({ a: { updatedAt: '2026-03-10T01:00:00Z' } })], {
    runId: 'run-2',
  });
  expect(same?.counts).toMatchObject({ updated: 0 });
  expect(await file.rows(updated)).toEqual([{ n: 120, updated_at: '2026-03-09T23:59:59.999Z' }]);
  const newer = { updatedAt: '2026-03-10T01:30:00Z', amountOfResponses: 121 };
  await file.load([prompts({ a: newer })], { runId: 'run-3' });
  expect(await file.rows(updated)).toEqual([{ n: 121, updated_at: '2026-03-10T01:30:00.000Z' }]);
  expect(await file.rows("select old from meta.restatements where table_name = 'prompts'")).toEqual([
    { old: '{"amount_of_responses":120}' },
  ]);
});

test('prompts have one snapshot a sync day, as the first list of the day told it', async () => {
  await using file = await WarehouseFile.open();
  await file.load([prompts({ a: {} })]);
  await file.load([prompts({ a: { amountOfResponses: 121 } })], { runId: 'run-2' });
  await file.load([{ ...prompts({ a: { amountOfResponses: 122 } }), syncDay: toDay('2026-03-11') }], {
    runId: 'run-3',
  });
  const snapshots = 'select date, amount_of_responses as n from core.prompt_snapshots order by date';
  expect(await file.rows(snapshots)).toEqual([
    { date: '2026-03-10', n: 120 },
    { date: '2026-03-11', n: 122 },
  ]);
});

test('prompts looked up by id keep their mark while the list is read', async () => {
  await using file = await WarehouseFile.open();
  const slice = { scope: 'prompt', scopeId: 'gone' } as const;
  await file.night(1, [
    answerOf('prompt', { error: 'Not Found' }, { slice, status: 404 }),
    answerOf('prompt', { ...promptBody, id: 'old' }, { slice: { scope: 'prompt', scopeId: 'old' } }),
    prompts({ a: {} }),
  ]);
  for (const number of [2, 3]) await file.night(number, [prompts({ a: {} })]);
  const all =
    'select prompt_id as id, prompt is null as bare, removed_at is null as present from core.prompts order by 1';
  expect(await file.rows(all)).toEqual([
    { id: 'a', bare: false, present: true },
    { id: 'gone', bare: true, present: false },
    { id: 'old', bare: false, present: false },
  ]);
});

test.each([[['prompts', 'events']], [['events', 'prompts']]])(
  'names of monitors stay known whatever comes first: %j',
  async (order) => {
    await using file = await WarehouseFile.open();
    const [first] = eventsBody.events;
    const unnamed = { ...eventsBody, events: [{ ...first, items: first?.items.slice(0, 1) }], total: 0 };
    const bodies: Record<string, unknown> = { prompts: promptsBody, events: unnamed };
    for (const name of order) await file.load([answerOf(name, bodies[name])]);
    await file.load(
      order.map((name) => answerOf(name, bodies[name])),
      { runId: 'run-2' },
    );
    expect(await file.rows('select monitor_id as id, name from core.monitors order by 1')).toEqual([
      { id: 'monitor-1', name: 'Shoes' },
      { id: 'monitor-2', name: 'Boots' },
    ]);
  },
);

test('a key is not written because it was used, and keeps what a poorer answer leaves out', async () => {
  await using file = await WarehouseFile.open();
  const { permission: _permission, ...poorer } = validationBody.apiKey;
  const later = { ...poorer, lastUsedAt: '2026-03-10T02:09:00.000Z' };
  await file.load([answerOf('validate', validationBody)]);
  const [entry] = await file.load([answerOf('validate_v1', { ...validationBody, apiKey: later })], {
    runId: 'run-2',
  });
  expect(entry?.counts).toMatchObject({ inserted: 0, updated: 0, unchanged: 4 });
  expect(await file.rows('select permission, last_used_at, _run_id from core.api_keys')).toEqual([
    { permission: 'FULL', last_used_at: '2026-03-10T02:00:01.000Z', _run_id: 'run-1' },
  ]);
  expect(await file.rows('select count(*) as n from core.projects')).toEqual([{ n: 2 }]);
});

const MONITOR = 'b1c7a3f0-0000-4000-8000-000000000001';

function named(name: string): ArchivedAnswer {
  return prompts({ a: { llmMonitorId: MONITOR, llmMonitor: { id: MONITOR, name } } });
}

function past(name: string): ArchivedAnswer {
  return eventList({ '2026-03-03': [promptGroup({ id: MONITOR, name }, '2026-03-03', 'a')] });
}

test('renamed monitors keep their new name although past events have the old one, and are written once', async () => {
  await using file = await WarehouseFile.open();
  const names = 'select name from core.monitors';
  await file.load([named('Beans'), past('Beans')]);
  await file.load([named('Coffee'), past('Beans')], { runId: 'run-2' });
  expect(await file.rows(names)).toEqual([{ name: 'Coffee' }]);
  const entries = await file.load([named('Coffee'), past('Beans')], { runId: 'run-3' });
  expect(entries.map(({ counts }) => counts.updated)).toEqual([0, 0]);
  expect(await file.rows("select old, new from meta.restatements where table_name = 'monitors'")).toEqual([
    { old: '{"name":"Beans"}', new: '{"name":"Coffee"}' },
  ]);
});
