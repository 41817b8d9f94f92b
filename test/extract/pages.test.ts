import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Paging, Parameter } from '../../src/endpoints/endpoint.ts';
import { toDay, type Day } from '../../src/day.ts';
import { brandVisibility } from '../../src/endpoints/visibility.ts';
import { events } from '../../src/endpoints/events.ts';
import { prompts } from '../../src/endpoints/prompts.ts';
import { readPages } from '../../src/extract/read-pages.ts';
import type { AnswerPage } from '../../src/slice.ts';
import { sliceOf } from '../support/answers.ts';
import { refusal } from './rig.ts';

type Query = Record<string, string>;
type Answer = (query: Query, request: number) => unknown;

/** Reads a list from a server that answers each request with what `answer` says; values of a repeated name are one text. */
async function read(
  answer: Answer,
  options: { paging: Paging; limit: number | null; wanted?: string[]; today?: Day },
) {
  const asked: Query[] = [];
  const getPage = async (page: number, paging: readonly Parameter[]): Promise<AnswerPage> => {
    const query: Query = {};
    for (const [name, value] of paging) query[name] = [query[name] ?? [], value].flat().join(' ');
    asked.push(query);
    return await Promise.resolve({ page, status: 200, fetchedAt: 0, body: answer(query, asked.length) });
  };
  const slice = sliceOf('brand_visibility');
  const read = await readPages(getPage, { ...options, slice });
  const { pages, incomplete, isOutage = false, isSuspected = false } = read;
  const bodies = pages.map(({ body }) => body);
  return { asked, bodies, entries: [...new Set(bodies.flat())], incomplete, isOutage, isSuspected };
}

const items = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `item ${String(from + index)}`);

const ALL = items(2300);
const { paging } = brandVisibility;
const byOffset = (answer: Answer, limit = 1000) => read(answer, { paging, limit });
const from =
  (list: readonly string[]): Answer =>
  ({ offset = '0' }) =>
    list.slice(Number(offset)).slice(0, 1000);
/** Brands with three days each, ten brands a page. */
const BRANDS = Array.from({ length: 14 }, (_, brand) => items(3, 10 * brand));

it.each<[string, Answer, string[], (string | undefined)[], number?]>([
  ['that is short', () => items(150), items(150), [undefined]],
  ['that is empty', () => [], [], [undefined]],
  ['exactly as long as its limit', from(items(1000)), items(1000), [undefined, '999']],
  ['longer than its limit, which the server ignores', () => items(1932), items(1932), [undefined, '999']],
  ['that ends with a short page; pages overlap by one entry', from(ALL), ALL, [undefined, '999', '1998']],
  [
    'that loses entries between two pages, and is read again,',
    (query, request) => from(request === 1 ? ALL : ALL.slice(5))(query, request),
    ALL.slice(5),
    [undefined, '999', undefined, '999', '1998'],
  ],
  [
    'whose limit counts what has several entries',
    ({ offset = '0' }) => BRANDS.slice(Number(offset), Number(offset) + 10).flat(),
    BRANDS.flat(),
    [undefined, '9', '18'],
    10,
  ],
])('a list paged by offset %s is whole', async (...[, answer, entries, offsets, limit]) => {
  const { asked, incomplete, ...found } = await byOffset(answer, limit);
  expect(found.entries).toEqual(entries);
  expect(asked.map(({ offset }) => offset)).toEqual(offsets);
  expect(incomplete).toBeUndefined();
});

it.each<[string, number, string, Answer]>([
  ['is ignored', 4, 'ignores `offset`, so nothing came beyond the first 1000', () => items(1000)],
  ['loses an entry between all pages', 8, 'moved', (query, n) => from(ALL.slice(n))(query, n)],
])('a list whose offset %s is incomplete after %i requests', async (...[, requests, why, answer]) => {
  const { asked, incomplete } = await byOffset(answer);
  expect([asked.length, incomplete]).toEqual([requests, expect.stringContaining(why)]);
});

