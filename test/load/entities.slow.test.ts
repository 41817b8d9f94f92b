import { expect, test } from 'vitest';
import { toDay } from '../../src/day.ts';
import { answerOf } from '../support/answers.ts';
import { eventsBody } from '../fixtures/events.ts';
import { promptsBody } from '../fixtures/prompts.ts';
import { validationBody } from '../fixtures/validate.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { eventList, promptGroup, promptList } from './lists.ts';

const A = { id: 'a' };
const B = { id: 'b' };
const later = (run: number) => ({ runId: `run-${String(run)}` });

test('prompts that left the list on two nights are marked until they come back, and both are restatements', async () => {
  await using file = await WarehouseFile.open();
  const marks = 'select prompt_id as id, removed_at, _run_id as run from core.prompts order by 1';
  const b = { id: 'b', removed_at: null, run: 'run-1' };
  await file.answered(1, promptList(A, B));
  await file.answered(2, promptList(B));
  expect((await file.answered(3, promptList(B))).counts).toMatchObject({ deleted: 1 });
  const a = { id: 'a', removed_at: '2026-03-10T02:03:04.567Z', run: 'run-3' };
  expect(await file.rows(marks)).toEqual([a, b]);
  const still = await file.answered(4, promptList(B));
  expect(still.counts).toMatchObject({ deleted: 0, updated: 0, held: 0 });
  await file.answered(5, promptList(A, B));
  expect(await file.rows(marks)).toEqual([{ id: 'a', removed_at: null, run: 'run-5' }, b]);
  const removed = '{"removed_at":"2026-03-10 02:03:04.567"}';
  expect(await file.rows('select run_id, old, new from meta.restatements order by run_id')).toEqual([
    { run_id: 'run-3', old: '{"removed_at":null}', new: removed },
    { run_id: 'run-5', old: removed, new: '{"removed_at":null}' },
  ]);
});

test('prompts are not written for a newer updatedAt, which comes along with the next change', async () => {
  await using file = await WarehouseFile.open();
  const updated = 'select amount_of_responses as n, updated_at from core.prompts';
  await file.load([promptList(A)]);
  const [same] = await file.load([promptList({ ...A, updatedAt: '2026-03-10T01:00:00Z' })], later(2));
  expect(same?.counts).toMatchObject({ updated: 0 });
  expect(await file.rows(updated)).toEqual([{ n: 120, updated_at: '2026-03-09T23:59:59.999Z' }]);
  const newer = { ...A, updatedAt: '2026-03-10T01:30:00Z', amountOfResponses: 121 };
  await file.load([promptList(newer)], later(3));
  expect(await file.rows(updated)).toEqual([{ n: 121, updated_at: '2026-03-10T01:30:00.000Z' }]);
  const old = "select old from meta.restatements where table_name = 'prompts'";
  expect(await file.column(old)).toEqual(['{"amount_of_responses":120}']);
});

test('prompts have one snapshot a sync day, as the first list of the day told it', async () => {
  await using file = await WarehouseFile.open();
  await file.load([promptList(A)]);
  await file.load([promptList({ ...A, amountOfResponses: 121 })], later(2));
  const next = promptList({ ...A, amountOfResponses: 122 });
  await file.load([{ ...next, syncDay: toDay('2026-03-11') }], later(3));
  const snapshots = 'select date, amount_of_responses as n from core.prompt_snapshots order by date';
  expect(await file.rows(snapshots)).toEqual([
    { date: '2026-03-10', n: 120 },
    { date: '2026-03-11', n: 122 },
  ]);
});

test.each([[['prompts', 'events']], [['events', 'prompts']]])(
  'names of monitors stay known: %j',
  async (order) => {
    await using file = await WarehouseFile.open();
    const [first] = eventsBody.events;
    const unnamed = { ...eventsBody, events: [{ ...first, items: first?.items.slice(0, 1) }], total: 0 };
    const bodies: Record<string, unknown> = { prompts: promptsBody, events: unnamed };
    const answers = order.map((name) => answerOf(name, bodies[name]));
    for (const answer of answers) await file.load([answer]);
    await file.load(answers, later(2));
    const names = "select monitor_id || ' ' || name from core.monitors order by 1";
    expect(await file.column(names)).toEqual(['monitor-1 Shoes', 'monitor-2 Boots']);
  },
);

test('a key is not written because it was used, and keeps what a poorer answer leaves out', async () => {
  await using file = await WarehouseFile.open();
  const { permission: _permission, ...poorer } = validationBody.apiKey;
  const apiKey = { ...poorer, lastUsedAt: '2026-03-10T02:09:00.000Z' };
  await file.load([answerOf('validate', validationBody)]);
  const [entry] = await file.load([answerOf('validate_v1', { ...validationBody, apiKey })], later(2));
  expect(entry?.counts).toMatchObject({ inserted: 0, updated: 0, unchanged: 4 });
  expect(await file.rows('select permission, last_used_at, _run_id from core.api_keys')).toEqual([
    { permission: 'FULL', last_used_at: '2026-03-10T02:00:01.000Z', _run_id: 'run-1' },
  ]);
  expect(await file.column('select count(*) from core.projects')).toEqual([2]);
});

test('renamed monitors keep their new name although past events have the old one, and are written once', async () => {
  await using file = await WarehouseFile.open();
  const id = 'b1c7a3f0-0000-4000-8000-000000000001';
  const named = (name: string) => promptList({ ...A, llmMonitorId: id, llmMonitor: { id, name } });
  const past = eventList({ '2026-03-03': [promptGroup({ id, name: 'Beans' }, '2026-03-03', 'a')] });
  await file.load([named('Beans'), past]);
  await file.load([named('Coffee'), past], later(2));
  expect(await file.column('select name from core.monitors')).toEqual(['Coffee']);
  const entries = await file.load([named('Coffee'), past], later(3));
  expect(entries.map(({ counts }) => counts.updated)).toEqual([0, 0]);
  expect(await file.rows("select old, new from meta.restatements where table_name = 'monitors'")).toEqual([
    { old: '{"name":"Beans"}', new: '{"name":"Coffee"}' },
  ]);
});
