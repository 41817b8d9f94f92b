import { expect, test } from 'vitest';
import { json, readBody } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { eventsBody } from '../fixtures/events.ts';
import { modelsBody } from '../fixtures/models.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { promptsBody } from '../fixtures/prompts.ts';
import { validationBody } from '../fixtures/validate.ts';

/** Path, kind and sample of each finding. */
function driftOf(endpoint: string, body: unknown): string[] {
  return readBody(endpoint, body)
    .drift.map(({ path, kind, sample }) => [path, kind, sample ?? '-'].join(' '))
    .sort();
}

const bodyOf = (endpoint: string): object => documentedBodies[endpoint] as object;
const prompts = (...changes: readonly object[]): object => ({
  ...promptsBody,
  prompts: changes.map((change) => ({ ...promptBody, ...change })),
});
const [model = {}] = modelsBody.models as readonly { label?: unknown }[];
const { label, ...unnamed } = model;

test('drift is a new field anywhere, once, also one that is called __proto__', () => {
  const llmMonitor = { id: 'monitor-1', name: 'Shoes', color: 'red' };
  const body = { ...prompts({}, { tags: ['a'], llmMonitor }, { tags: ['a'] }), next: null };
  const tags = 'prompts[].tags new_field ["a"]';
  const found = ['next new_field null', 'prompts[].llmMonitor.color new_field "red"', tags];
  expect(driftOf('prompts', body)).toEqual(found);
  const proto = json('[{"date":"2026-03-02","value":1,"__proto__":{"x":1}}]');
  expect(driftOf('visibility', proto)).toEqual(['[].__proto__ new_field {"x":1}']);
  const [long = ''] = driftOf('response_summary', { ...bodyOf('response_summary'), note: 'x'.repeat(1000) });
  expect(long).toHaveLength('note new_field '.length + 200);
});

test('drift is a missing documented field, but no optional one and none of the envelope', () => {
  expect(driftOf('models', { models: [unnamed], total: 1 })).toEqual(['models[].label missing_field -']);
  const { total: _total, ...envelope } = modelsBody;
  expect(driftOf('models', envelope)).toEqual([]);
  expect(driftOf('prompts', prompts({ intent: undefined, difficulty: null }))).toEqual([]);
});

test('drift is each unknown value of a documented list once; it is stored unchanged', () => {
  const types = ['NEW', 'NEW', 'OTHER', 7, 8, null].map((type) => ({ type, intent: 'LOCAL' }));
  const { rows } = readBody('prompts', prompts(...types));
  expect(rows[0].at(0)).toMatchObject({ type: 'NEW', intent: 'LOCAL' });
  expect(driftOf('prompts', prompts(...types))).toEqual([
    'prompts[].intent new_enum_value LOCAL',
    'prompts[].type new_enum_value NEW',
    'prompts[].type new_enum_value OTHER',
    'prompts[].type unexpected_value 7',
  ]);
  const pages = [{ request_path: '/', requests: 1, unique_crawlers: 1, crawlers: 7 }];
  expect(driftOf('crawler_top_pages', pages)).toEqual(['[].crawlers unexpected_value 7']);
});

test('drift is found in both shapes of an event', () => {
  const [group, action] = eventsBody.events[0]?.items ?? [];
  const members = [{ id: 'p', occurredAt: '2026-03-02T00:00:00Z', by: 'x' }];
  const items = [
    { ...group, monitor: { id: 'm', name: null, slug: 's' }, prompts: members },
    { ...action, action: { id: 'a', type: 'VIDEO', status: 'done', title: '', owner: 'x' } },
  ];
  expect(driftOf('events', { ...eventsBody, events: [{ date: '2026-03-02', items, more: 1 }] })).toEqual([
    'events[].items[].action.owner new_field "x"',
    'events[].items[].action.type new_enum_value VIDEO',
    'events[].items[].monitor.slug new_field "s"',
    'events[].items[].prompts[].by new_field "x"',
    'events[].more new_field 1',
  ]);
});

test('drift is found in series, matrices and validations', () => {
  const domains = bodyOf('domain_citations') as { series: object[] };
  const series = domains.series.map((one) => ({ ...one, url: 'u' }));
  expect(driftOf('domain_citations', { ...domains, series })).toEqual(['series[].url new_field "u"']);
  const competitors = [{ name: 'A', domain: 'a', relation: 'PARTNER' }];
  const heatmap = { ...bodyOf('competitor_heatmap'), competitors };
  const partner = ['competitors[].relation new_enum_value PARTNER'];
  expect(driftOf('competitor_heatmap', heatmap)).toEqual(partner);
  const validation = { ...validationBody, keyType: 'team', plan: 'solo' };
  expect(driftOf('validate', validation)).toEqual(['keyType new_enum_value team', 'plan new_field "solo"']);
});

test('drift is found in a later item, however the items before it look, and in each answer', () => {
  const sound = Array.from({ length: 10 }, () => model);
  const odd = [{ ...model, size: 1 }, { ...model, size: 2 }, unnamed, { ...unnamed, title: label }];
  expect(driftOf('models', { models: [...sound, ...odd], total: 1 })).toEqual([
    'models[].label missing_field -',
    'models[].size new_field 1',
    `models[].title new_field ${JSON.stringify(label)}`,
  ]);
  const renamed = { models: odd.slice(-1), total: 1 };
  expect([driftOf('models', renamed).length, driftOf('models', renamed).length]).toEqual([2, 2]);
});

test('a server that invents a field for every item is two hundred findings of drift', () => {
  const items = Array.from({ length: 300 }, (_, n) => ({
    date: `2026-03-0${n === 0 ? '3' : '2'}`,
    value: 1,
    [`f${String(n)}`]: 1,
  }));
  expect(driftOf('visibility', items)).toHaveLength(200);
});
