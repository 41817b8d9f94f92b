import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import { addDays, toDay, type Day } from '../../src/day.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { answerOf, SYNC_DAY, WEEK } from '../support/answers.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Visibility of the first `count` days of the week. */
function week(count: number): ArchivedAnswer {
  const body = Array.from({ length: count }, (_, day) => ({
    date: addDays(WEEK.start, day),
    value: day + 1,
  }));
  return answerOf('visibility', body);
}

function mentions(count: number): ArchivedAnswer {
  const body = Array.from({ length: count }, (_, n) => ({ competitor: `c${n}`, count: 1, percentage: 1 }));
  return answerOf('competitor_mentions', body);
}

function prompts(count: number): ArchivedAnswer {
  const list = Array.from({ length: count }, (_, n) => ({ ...promptBody, id: `p${n}` }));
  return answerOf('prompts', { prompts: list, total: count, totalPages: 1 });
}

const KINDS: readonly (readonly [string, (count: number) => ArchivedAnswer, string])[] = [
  ['series', week, 'select count(*) as n from core.visibility'],
  ['window', mentions, 'select count(*) as n from core.competitor_mentions'],
  ['list', prompts, 'select count(*) as n from core.prompts where removed_at is null'],
];

const status = (entries: readonly LedgerEntry[]): unknown => entries[0]?.status;

describe.each(KINDS)('a %s', (kind, answer, left) => {
  test(`a ${kind} whose answer is less than half as long is suspicious twice and believed the third time`, async () => {
    await using file = await WarehouseFile.open();
    const count = async (): Promise<unknown> => (await file.rows(left))[0]?.['n'];
    await file.load([answer(7)]);
    const [suspicious] = await file.load([answer(3)], { runId: 'run-2' });
    expect(suspicious).toMatchObject({ status: 'suspicious', counts: { deleted: 0, updated: 0 } });
    expect(suspicious?.counts.suspicious).toBeGreaterThanOrEqual(3);
    expect(await count()).toBe(7);
    expect(status(await file.load([answer(3)], { runId: 'run-3' }))).toBe('suspicious');
    expect(await count()).toBe(7);
    const [believed] = await file.load([answer(3)], { runId: 'run-4' });
    expect(believed).toMatchObject({ status: 'loaded', counts: { deleted: 4 } });
    expect(await count()).toBe(3);
    expect(await file.rows('select * from meta.vanishing')).toEqual([]);
  });

  test(`a ${kind} that comes back whole in between begins to count anew`, async () => {
    await using file = await WarehouseFile.open();
    await file.load([answer(7)]);
    for (const [runId, rows] of Object.entries({ b: 3, c: 7, d: 3, e: 3 })) {
      await file.load([answer(rows)], { runId });
    }
    expect(await file.rows(left)).toEqual([{ n: 7 }]);
    expect(status(await file.load([answer(3)], { runId: 'f' }))).toBe('loaded');
  });

  test(`a ${kind} is suspicious in one run however often that run asks`, async () => {
    await using file = await WarehouseFile.open();
    await file.load([answer(7)]);
    for (let time = 0; time < 4; time += 1) {
      expect(status(await file.load([answer(0)], { runId: 'run-2' }))).toBe('suspicious');
    }
    expect(await file.rows(left)).toEqual([{ n: 7 }]);
  });

  test(`a ${kind} shrinks at once by half, or when shrinking is accepted`, async () => {
    await using file = await WarehouseFile.open();
    await file.load([answer(8 - 1)]);
    expect(status(await file.load([answer(4)], { runId: 'run-2' }))).toBe('loaded');
    const [accepted] = await file.load([answer(1)], { runId: 'run-3', acceptShrink: true });
    expect(accepted).toMatchObject({ status: 'loaded', counts: { deleted: 3 } });
    expect(await file.rows(left)).toEqual([{ n: 1 }]);
  });
});

