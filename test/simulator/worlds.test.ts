import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, truth, who } from './ask.ts';
import { toDay } from '../../src/day.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ world: 'hostile' });
});
afterAll(() => simulator.close());

interface Named {
  id: string;
}

it('the hostile world names brands with numbers, prototype words, emoji and twice', async () => {
  const query = new URLSearchParams({ ...QUARTER, hideIgnoredBrands: 'false' }).toString();
  const text = await (await get(simulator, `/api/v1/competitor-heatmap?${query}`)).text();
  expect(text).toContain('"__proto__":{');
  const { competitors, matrix } = JSON.parse(text) as {
    competitors: { name: string; domain?: string | null; relation?: string | null }[];
    matrix: object;
  };
  const names = competitors.map(({ name }) => name);
  const odd = ['10', '2', '__proto__', 'constructor', 'hasOwnProperty', '日本茶 🍵'];
  expect(names).toEqual(expect.arrayContaining(odd));
  expect(names.filter((name) => name === 'Twin')).toHaveLength(2);
  expect(Object.keys(matrix).slice(0, 2)).toEqual(['2', '10']);
  const kinds = competitors.map(({ domain, relation }) => [String(domain), String(relation)].join());
  for (const kind of [/^undefined,/, /^null,/, /,null$/])
    expect(kinds.some((one) => kind.test(one))).toBe(true);
});

it('the hostile world has null points and missing days, null and absent prompt fields', () => {
  const points = truth<{ value: number | null }[]>(simulator, '/api/v1/visibility-time-series', QUARTER);
  const nulls = points.filter(({ value }) => value === null).length;
  expect([points.length < 90, nulls > 0, points.length - nulls > 60]).toEqual([true, true, true]);
  const { prompts } = truth<{ prompts: object[] }>(simulator, '/api/v1/prompts', { size: '100' });
  for (const field of ['intent', 'averageVisibility', 'difficulty']) {
    expect(prompts).toContainEqual(expect.objectContaining({ [field]: null }));
    expect(prompts.some((prompt) => !(field in prompt))).toBe(true);
  }
});

it('the hostile world knows a prompt from events that the list lacks: the look-up finds one and no other', () => {
  const window = { startDate: '2025-01-01', endDate: '2025-03-31' };
  type Events = { events: { items: { prompts?: Named[] }[] }[] };
  const { events } = truth<Events>(simulator, '/api/v2/events', window);
  const { prompts } = truth<{ prompts: Named[] }>(simulator, '/api/v1/prompts', { size: '100' });
  const listed = new Set(prompts.map(({ id }) => id));
  const inEvents = events.flatMap(({ items }) => items.flatMap((item) => item.prompts ?? []));
  const ghosts = new Set(inEvents.map(({ id }) => id).filter((id) => !listed.has(id)));
  const lookUp = (id: string) => simulator.answer(`/api/v1/prompts/${id}`, {}, who(simulator));
  const statuses = [...ghosts].map((id) => lookUp(id).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 404).length).toBeGreaterThan(1);
});

const VISIBILITY = '/api/v1/visibility-time-series';
type Point = { date: string; value: number | null };

it('the simulated world has data from the first day to today, and nothing or null outside', async () => {
  const firstDay = toDay('2025-09-01');
  const window = { startDate: '2025-08-20', endDate: '2025-12-31' };
  await using late = await start({ firstDay });
  await using nulls = await start({ firstDay, missingDays: 'null' });
  const [points, withNulls] = [late, nulls].map((one) => truth<Point[]>(one, VISIBILITY, window));
  expect([points?.[0]?.date, points?.at(-1)?.date]).toEqual(['2025-09-01', '2025-09-30']);
  expect(withNulls?.[0]).toEqual({ date: '2025-08-20', value: null });
  expect(withNulls?.at(-1)?.date).toBe('2025-09-30');
});

interface Item {
  type: string;
  action?: { id: string };
}

it('the simulated event list pages over actions in three pages and repeats the prompt groups on each', async () => {
  await using simulator = await start({ world: 'hostile' });
  const pages = ['1', '2', '3', '4'].map((page) => {
    const query = { startDate: '2025-07-03', endDate: '2025-09-30', page };
    const list = truth<{ events: { items: Item[] }[]; total: number }>(simulator, '/api/v2/events', query);
    const items = list.events.flatMap((day) => day.items);
    const groups = items.filter(({ type }) => type !== 'action');
    return { ...list, groups, ids: items.flatMap(({ action }) => (action === undefined ? [] : [action.id])) };
  });
  const [first] = pages;
  expect(first).toMatchObject({ totalPages: 3 });
  expect(first?.total).toBeGreaterThan(400);
  expect(first?.groups.length).toBeGreaterThan(2);
  for (const { groups } of pages.slice(0, 3)) expect(groups).toEqual(first?.groups);
  const ids = pages.flatMap((page) => page.ids);
  expect([ids.length, new Set(ids).size, pages[3]?.ids]).toEqual([first?.total, first?.total, []]);
});

it('the simulated quota counts authenticated requests down to a 429 that names the reset', async () => {
  const hourMs = 3_600_000;
  const noon = Date.parse('2025-09-30T12:00:00Z');
  let now = noon + hourMs / 3;
  await using simulator = await start({ now: () => now, quota: { perHour: 3, otherUse: 1 } });
  const ask = () => get(simulator, '/api/v1/responses/summary');
  const { headers } = await ask();
  const told = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  expect(told).toEqual(['3', '1', String((noon + hourMs) / 1000)]);
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2400']);
  const body = { error: 'Too Many Requests', retryAfter: 2400, limit: 3, remaining: 0 };
  expect(await refused.json()).toEqual({ ...body, message: expect.any(String) as unknown });
  expect((await get(simulator, '/api/v1/models', {})).status).toBe(200);
  now = noon + hourMs;
  expect((await ask()).status).toBe(200);
});
