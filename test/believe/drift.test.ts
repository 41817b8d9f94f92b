import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import type { Drift } from '../../src/believe/drift.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { answerOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { eventsBody } from '../fixtures/events.ts';
import { modelsBody } from '../fixtures/models.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { promptsBody } from '../fixtures/prompts.ts';
import { validationBody } from '../fixtures/validate.ts';

function driftOf(endpoint: string, body: unknown): Drift[] {
  const answer = answerOf(endpoint, body);
  return [...readAnswer(endpointNamed(endpoint), answer).drift].sort((a, b) => (a.path < b.path ? -1 : 1));
}

test('drift is a new field anywhere', () => {
  const prompt = {
    ...promptBody,
    tags: ['a'],
    llmMonitor: { id: 'monitor-1', name: 'Shoes', color: 'red' },
  };
  expect(driftOf('prompts', { ...promptsBody, prompts: [prompt, prompt], next: null })).toEqual([
    { path: 'next', kind: 'new_field', sample: 'null' },
    { path: 'prompts[].llmMonitor.color', kind: 'new_field', sample: '"red"' },
    { path: 'prompts[].tags', kind: 'new_field', sample: '["a"]' },
  ]);
});

test('drift is a new field called __proto__', () => {
  const body: unknown = JSON.parse('[{"date":"2026-03-02","value":1,"__proto__":{"x":1}}]');
  expect(driftOf('visibility', body)).toEqual([
    { path: '[].__proto__', kind: 'new_field', sample: '{"x":1}' },
  ]);
});

test('drift is a missing documented field, although its row loads', () => {
  const [model] = modelsBody.models;
  const { label: _label, ...rest } = model ?? {};
  expect(driftOf('models', { models: [rest], total: 1 })).toEqual([
    { path: 'models[].label', kind: 'missing_field', sample: null },
  ]);
  const { total: _total, ...envelope } = modelsBody;
  expect(driftOf('models', envelope)).toEqual([]);
});

test('drift is not an optional field that is absent or null', () => {
  const { intent: _intent, ...rest } = promptBody;
  expect(driftOf('prompts', { ...promptsBody, prompts: [{ ...rest, difficulty: null }] })).toEqual([]);
});

test('drift is an unknown value of a documented list; the value loads unchanged', () => {
  const prompt = { ...promptBody, type: 'TOPICAL', intent: 'LOCAL' };
  const answer = answerOf('prompts', { ...promptsBody, prompts: [prompt] });
  const { rows, drift } = readAnswer(endpointNamed('prompts'), answer);
  expect(rows[0]?.values).toMatchObject({ type: 'TOPICAL', intent: 'LOCAL' });
  expect(drift).toEqual([
    { path: 'prompts[].type', kind: 'new_enum_value', sample: 'TOPICAL' },
    { path: 'prompts[].intent', kind: 'new_enum_value', sample: 'LOCAL' },
  ]);
});

test('drift is found in both shapes of an event', () => {
  const [first] = eventsBody.events;
  const [group, action] = first?.items ?? [];
  const items = [
    {
      ...group,
      monitor: { id: 'm', name: null, slug: 's' },
      prompts: [{ id: 'p', occurredAt: '2026-03-02T00:00:00Z', by: 'x' }],
    },
    { ...action, action: { id: 'a', type: 'VIDEO', status: 'done', title: '', owner: 'x' } },
  ];
  expect(driftOf('events', { ...eventsBody, events: [{ date: '2026-03-02', items, more: 1 }] })).toEqual([
    { path: 'events[].items[].action.owner', kind: 'new_field', sample: '"x"' },
    { path: 'events[].items[].action.type', kind: 'new_enum_value', sample: 'VIDEO' },
    { path: 'events[].items[].monitor.slug', kind: 'new_field', sample: '"s"' },
    { path: 'events[].items[].prompts[].by', kind: 'new_field', sample: '"x"' },
    { path: 'events[].more', kind: 'new_field', sample: '1' },
  ]);
});

test('drift is found in series, matrices and validations', () => {
  const domains = documentedBodies['domain_citations'] as { series: object[] };
  const series = domains.series.map((one) => ({ ...one, url: 'u' }));
  expect(driftOf('domain_citations', { ...domains, series })).toEqual([
    { path: 'series[].url', kind: 'new_field', sample: '"u"' },
  ]);
  const heatmap = documentedBodies['competitor_heatmap'] as object;
  const competitors = [{ name: 'A', domain: 'a', relation: 'PARTNER' }];
  expect(driftOf('competitor_heatmap', { ...heatmap, competitors })).toEqual([
    { path: 'competitors[].relation', kind: 'new_enum_value', sample: 'PARTNER' },
  ]);
  expect(driftOf('validate', { ...validationBody, keyType: 'team', plan: 'solo' })).toEqual([
    { path: 'keyType', kind: 'new_enum_value', sample: 'team' },
    { path: 'plan', kind: 'new_field', sample: '"solo"' },
  ]);
});

test('a long sample of drift is cut', () => {
  const [found] = driftOf('response_summary', {
    ...(documentedBodies['response_summary'] as object),
    note: 'x'.repeat(1000),
  });
  expect(found?.sample).toHaveLength(200);
});

test('drift is found in a later item, however the items before it look, and in each answer', () => {
  const [model] = modelsBody.models;
  const { label: _label, ...unnamed } = model ?? {};
  const sound = Array.from({ length: 10 }, () => model);
  const { label, ...rest } = model ?? {};
  const models = [...sound, { ...model, size: 1 }, { ...model, size: 2 }, unnamed, { ...rest, title: label }];
  const found: Drift[] = [
    { path: 'models[].label', kind: 'missing_field', sample: null },
    { path: 'models[].size', kind: 'new_field', sample: '1' },
    { path: 'models[].title', kind: 'new_field', sample: JSON.stringify(label) },
  ];
  expect(driftOf('models', { models, total: 1 })).toEqual(found);
  const renamed = models.slice(-1);
  const answer = { models: renamed, total: 1 };
  expect([driftOf('models', answer).length, driftOf('models', answer).length]).toEqual([2, 2]);
});

test('drift is each unknown value once, and a value that is no text once', () => {
  const prompts = ['NEW', 'NEW', 'OTHER', 7, 8, null].map((type) => ({ ...promptBody, type }));
  expect(driftOf('prompts', { ...promptsBody, prompts }).map(({ kind, sample }) => [kind, sample])).toEqual([
    ['new_enum_value', 'NEW'],
    ['new_enum_value', 'OTHER'],
    ['unexpected_value', '7'],
  ]);
});

test('drift is what a side field has in the place of a list', () => {
  const pages = [{ request_path: '/', requests: 1, unique_crawlers: 1, crawlers: 7 }];
  expect(driftOf('crawler_top_pages', pages)).toEqual([
    { path: '[].crawlers', kind: 'unexpected_value', sample: '7' },
  ]);
});

test('a server that invents a field for every item is two hundred findings of drift', () => {
  const items = Array.from({ length: 300 }, (_, n) => ({
    date: `2026-03-0${n === 0 ? '3' : '2'}`,
    value: 1,
    [`f${String(n)}`]: 1,
  }));
  expect(driftOf('visibility', items)).toHaveLength(200);
});