test('a series that was loaded and emptied on one day is believed the third time, its last day included', async () => {
  await using file = await WarehouseFile.open();
  const night = (syncDay: string, count: number): ArchivedAnswer => {
    const window = { start: addDays(SYNC_DAY, -3), end: toDay(syncDay) };
    const body = Array.from({ length: count }, (_, day) => ({
      date: addDays(window.start, day),
      value: day,
    }));
    return answerOf('visibility', body, { syncDay, slice: { window } });
  };
  await file.load([night('2026-03-10', 4)]);
  const statuses: unknown[] = [];
  for (const [runId, day] of Object.entries({ b: '2026-03-10', c: '2026-03-11', d: '2026-03-12' })) {
    statuses.push(status(await file.load([night(day, 0)], { runId, syncDay: toDay(day) })));
  }
  expect(statuses).toEqual(['suspicious', 'suspicious', 'empty']);
  expect(await file.contents('visibility')).toEqual([]);
});

test('names that a shorter window does not list are no loss where they were zero', async () => {
  await using file = await WarehouseFile.open();
  const dates = [0, 1, 2, 3].map((day) => addDays(WEEK.start, day));
  const crawlers = (series: readonly object[]): ArchivedAnswer =>
    answerOf('crawler_requests', { dates, series });
  const idle = [1, 2, 3, 4].map((n) => ({ name: `idle${n}`, data: [0, 0, 0, 0] }));
  const busy = { name: 'busy', data: [5, 6, 7, 8] };
  await file.load([crawlers([busy, ...idle])]);
  expect(status(await file.load([crawlers([{ ...busy, data: [5, 6, 7, 9] }])], { runId: 'b' }))).toBe(
    'loaded',
  );
  expect(
    await file.rows('select crawler, max(requests) as most from core.crawler_requests group by all'),
  ).toEqual([{ crawler: 'busy', most: 9 }]);
  const short = answerOf('crawler_requests', {
    dates: dates.slice(0, 1),
    series: [{ name: 'busy', data: [5] }],
  });
  expect(status(await file.load([short], { runId: 'c' }))).toBe('suspicious');
});

test('brands that nobody names in a shorter window are no loss', async () => {
  await using file = await WarehouseFile.open();
  const point = (name: string, mentionCount: number): object => ({
    date: WEEK.start,
    brand: { id: name, name, domain: null, relation: 'OTHER' },
    averageVisibility: mentionCount,
    mentionCount,
    totalResponses: 9,
    visibilityPercentage: mentionCount,
  });
  const named = point('named', 3);
  await file.load([answerOf('brand_visibility', [named, ...['a', 'b', 'c'].map((name) => point(name, 0))])]);
  expect(status(await file.load([answerOf('brand_visibility', [named])], { runId: 'b' }))).toBe('loaded');
});

describe('events', () => {
  const events = (days: readonly Day[]): ArchivedAnswer => {
    const list = days.map((date, index) => {
      const action = { id: `a${index}`, type: 'CUSTOM', status: 'done', title: '' };
      return { date, items: [{ type: 'action', occurredAt: `${date}T10:00:00Z`, action }] };
    });
    const window = { start: WEEK.start, end: SYNC_DAY };
    return answerOf('events', { events: list, total: days.length, totalPages: 1 }, { slice: { window } });
  };

  test('events that vanish together are suspicious, one alone is not', async () => {
    await using file = await WarehouseFile.open();
    const days = [0, 1, 2, 3].map((day) => addDays(WEEK.start, day));
    await file.load([events(days)]);
    expect(status(await file.load([events([])], { runId: 'run-2' }))).toBe('suspicious');
    expect(status(await file.load([events(days.slice(0, 3))], { runId: 'run-3' }))).toBe('loaded');
    expect(await file.rows('select count(*) as n from core.events')).toEqual([{ n: 3 }]);
  });

  test('events of today may all vanish: the day is not over', async () => {
    await using file = await WarehouseFile.open();
    await file.load([events([SYNC_DAY, SYNC_DAY])]);
    expect(status(await file.load([events([])], { runId: 'run-2' }))).toBe('empty');
  });
});

test('a suspicious slice stops no other of its batch', async () => {
  await using file = await WarehouseFile.open();
  const model = (scopeId: string, value: number): ArchivedAnswer =>
    answerOf('visibility', [{ date: toDay('2026-03-02'), value }], { slice: { scope: 'model', scopeId } });
  await file.load([week(7), model('m', 1)]);
  const entries = await file.load([week(0), model('m', 2)], { runId: 'run-2' });
  expect(entries.map((entry) => entry.status)).toEqual(['suspicious', 'loaded']);
  expect(await file.rows("select visibility as v from core.visibility where scope = 'model'")).toEqual([
    { v: 2 },
  ]);
});
