import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, start, truth } from './ask.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ world: 'demo' });
});
afterAll(() => simulator.close());

const INSTANT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NUMBER = expect.any(Number);
const TEXT = expect.any(String);
const REFERENCE = { id: TEXT, name: TEXT, slug: TEXT };

it('the simulator lists prompts page by page, each once', async () => {
  const first = (await (await get(simulator, '/api/v1/prompts?size=10&page=1')).json()) as {
    prompts: { id: string }[];
    total: number;
    totalPages: number;
  };
  const ids = new Set(first.prompts.map(({ id }) => id));
  for (let page = 2; page <= first.totalPages; page += 1) {
    const next = truth<typeof first>(simulator, '/api/v1/prompts', { size: '10', page: String(page) });
    for (const { id } of next.prompts) ids.add(id);
  }
  expect(first.totalPages).toBe(Math.ceil(first.total / 10));
  expect(ids.size).toBe(first.total);
  const id = first.prompts[0]?.id ?? '';
  expect(truth(simulator, `/api/v1/prompts/${id}`)).toEqual(first.prompts[0]);
  expect(first.prompts[0]).toMatchObject({
    prompt: TEXT,
    llmMonitor: { id: UUID, name: TEXT },
    amountOfResponses: NUMBER,
    createdAt: INSTANT,
  });
});

it('the simulator validates both versions alike, with and without a project', async () => {
  const key = { 'x-api-key': 'demo-organization-key' };
  for (const path of ['/api/v2/auth/validate', '/api/v1/validate']) {
    const open = (await (await get(simulator, path, key)).json()) as Record<string, unknown>;
    expect(open).toMatchObject({ valid: true, keyType: 'organization', organization: REFERENCE });
    expect(open).not.toHaveProperty('project');
    expect(open['availableProjects']).toEqual([REFERENCE, REFERENCE, REFERENCE]);
    expect(await (await get(simulator, path)).json()).toMatchObject({
      project: REFERENCE,
      availableProjects: null,
    });
    const own = await (await get(simulator, path, { 'x-api-key': 'demo-project-key-2' })).json();
    expect(own).toMatchObject({ keyType: 'project', project: { slug: 'kestrel-analytics' } });
  }
});
