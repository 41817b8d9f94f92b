import { expect, test } from 'vitest';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { prepareAnswer } from '../../src/load/prepare-answer.ts';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { answerOf } from '../support/answers.ts';
import { promptBody } from '../fixtures/prompt.ts';

const read = (endpoint: string, body: unknown) =>
  readAnswer(endpointNamed(endpoint), answerOf(endpoint, body));
const page = { total: 1, page: 1, size: 100, totalPages: 1 };

test('a side field that cannot be read is NULL and drift, and its row loads', () => {
  const broken = {
    ...promptBody,
    createdAt: 'soon',
    type: 7,
    isActive: 'yes',
    llmMonitor: { id: 7 },
    llmMonitorId: 7,
  };
  const { rows, rejects, drift } = read('prompts', { ...page, prompts: [broken] });
  expect(rejects).toEqual([]);
  expect(rows[0]?.values).toMatchObject({
    prompt_id: promptBody.id,
    created_at: null,
    type: null,
    is_active: null,
    monitor_id: null,
  });
  expect(drift.filter(({ kind }) => kind === 'unexpected_value')).toEqual([
    { path: 'prompts[].type', kind: 'unexpected_value', sample: '7' },
    { path: 'prompts[].isActive', kind: 'unexpected_value', sample: '"yes"' },
    { path: 'prompts[].llmMonitorId', kind: 'unexpected_value', sample: '7' },
    { path: 'prompts[].llmMonitor', kind: 'unexpected_value', sample: '{"id":7}' },
    { path: 'prompts[].createdAt', kind: 'unexpected_value', sample: '"soon"' },
  ]);
});

test('a group of prompts whose monitor is null, nameless or gone loads without it', () => {
  const group = {
    type: 'prompts_deleted',
    occurredAt: '2026-03-02T08:00:00Z',
    prompts: [{ id: 'p', occurredAt: null }],
  };
  const monitors = [null, undefined, {}, { id: null }, { id: '' }];
  for (const monitor of monitors) {
    const events = [{ date: '2026-03-02', items: [{ ...group, monitor }] }];
    const { rows, rejects } = read('events', { ...page, total: 0, events });
    expect(rejects).toEqual([]);
    expect(rows.map(({ table, values }) => [table, values['event_id'], values['monitor_id']])).toEqual([
      ['events', 'prompts_deleted:2026-03-02:', null],
      ['event_prompts', 'prompts_deleted:2026-03-02:', undefined],
    ]);
    expect(rows[1]?.values['occurred_at']).toBe(Date.parse('2026-03-02T08:00:00Z'));
  }
});

test('a count that is no whole number is rounded, and the rounding is drift', () => {
  const summary = { totalResponses: 12.5, totalBrandMentions: 3, brandMentionRate: 24 };
  const { rows, drift } = read('response_summary', summary);
  expect(rows[0]?.values['total_responses']).toBe(13);
  expect(drift).toEqual([{ path: 'totalResponses', kind: 'unexpected_value', sample: '12.5' }]);
  const trend = { dates: ['2026-03-02'], series: [{ name: 'GPTBot', data: [12.5] }] };
  expect(read('crawler_requests', trend).drift).toEqual([
    { path: 'series[].data[]', kind: 'unexpected_value', sample: '12.5' },
  ]);
});

test('a score beyond 0 to 100 is stored, and drift', () => {
  const points = [0, 100, 100.5, null].map((value, day) => ({ date: `2026-03-0${String(day + 2)}`, value }));
  const { rows, drift } = read('visibility', points);
  expect(rows.map(({ values }) => values['visibility'])).toEqual([0, 100, 100.5, null]);
  expect(drift).toEqual([{ path: '[].value', kind: 'unexpected_value', sample: '100.5' }]);
});

test('a list whose ids turned from text to numbers fails, and removes nothing', () => {
  const prompts = [{ ...promptBody, id: 7 }];
  const answer = answerOf('prompts', { ...page, prompts });
  const prepared = prepareAnswer(endpointNamed('prompts'), answer, { acceptShrink: false });
  expect(prepared.validated.isUnread).toBe(true);
  expect([prepared.mayDelete, prepared.failure?.errorClass]).toEqual([false, 'contract']);
});

test.each([
  [1, 10, false],
  [2, 10, true],
])('a list with %i of %i items that cannot be read is unread: %s', (bad, all, isUnread) => {
  const prompts = Array.from({ length: all }, (_, index) =>
    index < bad ? { id: `p-${String(index)}` } : { ...promptBody, id: `p-${String(index)}` },
  );
  expect(read('prompts', { ...page, prompts }).isUnread).toBe(isUnread);
});

test('a day of events whose actions were refused stays in doubt', () => {
  const action = (id: unknown) => ({
    type: 'action',
    occurredAt: '2026-03-02T08:00:00Z',
    action: { id, type: 'CUSTOM', status: 'done', title: 't' },
  });
  const events = [
    { date: '2026-03-02', items: [action(7)] },
    { date: '2026-03-03', items: [action('a')] },
  ];
  const { doubtfulDays, takenDays } = read('events', { ...page, total: 2, events });
  expect([doubtfulDays, takenDays]).toEqual([new Set(['2026-03-02']), new Set(['2026-03-03'])]);
});

test('an action that was completed on two days is two entries, and stands on the later one', () => {
  const action = { type: 'action', action: { id: 'a', type: 'CUSTOM', status: 'done', title: 't' } };
  const events = ['02', '04'].map((day) => ({
    date: `2026-03-${day}`,
    items: [{ ...action, occurredAt: `2026-03-${day}T08:00:00Z` }],
  }));
  const body = { ...page, total: 2, events: events.toReversed() };
  expect(read('events', body).rows.map(({ values }) => values['date'])).toEqual(['2026-03-04']);
  const { paging } = endpointNamed('events');
  if (paging.kind !== 'number') throw new Error('events come by page number');
  expect(new Set(paging.pages(body).ids).size).toBe(2);
});
