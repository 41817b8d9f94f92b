import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { get, QUARTER, start, TODAY, truth } from './ask.ts';

const VISIBILITY = '/api/v1/visibility-time-series';
type Point = { date: string; value: number | null };

it('the simulated world is decided by the seed', async () => {
  await using simulator = await start({ world: 'demo' });
  await using same = await start({ world: 'demo' });
  await using other = await start({ world: 'demo', seed: 7 });
  const [first, again, different] = [simulator, same, other].map((one) => truth(one, VISIBILITY, QUARTER));
  expect(again).toEqual(first);
  expect(different).not.toEqual(first);
  expect(other.world.projects[0]?.id).toBe(simulator.world.projects[0]?.id);
});

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

it('late data of the simulator restates the last three days of the demo world and no older one', async () => {
  await using simulator = await start({ world: 'demo' });
  // Counts, because a share may be the same of fewer answers.
  const counts = () =>
    truth<Point[]>(simulator, '/api/v1/responses/sentiment-time-series', {
      startDate: '2025-09-01',
      endDate: '2025-10-31',
    }).map((point) => JSON.stringify(point));
  const before = counts();
  simulator.setToday(addDays(TODAY, 1));
  const after = counts();
  expect([after.length, simulator.today]).toEqual([before.length + 1, '2025-10-01']);
  const changed = before
    .filter((point) => !after.includes(point))
    .map((point) => (JSON.parse(point) as Point).date);
  expect(changed).toEqual(['2025-09-28', '2025-09-29', '2025-09-30']);
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
