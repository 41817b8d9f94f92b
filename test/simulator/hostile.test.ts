import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, truth, who } from './ask.ts';

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

it('the hostile world uses models that the model list lacks', () => {
  const listed = truth<{ models: Named[] }>(simulator, '/api/v1/models').models.map(({ id }) => id);
  const { models } = truth<{ models: string[] }>(simulator, '/api/v1/competitor-heatmap', QUARTER);
  const unlisted = models.filter((id) => !listed.includes(id)).sort();
  expect(unlisted).toEqual(['open_ai__gpt_4o_mini_search', 'unlisted_model_x']);
});

it('the hostile world leaves the permission out of v1 validation', () => {
  const keyOf = (path: string) => truth<{ apiKey: object }>(simulator, path).apiKey;
  expect(keyOf('/api/v1/validate')).not.toHaveProperty('permission');
  expect(keyOf('/api/v2/auth/validate')).toHaveProperty('permission');
});
