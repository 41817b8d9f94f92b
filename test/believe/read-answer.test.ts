import { expect, test } from 'vitest';
import type { ValidatedAnswer } from '../../src/believe/read-answer.ts';
import { days, listed, readBody as read, WEEK } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { eventsBody } from '../fixtures/events.ts';
import { promptBody } from '../fixtures/prompt.ts';

const valuesOf = ({ rows }: ValidatedAnswer, name: string): unknown[] =>
  listed(rows).map(({ values }) => values[name]);
const TWO = ['2026-03-02', '2026-03-03'];
const point = (date: string, value: unknown = 1): object => ({ date, value });
/** The whole answer is refused by a message. */
const refusal = (message: RegExp): unknown =>
  expect.objectContaining({
    class: 'contract',
    scope: 'slice',
    message: expect.stringMatching(message) as unknown,
  });

test('a reject is a whole series whose data is not as long as its dates, apart from the sync day', () => {
  const series = [
    { domain: 'a.example', data: [1], total: 1, percentage: 50 },
    { domain: 'b.example', data: [1, 2], total: 3, percentage: 50 },
  ];
  const body = (...dates: string[]): object => ({ dates, series, totalCitations: 4 });
  const slice = { window: days('2026-03-09', '2026-03-10') };
  expect(read('domain_citations', body('2026-03-09', '2026-03-10'), { slice })).toMatchObject({
    rejects: [],
  });
  const answer = read('domain_citations', body(...TWO));
  expect(valuesOf(answer, 'domain')).toEqual(['b.example', 'b.example']);
  expect(answer.rejects).toMatchObject([{ path: 'series[0]', reason: '1 data points for 2 dates' }]);
});

test('a reject names its page when there are several', () => {
  const page = (prompts: unknown[]): unknown => ({ prompts, total: 1, page: 1, size: 100, totalPages: 2 });
  const answer = read('prompts', null, { bodies: [page([]), page([{ id: '' }])] });
  expect(answer.rejects.map(({ path }) => path)).toEqual(['page 2: prompts[0]']);
});

test.each([
  ['visibility', { data: [] }, /visibility of project project-1 .*does not have the documented shape/],
  ['prompts', [], /documented shape/],
  ['events', { events: null, total: 0, totalPages: 0 }, /events: .*expected array/],
  ['validate', { valid: false, message: 'no' }, /valid/],
  ['response_summary', [], /documented shape/],
  ['response_summary', { data: { totalResponses: 3 } }, /documented shape/],
  ['share_of_voice_comparison', { data: { current: {} } }, /documented shape/],
])('an answer is refused as a whole when the envelope of %s does not fit', (endpoint, body, message) => {
  expect(() => read(endpoint, body)).toThrow(refusal(message));
});

