import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { readAnswer, type ValidatedAnswer } from '../../src/believe/read-answer.ts';
import { answerOf, days, type AnswerChanges } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { eventsBody } from '../fixtures/events.ts';
import { promptBody } from '../fixtures/prompt.ts';

function read(endpoint: string, body: unknown, changes: AnswerChanges = {}): ValidatedAnswer {
  return readAnswer(endpointNamed(endpoint), answerOf(endpoint, body, changes));
}

const datesOf = ({ rows }: ValidatedAnswer): unknown[] => rows.map(({ values }) => values['date']);

test('a reject says where, why and what, and its neighbours load', () => {
  const good = { date: '2026-03-02', value: 1 };
  const answer = read('visibility', [good, { date: 'soon', value: '7' }, { ...good, date: '2026-03-03' }]);
  expect(datesOf(answer)).toEqual(['2026-03-02', '2026-03-03']);
  expect(answer.rejects).toHaveLength(1);
  expect(answer.rejects[0]).toMatchObject({ path: '[1]', row: '{"date":"soon","value":"7"}' });
  expect(answer.rejects[0]?.reason).toMatch(/date: not a date; value: .*expected number, received string/);
});

test('a reject is a whole series whose data is not as long as its dates, apart from the sync day', () => {
  const series = [
    { domain: 'a.example', data: [1], total: 1, percentage: 50 },
    { domain: 'b.example', data: [1, 2], total: 3, percentage: 50 },
  ];
  const body = { dates: ['2026-03-02', '2026-03-03'], series, totalCitations: 4 };
  const today = { ...body, dates: ['2026-03-09', '2026-03-10'] };
  const window = days('2026-03-09', '2026-03-10');
  expect(read('domain_citations', today, { slice: { window } })).toMatchObject({ rejects: [] });
  const answer = read('domain_citations', body);
  expect(answer.rows.map(({ values }) => values['domain'])).toEqual(['b.example', 'b.example']);
  expect(answer.rejects).toMatchObject([{ path: 'series[0]', reason: '1 data points for 2 dates' }]);
});

test('a reject names its page when there are several', () => {
  const page = (prompts: unknown[]): unknown => ({ prompts, total: 1, page: 1, size: 100, totalPages: 2 });
  const answer = read('prompts', null, { bodies: [page([]), page([{ id: 'p' }])] });
  expect(answer.rejects.map(({ path }) => path)).toEqual(['page 2: prompts[0]']);
});

test('a reject is a count that is infinite or not a whole number', () => {
  const point = (value: number): unknown => ({
    date: '2026-03-02',
    positive: value,
    negative: 0,
    neutral: 0,
    unknown: 0,
  });
  const answer = read('response_sentiment', [point(0.5), point(Infinity), point(2 ** 60)]);
  expect([answer.rows, answer.rejects.length]).toEqual([[], 3]);
});

test.each([
  ['visibility', { data: [] }, /visibility of project project-1 .*does not have the documented shape/],
  ['prompts', [], /documented shape/],
  ['events', { events: null, total: 0, totalPages: 0 }, /events: .*expected array/],
  ['validate', { valid: false, message: 'no' }, /valid/],
  ['response_summary', [], /documented shape/],
])('an answer is refused as a whole when the envelope of %s does not fit', (endpoint, body, message) => {
  expect(() => read(endpoint, body)).toThrow(
    expect.objectContaining({ class: 'contract', scope: 'slice', message: expect.stringMatching(message) }),
  );
});

test('the window files a date-time with an offset under its UTC day', () => {
  expect(datesOf(read('visibility', [{ date: '2026-03-03T01:00:00+02:00', value: 1 }]))).toEqual([
    '2026-03-02',
  ]);
});

test('an answer is empty only without rows and without rejects', () => {
  expect(read('visibility', [])).toMatchObject({ isEmpty: true, isNotEnabled: false });
  expect(read('visibility', [{}])).toMatchObject({ isEmpty: false });
});

test.each([
  ['crawler_requests', { dates: [], series: [] }, { dates: ['2026-03-02'], series: [] }],
  ['visitor_visits', { dates: [], series: [] }, { dates: ['2026-03-02'], series: [] }],
  ['crawler_top_pages', [], [{ request_path: '/', requests: 0, unique_crawlers: 0, crawlers: [] }]],
])('an answer is not enabled when %s has nothing at all', (endpoint, nothing, something) => {
  expect(read(endpoint, nothing)).toMatchObject({ isNotEnabled: true, isEmpty: true });
  expect(read(endpoint, something)).toMatchObject({ isNotEnabled: false });
});