/** Some days of the slice's week and so many brands a day, days first. */
const brandDays = (days: number, brands: number) =>
  Array.from({ length: days * brands }, (_, index) => ({
    date: `2026-03-0${String(2 + Math.floor(index / brands))}`,
    brand: index % brands,
  }));
type BrandDay = ReturnType<typeof brandDays>[number];
const cutAt =
  (cap: number, rows: readonly BrandDay[]): Answer =>
  ({ offset = '0' }) =>
    rows.slice(Number(offset), Number(offset) + cap);

it.each<[string, Answer, number, (string | undefined)[], boolean?]>([
  ['that follow by offset are read', cutAt(10, brandDays(7, 5)), 35, [undefined, '9', '18', '27']],
  ['end within a day', cutAt(15, brandDays(7, 4)), 28, [undefined, '14']],
  ['begin late, newest first,', cutAt(10, brandDays(7, 5).toReversed()), 35, [undefined, '9', '18', '27']],
  ['of a young project end there', cutAt(1000, brandDays(7, 5).slice(20)), 15, [undefined, '14']],
  ['are not followed where every day is full', cutAt(1000, brandDays(7, 5)), 35, [undefined]],
  ['are not followed where their number is not round', cutAt(1000, brandDays(4, 4)), 16, [undefined]],
  ['ignore `offset`: they may be cut off', () => brandDays(2, 5), 10, [undefined, '9'], true],
  [
    'have no `offset`: they may be cut off',
    ({ offset }) => {
      if (offset !== undefined) throw refusal(400);
      return brandDays(2, 5);
    },
    10,
    [undefined, '9'],
    true,
  ],
])('rows below the limit that %s', async (...[, answer, count, offsets, isSuspected = false]) => {
  const { bodies, ...found } = await read(answer, { paging, limit: 1000, today: toDay('2026-03-10') });
  expect(new Set(bodies.flat().map((row) => JSON.stringify(row))).size).toBe(count);
  expect(found).toMatchObject({ isSuspected, asked: offsets.map((offset) => (offset ? { offset } : {})) });
  expect(found.incomplete).toBeUndefined();
});

it('a list paged by offset is whole although the last digits of its means differ from page to page', async () => {
  const { asked, incomplete } = await byOffset(({ offset = '0' }, request) => {
    const entries = [0, 1, 2, 3, 4].map((id) => ({ id, mean: 0.1 * (id + 1) * (1 + request * 1e-13) }));
    return entries.slice(Number(offset), Number(offset) + 3);
  }, 3);
  expect([asked.map(({ offset }) => offset), incomplete]).toEqual([[undefined, '2', '4'], undefined]);
});

const list = (ids: readonly string[], total: number, totalPages: number): object => ({
  prompts: ids.map((id) => ({ id })),
  total,
  page: 1,
  size: 100,
  totalPages,
});
const byNumber = (answer: Answer) => read(answer, { paging: prompts.paging, limit: null });
const page = (ids: readonly string[], { page: number }: Query, size = 100): string[] =>
  ids.slice((Number(number) - 1) * size).slice(0, size);

/** A page of a list of so many entries, with these paging fields. */
const ofHundreds = (query: Query, count: number, fields: object): object => ({
  ...list(page(items(count), query), count, 2),
  ...fields,
});

const refusedAt =
  (at: number, status: number, [total, totalPages]: readonly [number, number] = [250, 3]): Answer =>
  (query) => {
    if (query['page'] === String(at)) throw refusal(status);
    return list(page(items(total), query), total, totalPages);
  };

const ofFifty = (query: Query, total: number, totalPages: number): object => ({
  ...list(page(items(total), query, 50), total, totalPages),
  size: 50,
});

