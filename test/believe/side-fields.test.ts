import { expect, test } from 'vitest';
import { prepareAnswer } from '../../src/load/prepare-answer.ts';
import { endpointNamed } from '../support/catalogue.ts';
import { TableRows } from '../../src/endpoints/table-rows.ts';
import { answerOf, listed, readBody as read } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { table } from '../support/table.ts';

const page = { total: 1, page: 1, size: 100, totalPages: 1 };

test('fields beside the key of an entry that cannot be read are NULL and drift, and its row loads', () => {
  const sides = { createdAt: 'soon', type: 7, isActive: 'yes', llmMonitor: { id: 7 }, llmMonitorId: 7 };
  const broken = { ...sides, amountOfResponses: null, volume: 'high', averageVisibility: {} };
  const { rows, rejects, drift } = read('prompts', { ...page, prompts: [{ ...promptBody, ...broken }] });
  expect(rejects).toEqual([]);
  const nothing = { created_at: null, type: null, is_active: null, monitor_id: null };
  const noFigure = { amount_of_responses: null, volume: null, average_visibility: null };
  expect(rows[0].at(0)).toMatchObject({ prompt_id: promptBody.id, ...nothing, ...noFigure });
  const odd = drift.filter(({ kind }) => kind === 'unexpected_value');
  expect(odd.map(({ path, sample }) => `${path} ${String(sample)}`)).toEqual([
    'prompts[].type 7',
    'prompts[].isActive "yes"',
    'prompts[].llmMonitorId 7',
    'prompts[].llmMonitor {"id":7}',
    'prompts[].volume "high"',
    'prompts[].createdAt "soon"',
    'prompts[].averageVisibility {}',
  ]);
});

test('a group of prompts whose monitor is null, nameless or gone loads without it', () => {
  const occurredAt = '2026-03-02T08:00:00Z';
  const group = { type: 'prompts_deleted', occurredAt, prompts: [{ id: 'p', occurredAt: null }] };
  for (const monitor of [null, undefined, {}, { id: null }, { id: '' }]) {
    const events = [{ date: '2026-03-02', items: [{ ...group, monitor }] }];
    const { rows, rejects } = read('events', { ...page, total: 0, events });
    expect(rejects).toEqual([]);
    const ids = { event_id: 'prompts_deleted:2026-03-02:' };
    expect(listed(rows)).toMatchObject([
      { table: 'events', values: { ...ids, monitor_id: null } },
      { table: 'event_prompts', values: { ...ids, occurred_at: Date.parse(occurredAt) } },
    ]);
  }
});

test('a count that is no whole number is rounded, and the rounding is drift', () => {
  const summary = { totalResponses: 12.5, totalBrandMentions: 3, brandMentionRate: 24 };
  const { rows, drift } = read('response_summary', summary);
  expect(rows[0].at(0)['total_responses']).toBe(13);
  const rounded = { kind: 'unexpected_value', sample: '12.5' };
  expect(drift).toEqual([{ ...rounded, path: 'totalResponses' }]);
  const trend = { dates: ['2026-03-02'], series: [{ name: 'GPTBot', data: [12.5] }] };
  expect(read('crawler_requests', trend).drift).toEqual([{ ...rounded, path: 'series[].data[]' }]);
});

const WHOLE = ['total', 'totalPages', 'page', 'size'];

test.each(['prompts', 'domain_citations', 'visitor_visits'])(
  'numbers of %s may have decimals',
  (endpoint) => {
    const body = JSON.parse(JSON.stringify(documentedBodies[endpoint]), (name, value: unknown) =>
      typeof value === 'number' && !WHOLE.includes(name) ? value + 0.5 : value,
    ) as unknown;
    expect(read(endpoint, body).rejects).toEqual([]);
  },
);

test('a score beyond 0 to 100 is stored, and drift', () => {
  const scores = [0, 100, 100.5];
  const points = scores.map((value, day) => ({ date: `2026-03-0${String(day + 2)}`, value }));
  const { rows, drift } = read('visibility', points);
  expect(rows[0].columns.get('visibility')).toEqual(scores);
  expect(drift).toEqual([{ path: '[].value', kind: 'unexpected_value', sample: '100.5' }]);
});

test('a list whose ids turned from text to numbers fails, and removes nothing', () => {
  const answer = answerOf('prompts', { ...page, prompts: [{ ...promptBody, id: 7 }] });
  const prepared = prepareAnswer(endpointNamed('prompts'), answer);
  expect(prepared.validated.isUnread).toBe(true);
  expect([prepared.mayDelete, prepared.failure?.errorClass]).toEqual([false, 'contract']);
});

/** A day with one action. */
const completed = (day: string, id: unknown): object => {
  const action = { id, type: 'CUSTOM', status: 'done', title: 't' };
  return { date: day, items: [{ type: 'action', occurredAt: `${day}T08:00:00Z`, action }] };
};

test('a day of events whose actions were refused stays in doubt', () => {
  const events = [completed('2026-03-02', 7), completed('2026-03-03', 'a')];
  const { doubtfulDays, takenDays } = read('events', { ...page, total: 2, events });
  expect([doubtfulDays, takenDays]).toEqual([new Set(['2026-03-02']), new Set(['2026-03-03'])]);
});

test('an action that was completed on two days is two entries, and stands on the later one', () => {
  const body = { ...page, total: 2, events: ['2026-03-04', '2026-03-02'].map((day) => completed(day, 'a')) };
  expect(read('events', body).rows[0].columns.get('date')).toEqual(['2026-03-04']);
  const { paging } = endpointNamed('events');
  if (paging.kind !== 'number') throw new Error('events come by page number');
  expect(new Set(paging.pages(body).ids).size).toBe(2);
});

const MONITORS = { keyColumns: 1, lastKnown: ['name'] };

test('rows of a side table are one a thing: the last one, with the last known name', () => {
  const rows = new TableRows('monitors', ['monitor_id', 'name'], MONITORS);
  for (const row of ['m Old', 'n', 'm New', 'm', 'n First']) {
    const [id, name = null] = row.split(' ');
    rows.add([id, name]);
  }
  const [m, n] = rows.all();
  expect([m, n]).toEqual(table('monitor_id name', ['m', 'New'], ['n', 'First']));
});

test('rows of a side table are told apart by their whole key, and null replaces a value that is not a name', () => {
  const columns = ['date', 'prompt_id', 'volume'];
  const rows = new TableRows('prompt_snapshots', columns, { keyColumns: 2, lastKnown: [] });
  for (const row of ['1 p 1', '1 q 2', '2 p 3', '1 p']) rows.add([...row.split(' '), null].slice(0, 3));
  expect(rows.all().map((row) => Object.values(row).join(' '))).toEqual(['1 p ', '1 q 2', '2 p 3']);
});

test('a prompt that comes twice has two rows of its own, and one of each side table', () => {
  const body = { prompts: [promptBody, promptBody], total: 2, page: 1, size: 100, totalPages: 1 };
  const { rows } = read('prompts', body);
  const tables = listed(rows).map((row) => row.table);
  expect(tables).toEqual(['prompts', 'prompts', 'prompt_snapshots', 'monitors']);
});
