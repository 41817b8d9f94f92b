import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, truth, who } from './ask.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ world: 'hostile' });
});
afterAll(() => simulator.close());

it('the hostile world names brands with numbers, prototype words, emoji and twice', async () => {
  const query = new URLSearchParams({ ...QUARTER, hideIgnoredBrands: 'false' }).toString();
  const text = await (await get(simulator, `/api/v1/competitor-heatmap?${query}`)).text();
  expect(text).toContain('"__proto__":{');
  const body = JSON.parse(text) as {
    competitors: { name: string; domain?: string | null; relation?: string | null }[];
    matrix: Record<string, Record<string, number>>;
  };
  const names = body.competitors.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['10', '2', '__proto__', 'constructor', 'hasOwnProperty', '日本茶 🍵']),
  );
  expect(names.filter((name) => name === 'Twin')).toHaveLength(2);
  expect(Object.keys(body.matrix).slice(0, 2)).toEqual(['2', '10']);
  expect(body.competitors.some((one) => !('domain' in one))).toBe(true);
  expect(body.competitors.some(({ domain }) => domain === null)).toBe(true);
  expect(body.competitors.some(({ relation }) => relation === null)).toBe(true);
});

it('the hostile world has null points and missing days', () => {
  const points = truth<{ value: number | null }[]>(simulator, '/api/v1/visibility-time-series', QUARTER);
  expect(points.length).toBeLessThan(90);
  expect(points.some(({ value }) => value === null)).toBe(true);
  expect(points.filter(({ value }) => value !== null).length).toBeGreaterThan(60);
});

it('the hostile world has null and absent prompt fields', () => {
  const { prompts } = truth<{ prompts: Record<string, unknown>[] }>(simulator, '/api/v1/prompts', {
    size: '100',
  });
  for (const field of ['intent', 'averageVisibility', 'difficulty']) {
    expect(prompts.some((prompt) => prompt[field] === null)).toBe(true);
    expect(prompts.some((prompt) => !(field in prompt))).toBe(true);
  }
});

it('the hostile world knows a prompt from events that the list lacks: the look-up finds one and no other', () => {
  type Events = { events: { items: { prompts?: { id: string }[] }[] }[] };
  const window = { startDate: '2025-01-01', endDate: '2025-03-31' };
  const { events } = truth<Events>(simulator, '/api/v2/events', window);
  const { prompts } = truth<{ prompts: { id: string }[] }>(simulator, '/api/v1/prompts', { size: '100' });
  const listed = new Set(prompts.map(({ id }) => id));
  const inEvents = events.flatMap(({ items }) => items.flatMap((item) => item.prompts ?? []));
  const ghosts = new Set(inEvents.map(({ id }) => id).filter((id) => !listed.has(id)));
  const statuses = [...ghosts].map(
    (id) => simulator.answer(`/api/v1/prompts/${id}`, {}, who(simulator)).status,
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 404).length).toBeGreaterThan(1);
});

it('the hostile world uses models that the model list lacks', () => {
  const listed = new Set(
    truth<{ models: { id: string }[] }>(simulator, '/api/v1/models').models.map(({ id }) => id),
  );
  const { models } = truth<{ models: string[] }>(simulator, '/api/v1/competitor-heatmap', QUARTER);
  expect(models.filter((id) => !listed.has(id)).sort()).toEqual([
    'open_ai__gpt_4o_mini_search',
    'unlisted_model_x',
  ]);
});

it('the hostile world leaves the permission out of v1 validation', () => {
  const { apiKey } = truth<{ apiKey: object }>(simulator, '/api/v1/validate');
  expect(apiKey).not.toHaveProperty('permission');
  expect(truth<{ apiKey: object }>(simulator, '/api/v2/auth/validate').apiKey).toHaveProperty('permission');
});