it.each<[string, number, Answer]>([
  ['without a page', 1, () => list([], 0, 0)],
  ['whose last full page makes the total full', 3, (query) => list(page(items(200), query), 200, 2)],
  ['with a total beyond its only page', 3, (query) => list(page(items(250), query), 250, 1)],
  ['of pages of the size that the server states', 2, (query) => ofFifty(query, 80, 1)],
  ['of such pages that are all full', 3, (query) => ofFifty(query, 100, 2)],
  ['of such pages that end with an empty one', 3, (query) => ofFifty(query, 100, 3)],
  ['whose server refuses the page beyond its last one', 2, refusedAt(2, 400, [100, 1])],
  [
    'whose paging fields are numbers as text',
    2,
    (query) => ofHundreds(query, 103, { total: '103', totalPages: '2' }),
  ],
])('a list paged by number %s is whole after %i requests', async (_, requests, answer) => {
  const { asked, incomplete } = await byNumber(answer);
  const numbers = Array.from({ length: requests }, (_, at) => String(at + 1));
  expect([asked.map(({ page: number }) => number), incomplete]).toEqual([numbers, undefined]);
});

it('a list paged by number is read once more when its total changes between pages', async () => {
  const { bodies, asked, incomplete } = await byNumber(({ page: number }, request) => {
    if (request === 1) return list(['a', 'b'], 2, 2);
    return number === '1' ? list(['a', 'b'], 3, 2) : list(['c'], 3, 2);
  });
  expect([asked.length, incomplete]).toEqual([4, undefined]);
  expect(bodies).toEqual([list(['a', 'b'], 3, 2), list(['c'], 3, 2)]);
});

it.each<[string, number, string, Answer]>([
  ['has fewer entries than its total', 2, 'a total of 5, and 2 came', () => list(['a', 'b'], 5, 1)],
  ['has more entries than its total', 2, 'a total of 1, and 2 came', () => list(['a', 'b'], 1, 1)],
  [
    'has a total that moves between the pages of every reading',
    8,
    'its total moved from 150 to 149 while its pages were read',
    (query, request) => list(page(items(150), query), 157 - request, 2),
  ],
  [
    'loses entries between two pages',
    6,
    'states a total of 250, and 240 came',
    (query) => list(page(items(250).slice(query['page'] === '1' ? 0 : 10), query), 250, 3),
  ],
  ['never stands still', 4, 'a total of 2, and 1 came', (_, request) => list([String(request)], 2, 1)],
  ['is the same on each page', 4, 'ignores `page`', () => list(items(100), 250, 3)],
  [
    'has a total that lags behind a full page',
    4,
    'a total of 100, and 130 came',
    (query) => list(page(items(130), query), 100, 1),
  ],
  [
    'has a later page that cannot be read',
    4,
    'page 2 cannot be read',
    (query) => (query['page'] === '2' ? { nothing: 1 } : list(page(items(250), query), 250, 3)),
  ],
  [
    'gives an entry again in the place of one that was lost',
    4,
    'a total of 105, and 104 came',
    (query) => list(query['page'] === '1' ? items(100) : ['item 99', ...items(4, 101)], 105, 2),
  ],
])('a list paged by number that %s is incomplete after %i requests', async (...[, requests, why, answer]) => {
  const { asked, incomplete } = await byNumber(answer);
  expect([asked.length, incomplete]).toEqual([requests, expect.stringContaining(why)]);
});

it.each<[string, object, string]>([
  ['words', { total: 'many' }, '`total`'],
  ['null', { total: null }, '`total`'],
  ['negative', { total: -1 }, '`total`'],
  ['missing', { totalPages: undefined }, '`totalPages`'],
  ['renamed', { total: undefined, totalPages: undefined, total_count: 3 }, '`total` and `totalPages`'],
  ['nested', { total: undefined, totalPages: undefined, meta: { total: 3 } }, '`total` and `totalPages`'],
])('paging fields that cannot be read (%s) make a list incomplete', async (_, fields, names) => {
  const { bodies, incomplete } = await byNumber((query) => ofHundreds(query, 103, fields));
  expect(bodies).toHaveLength(2);
  expect(incomplete).toBe(`${names} cannot be read, so nothing proves that the list is whole`);
});

it.each([400, 403, 404, 500, 501])(
  'a page after the first that answers %i ends its list as incomplete',
  async (status) => {
    const { bodies, asked, incomplete, isOutage } = await byNumber(refusedAt(2, status));
    expect([bodies.length, asked.length, isOutage]).toEqual([1, 2, status === 500]);
    expect(incomplete).toBe(`page 2 was refused: answered ${String(status)}`);
  },
);