test('an answer is truncated when its list is as long as the limit', () => {
  const source = { llm: 'm', totalCitations: 1, uniqueDomains: 1, uniquePrompts: 1 };
  const sources = (count: number): unknown =>
    Array.from({ length: count }, (_, n) => ({ ...source, llm: `m${n}` }));
  expect(read('llm_sources', sources(99))).toMatchObject({ isTruncated: false });
  expect(read('llm_sources', sources(100))).toMatchObject({ isTruncated: true });
  expect(read('llm_sources', sources(100), { limit: null })).toMatchObject({ isTruncated: false });
});

test('an answer is truncated when its longest page is as long as the limit', () => {
  const source = { llm: 'm', totalCitations: 1, uniqueDomains: 1, uniquePrompts: 1 };
  const pages = (...lengths: number[]): AnswerChanges => ({
    limit: 3,
    bodies: lengths.map((length) => Array.from({ length }, (_, n) => ({ ...source, llm: `m${String(n)}` }))),
  });
  expect(read('llm_sources', null, pages(3, 1))).toMatchObject({ isTruncated: true });
  expect(read('llm_sources', null, pages(2, 2))).toMatchObject({ isTruncated: false });
  expect(read('visibility', [{ date: '2026-03-02', value: 1 }], { limit: 0 })).toMatchObject({
    isTruncated: false,
  });
});

test.each([false, null, '', undefined])('an empty list beside the error %j is an empty answer', (error) => {
  expect(read('crawler_requests', { dates: [], series: [], error })).toMatchObject({ isEmpty: true });
});

test('empty lists beside an error are refused, others are not', () => {
  const body = (error: unknown, dates: string[] = []): unknown => ({ dates, series: [], error });
  expect(() => read('crawler_requests', body('late'))).toThrow(
    /: an empty answer with an error member: "late"$/,
  );
  expect(() => read('crawler_requests', body(0))).toThrow(/error member: 0$/);
  expect(read('crawler_requests', body('late', ['2026-03-02'])).rejects).toEqual([]);
});

test('an answer of another status is refused, unless the status says that the thing is gone', () => {
  expect(() => read('visibility', [], { status: 202 })).toThrow(/: answered 202, which is no answer$/);
  const gone = read('prompt', null, { status: 404, slice: { scope: 'prompt', scopeId: 'p-9' } });
  expect(gone.isNotEnabled).toBe(false);
  expect(gone.rows).toMatchObject([{ table: 'prompts', values: { prompt_id: 'p-9', prompt: null } }]);
});

test('a day that is listed more than a thousand times with different figures fails its slice', () => {
  const points = Array.from({ length: 1001 }, (_, value) => ({ date: '2026-03-02', value }));
  const other = { date: '2026-03-03', value: 1 };
  expect(() => read('visibility', [...points, other])).toThrow(/more than 1000 of 1002 entries were refused/);
});

test('a second page by name gives no figure of a name on the first page', () => {
  const domains = (...names: string[]): unknown => ({
    dates: ['2026-03-02'],
    series: names.map((domain, n) => ({ domain, data: [n + 1], total: n + 1, percentage: 1 })),
    totalCitations: 9,
  });
  const own = (bodies: unknown[]): unknown[] =>
    read('domain_citations', null, { bodies }).rows.map(({ values }) => [
      values['domain'],
      values['citations'],
    ]);
  expect(own([domains('a', 'b'), domains('b', 'c')])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 2],
  ]);
  expect(own([domains('a')])).toEqual([['a', 1]]);
});