test('the window files a date-time with an offset under its UTC day', () => {
  const answer = read('visibility', [point('2026-03-03T01:00:00+02:00')]);
  expect(valuesOf(answer, 'date')).toEqual(['2026-03-02']);
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

test.each<[number[], number | null | undefined, boolean]>([
  [[99], undefined, false],
  [[100], undefined, true],
  [[100], null, false],
  [[3, 1], 3, true],
  [[2, 2], 3, false],
])('an answer with pages of %j sources and the limit %j is truncated: %s', (lengths, limit, isTruncated) => {
  const source = { totalCitations: 1, uniqueDomains: 1, uniquePrompts: 1 };
  const bodies = lengths.map((length) =>
    Array.from({ length }, (_, n) => ({ ...source, llm: `m${String(n)}` })),
  );
  const changes = limit === undefined ? { bodies } : { bodies, limit };
  expect(read('llm_sources', null, changes)).toMatchObject({ isTruncated });
  expect(read('visibility', [point('2026-03-02')], { limit: 0 })).toMatchObject({ isTruncated: false });
});

test('empty lists beside an error are refused; other lists, and an error that says nothing, are not', () => {
  const body = (error: unknown, dates: string[] = []): unknown => ({ dates, series: [], error });
  for (const error of [false, null, '', undefined])
    expect(read('crawler_requests', body(error))).toMatchObject({ isEmpty: true });
  const said = /: an empty answer with an error member: "late"$/;
  expect(() => read('crawler_requests', body('late'))).toThrow(said);
  expect(() => read('crawler_requests', body(0))).toThrow(/error member: 0$/);
  expect(read('crawler_requests', body('late', ['2026-03-02'])).rejects).toEqual([]);
});

test('an answer of another status is refused', () => {
  expect(() => read('visibility', [], { status: 202 })).toThrow(/: answered 202, which is no answer$/);
});

test('a second page by name gives no figure of a name on the first page', () => {
  const domains = (...names: string[]): unknown => ({
    dates: ['2026-03-02'],
    series: names.map((domain, n) => ({ domain, data: [n + 1], total: n + 1, percentage: 1 })),
    totalCitations: 9,
  });
  const own = (bodies: unknown[]): string[] =>
    listed(read('domain_citations', null, { bodies }).rows).map(
      ({ values }) => `${String(values['domain'])} ${String(values['citations'])}`,
    );
  expect(own([domains('a', 'b'), domains('b', 'c')])).toEqual(['a 1', 'b 2', 'c 2']);
  expect(own([domains('a')])).toEqual(['a 1']);
});

test.each<[string, unknown, unknown[]]>([
  ['visibility', [{ date: '2026-03-02T23:00:00-02:00' }, { date: 7 }], [null]],
  ['crawler_requests', { dates: TWO, series: [{ name: 'GPTBot', data: [1] }] }, TWO],
  ['prompt', { id: 7 }, [null]],
  ['prompts', { prompts: [{ id: 'p-1' }, { id: '' }, { id: 7 }] }, [null]],
])('an item of %s that cannot be read leaves its days in doubt', (endpoint, body, doubts) => {
  const { doubtfulDays, isEmpty } = read(endpoint, body);
  expect([[...doubtfulDays], isEmpty]).toEqual([doubts, false]);
});

test('days are taken by rows of the first table with a day', () => {
  const brands = TWO.map((date) => ({
    date,
    brand: { id: 'b', name: 'B', domain: null, relation: 'SELF' },
    averageVisibility: 1,
    mentionCount: 1,
    totalResponses: 1,
    visibilityPercentage: 1,
  }));
  expect(read('brand_visibility', brands).takenDays).toEqual(new Set(TWO));
  expect(read('prompts', documentedBodies['prompts']).takenDays).toEqual(new Set());
});

test('an event of an unknown kind is drift and keeps the rows of its day, but is no reject', () => {
  const sound = eventsBody.events[0]?.items.at(-1);
  const readDay = (item: unknown, date = '2026-03-02') =>
    read('events', { ...eventsBody, events: [{ date, items: [...Array<unknown>(10).fill(sound), item] }] });
  const merged = { type: 'merged', occurredAt: '2026-03-02T08:00:00Z' };
  expect(readDay(merged)).toMatchObject({
    rejects: [],
    drift: [{ path: 'events[].items[].type', kind: 'new_enum_value', sample: 'merged' }],
    doubtfulDays: new Set(),
    unknownDays: new Set(['2026-03-02']),
  });
  for (const type of [7, undefined, 'action']) expect(readDay({ ...merged, type }).rejects).toHaveLength(1);
});

test.each([
  ['visibility', [7], /^Invalid input: expected object, received number$/],
  ['brand_visibility', [{ brand: { id: 7 } }], /; brand\.id: Invalid input: expected string, received/],
  ['prompts', { prompts: [{ ...promptBody, id: 7 }] }, /^id: /],
])('a reject of %s names the field', (endpoint, body, reason) => {
  const { rejects } = read(endpoint, body);
  expect(rejects).toMatchObject([{ reason: expect.stringMatching(reason) as unknown }]);
});

test('a small heatmap that stands for nine million cells fails its slice before they are built', () => {
  const models = Array.from({ length: 3000 }, (_, index) => `m${String(index)}`);
  const body = { models, competitors: models.map((name) => ({ name })), matrix: {} };
  const before = process.memoryUsage().heapUsed;
  const said =
    /competitor_heatmap of project project-1 .*more than 200000 entries.*sync\.endpoints\.competitor_heatmap/;
  expect(() => read('competitor_heatmap', body)).toThrow(refusal(said));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400_000_000);
});

test('more than a thousand refused items fail their slice, counted, with the reason of the first', () => {
  const items = Array.from({ length: 1500 }, () => ({}));
  const said = /more than 1000 of 1500 entries were refused.*the first: \[0\]: date: /;
  expect(() => read('visibility', items)).toThrow(refusal(said));
  expect(read('visibility', items.slice(0, 1000))).toMatchObject({ rejects: { length: 1000 } });
  // A day that is listed more than a thousand times with different figures is refused as often.
  const points = Array.from({ length: 1001 }, (_, value) => point('2026-03-02', value));
  const doubled = /more than 1000 of 1002 entries were refused/;
  expect(() => read('visibility', [...points, point('2026-03-03')])).toThrow(doubled);
});

test('a window with a total and no list has no row: it is asked about once more', () => {
  const body = { dates: [], series: [], totalCitations: 8 };
  const slice = { windowKind: 'month', window: days('2026-02-01', '2026-02-28') } as const;
  const { rows, takenDays } = read('domain_citation_totals', body, { slice });
  expect([listed(rows).map(({ table }) => table), takenDays]).toEqual([['citation_totals'], new Set()]);
});

test.each([
  ['month', 0, false],
  ['month', 3, true],
  ['last_7_days', 0, true],
] as const)('a window of %s with %i responses has its row: %s', (windowKind, totalResponses, isTaken) => {
  const body = { totalResponses, totalBrandMentions: 0, brandMentionRate: 0 };
  const { takenDays } = read('response_summary', body, { slice: { windowKind, window: WEEK } });
  expect([...takenDays]).toEqual(isTaken ? [WEEK.start] : []);
});

/** Name, model and visibility of each cell of a heatmap, and the rejects. */
function readCells(names: readonly string[], models: readonly string[], matrix: object) {
  const competitors = names.map((name) => ({ name }));
  const { rows, rejects } = read('competitor_heatmap', { models, competitors, matrix });
  const cells = listed(rows).map(({ values }) =>
    [values['competitor_name'], values['model_id'], values['visibility'] ?? 'none'].join(' '),
  );
  return { cells, rejects };
}

const THREE = ['Oakline', 'Nordhem', 'Deskly'];

test('a matrix row that is no object is refused, and is no row of missing cells', () => {
  expect(readCells(THREE, ['m'], { Oakline: 'none', Nordhem: { m: 40 } })).toEqual({
    cells: ['Nordhem m 40', 'Deskly m none'],
    rejects: [{ path: 'matrix["Oakline"]', reason: 'expected an object of cells by model', row: '"none"' }],
  });
});

test('a cell of a model that the list of models lacks is a row too; an undocumented field is not a model', () => {
  const matrix = { Oakline: { m: 30 }, Nordhem: { n: 40 }, Deskly: {} };
  const oakline = ['Oakline m 30', 'Oakline n none'];
  const cells = [...oakline, 'Nordhem m none', 'Nordhem n 40', 'Deskly m none', 'Deskly n none'];
  for (const models of [['m'], []]) expect(readCells(THREE, models, matrix)).toEqual({ cells, rejects: [] });
  const noted = { Oakline: { m: 30, note: { deep: [1] } }, Nordhem: { m: 40 } };
  expect(readCells(THREE.slice(0, 2), ['m'], noted).cells).toEqual(['Oakline m 30', 'Nordhem m 40']);
});