it.each([
  [1, 400],
  [2, 401],
  [2, 429],
  [2, 503],
])('page %i that answers %i, which is not of the page alone, fails its list', async (number, status) => {
  await expect(byNumber(refusedAt(number, status))).rejects.toThrow(`answered ${String(status)}`);
});

const action = (id: string, date = '2026-03-02'): object => ({
  date,
  items: [{ type: 'action', occurredAt: `${date}T08:00:00Z`, action: { id } }],
});
const merged = { date: '2026-03-02', items: [{ type: 'merged', occurredAt: null }] };
const oneDay =
  (total: number, ...events: object[]): Answer =>
  () => ({ events, total, page: 1, size: 200, totalPages: 1 });

it.each<[string, Answer]>([
  ['an action that a join lists twice, which the total counts twice,', oneDay(2, action('a'), action('a'))],
  ['an action that a join lists twice, which the total counts once,', oneDay(1, action('a'), action('a'))],
  ['an action on two days', oneDay(2, action('a'), action('a', '2026-03-03'))],
  ['a kind that is not known and that the total counts', oneDay(2, action('a'), merged)],
  ['a kind that is not known and that the total does not count', oneDay(1, action('a'), merged)],
])('a list with %s is whole', async (_, answer) => {
  const { asked, incomplete } = await read(answer, { paging: events.paging, limit: null });
  expect([asked.length, incomplete]).toEqual([1, undefined]);
});

it.each<[string, (answer: Answer) => Promise<unknown>, Answer]>([
  ['number', byNumber, ({ page: number = '' }) => list([number], 2000, 2000)],
  ['offset', (answer) => byOffset(answer, 2), ({ offset = '0' }) => items(2, Number(offset))],
])('a list paged by %s that has no end fails after 1,000 pages', async (_, ask, answer) => {
  let requests = 0;
  const endless = ask((query) => answer(query, (requests += 1)));
  await expect(endless).rejects.toThrow('more than 1000 pages');
  expect(requests).toBe(1000);
});

const NAMED: Paging = {
  kind: 'named',
  parameter: 'domains',
  column: 'domain',
  names: (body) => z.array(z.string()).parse(body),
  isCutOff: (body) => isDeepStrictEqual(body, SHORT),
  wanted: { table: 'brands', column: 'domain', relations: ['SELF'] },
};
const LIST = ['A.example', 'b.example'];
/** The server's own limit is lower. */
const SHORT = ['A.example'];
const CUT = { paging: NAMED, limit: 2, wanted: ['a.example', 'c.example', 'd.example'] };

it.each([
  ['is as long as its limit', LIST],
  ['states that it lacks entries, however short it is,', SHORT],
])('a list that %s has a second page with the names that matter and that it lacks', async (_, first) => {
  const { asked, bodies } = await read(({ domains }) => (domains === undefined ? first : ['c.example']), CUT);
  expect(asked).toEqual([{}, { domains: 'c.example d.example' }]);
  expect(bodies).toEqual([first, ['c.example']]);
});

it.each([
  ['it is shorter than its limit', { limit: 3 }],
  ['it lacks none', { wanted: ['B.example'] }],
  ['none matters', { wanted: [] }],
])('a list is one request where %s', async (_, changes) => {
  expect((await read(() => LIST, { ...CUT, ...changes })).asked).toEqual([{}]);
});

it('a cut list stands when the server refuses to be asked by name, and is incomplete when it cannot answer', async () => {
  const failing =
    (status: number): Answer =>
    ({ domains }) => {
      if (domains !== undefined) throw refusal(status);
      return LIST;
    };
  expect((await read(failing(400), CUT)).bodies).toEqual([LIST]);
  expect(await read(failing(500), CUT)).toMatchObject({
    bodies: [LIST],
    incomplete: 'page 2 was refused: answered 500',
  });
});