test('an item that cannot be read leaves its day, its days, or its id in doubt', () => {
  const doubts = (endpoint: string, body: unknown): unknown[] => {
    const { doubtfulDays, doubtfulIds, isEmpty } = read(endpoint, body);
    expect(isEmpty).toBe(false);
    return [...doubtfulDays, ...doubtfulIds];
  };
  expect(doubts('visibility', [{ date: '2026-03-02T23:00:00-02:00' }, { date: 7 }])).toEqual([
    '2026-03-03',
    null,
  ]);
  const series = [{ name: 'GPTBot', data: [1] }];
  expect(doubts('crawler_requests', { dates: ['2026-03-02', '2026-03-03'], series })).toEqual([
    '2026-03-02',
    '2026-03-03',
  ]);
  expect(doubts('prompt', { id: 'p-1' })).toEqual([null]);
  expect(doubts('prompts', { prompts: [{ id: 'p-1' }, { id: '' }, { id: 7 }] })).toEqual([null, 'p-1']);
});

test('days are taken by rows of the first table with a day', () => {
  const brand = (date: string): unknown => ({
    date,
    brand: { id: 'b', name: 'B', domain: null, relation: 'SELF' },
    averageVisibility: 1,
    mentionCount: 1,
    totalResponses: 1,
    visibilityPercentage: 1,
  });
  expect(read('brand_visibility', [brand('2026-03-02'), brand('2026-03-03')]).takenDays).toEqual(
    new Set(['2026-03-02', '2026-03-03']),
  );
  expect(read('prompts', documentedBodies['prompts']).takenDays).toEqual(new Set());
});

test('an event of an unknown kind is drift and keeps the rows of its day, but is no reject', () => {
  const body = (item: unknown, date = '2026-03-02'): unknown => {
    const {
      events: [first],
    } = eventsBody;
    const sound = first?.items.at(-1);
    return { ...eventsBody, events: [{ date, items: [...Array.from({ length: 10 }, () => sound), item] }] };
  };
  const merged = { type: 'merged', occurredAt: '2026-03-02T08:00:00Z' };
  const answer = read('events', body(merged));
  expect(answer.rejects).toEqual([]);
  expect(answer.drift).toEqual([{ path: 'events[].items[].type', kind: 'new_enum_value', sample: 'merged' }]);
  expect([answer.doubtfulDays, answer.unknownDays]).toEqual([new Set(), new Set(['2026-03-02'])]);
  for (const kind of [7, undefined, 'action'])
    expect(read('events', body({ ...merged, type: kind })).rejects).toHaveLength(1);
  expect(read('events', body(merged, 'soon')).rejects).toHaveLength(11);
});

test.each([
  ['visibility', [7], /^Invalid input: expected object, received number$/],
  [
    'brand_visibility',
    [{ brand: { id: 7 } }],
    /; brand\.id: Invalid input: expected string, received number; /,
  ],
  ['prompts', { prompts: [{ ...promptBody, amountOfResponses: 'many' }] }, /^amountOfResponses: /],
])('a reject of %s names the field', (endpoint, body, reason) => {
  expect(read(endpoint, body).rejects).toEqual([
    expect.objectContaining({ reason: expect.stringMatching(reason) as unknown }),
  ]);
});

const refusal = (message: RegExp): unknown =>
  expect.objectContaining({
    class: 'contract',
    scope: 'slice',
    message: expect.stringMatching(message) as unknown,
  });

test('a small heatmap that stands for nine million cells fails its slice before they are built', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `m${String(index)}`);
  const body = { models: names, competitors: names.map((name) => ({ name })), matrix: {} };
  const before = process.memoryUsage().heapUsed;
  expect(() => read('competitor_heatmap', body)).toThrow(
    refusal(
      /competitor_heatmap of project project-1 .*more than 200000 entries.*sync\.endpoints\.competitor_heatmap/,
    ),
  );
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400_000_000);
});

test('more than a thousand refused items fail their slice, counted, with the reason of the first', () => {
  const items = Array.from({ length: 1500 }, () => ({}));
  expect(() => read('visibility', items)).toThrow(
    refusal(/more than 1000 of 1500 entries were refused.*the first: \[0\]: date: /),
  );
  expect(read('visibility', items.slice(0, 1000))).toMatchObject({ rejects: { length: 1000 } });
});

test('a window with a total and no list has no row: it is asked about once more', () => {
  const body = { dates: [], series: [], totalCitations: 8 };
  const slice = { windowKind: 'month', window: days('2026-02-01', '2026-02-28') } as const;
  const { rows, takenDays } = read('domain_citation_totals', body, { slice });
  expect([rows.map(({ table }) => table), takenDays]).toEqual([['citation_totals'], new Set()]);
});
