import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, truth } from './ask.ts';

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
const ASKED = new URLSearchParams(QUARTER).toString();

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

it('the simulator filters and sorts prompts', () => {
  type Page = { prompts: { type: string; isActive: boolean; prompt: string; createdAt: string }[] };
  const { prompts } = truth<Page>(simulator, '/api/v1/prompts', {
    size: '100',
    types: ['ORGANIC', 'BRAND_SPECIFIC'],
    isActive: 'true',
    query: 'COFFEE',
    sortBy: 'createdAt',
    sortOrder: 'asc',
  });
  expect(prompts.length).toBeGreaterThan(3);
  for (const prompt of prompts) {
    expect(prompt.type).not.toBe('COMPETITOR_COMPARISON');
    expect(prompt.isActive).toBe(true);
    expect(prompt.prompt.toLowerCase()).toContain('coffee');
  }
  expect(prompts.map(({ createdAt }) => createdAt)).toEqual(prompts.map(({ createdAt }) => createdAt).sort());
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

it('the simulator lists models without a key and records whether one came', async () => {
  simulator.resetRequests();
  const body = (await (await get(simulator, '/api/v1/models', {})).json()) as {
    models: unknown[];
    total: number;
  };
  await get(simulator, '/api/v1/models', { 'x-api-key': 'anything' });
  expect(body.models).toHaveLength(body.total);
  expect(simulator.requests.map(({ apiKeySent, status }) => [apiKeySent, status])).toEqual([
    [false, 200],
    [true, 200],
  ]);
});

it('the simulator records query pairs and headers of a request', async () => {
  simulator.resetRequests();
  await get(simulator, '/api/v1/prompts?types=ORGANIC&types=BRAND_SPECIFIC');
  expect(simulator.requests[0]).toMatchObject({
    ordinal: 0,
    method: 'GET',
    path: '/api/v1/prompts',
    query: [
      ['types', 'ORGANIC'],
      ['types', 'BRAND_SPECIFIC'],
    ],
    apiKey: 'demo-organization-key',
    projectId: simulator.world.projects[0]?.id,
    contentType: undefined,
    status: 200,
  });
});

it('the simulator compresses for clients that take gzip', async () => {
  const { apiKey, projectId } = {
    apiKey: 'demo-project-key',
    projectId: simulator.world.projects[0]?.id ?? '',
  };
  const headers = { 'x-api-key': apiKey, 'x-project-id': projectId };
  const path = `/api/v1/visibility-time-series?${ASKED}`;
  const zipped = await get(simulator, path, { ...headers, 'accept-encoding': 'gzip' });
  const plain = await get(simulator, path, { ...headers, 'accept-encoding': 'identity' });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await zipped.json()).toEqual(await plain.json());
});
