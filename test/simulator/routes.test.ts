import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, truth } from './ask.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start({ world: 'demo' });
});
afterAll(() => simulator.close());

const DAY = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const NUMBER = expect.any(Number);
const TEXT = expect.any(String);
const REFERENCE = { id: TEXT, name: TEXT, slug: TEXT };
const SHARE = { totalResponses: NUMBER, brandMentions: NUMBER, shareOfVoice: NUMBER };
const ASKED = new URLSearchParams(QUARTER).toString();

const LISTS: [path: string, rows: number, row: unknown][] = [
  [
    'v1/share-of-voice/time-series',
    90,
    { date: INSTANT, ...SHARE, previousPeriodShareOfVoice: null, change: null },
  ],
  [
    'v1/analytics/brands/visibility-over-time',
    100,
    {
      date: DAY,
      brand: { id: UUID, name: TEXT, domain: TEXT, relation: 'SELF' },
      averageVisibility: NUMBER,
      mentionCount: NUMBER,
      totalResponses: NUMBER,
      visibilityPercentage: NUMBER,
    },
  ],
  [
    'v1/citations/llm-sources',
    5,
    {
      llm: TEXT,
      provider: TEXT,
      model: TEXT,
      totalCitations: NUMBER,
      uniqueDomains: NUMBER,
      uniquePrompts: NUMBER,
    },
  ],
  [
    'v1/analytics/crawlers/top-pages',
    9,
    { request_path: TEXT, requests: NUMBER, unique_crawlers: NUMBER, crawlers: expect.any(Array) },
  ],
  [
    'v1/responses/sentiment-time-series',
    90,
    { date: DAY, positive: NUMBER, negative: NUMBER, neutral: NUMBER, unknown: NUMBER },
  ],
  ['v1/responses/sentiment-distribution', 3, { sentiment: 'POSITIVE', count: NUMBER, percentage: NUMBER }],
  ['v1/responses/competitors', 6, { competitor: TEXT, count: NUMBER, percentage: NUMBER }],
  ['v1/sentiment-time-series', 90, { date: DAY, value: NUMBER }],
  ['v1/visibility-time-series', 90, { date: DAY, value: NUMBER }],
];

it.each(LISTS)('%s answers a list of %i rows', async (path, rows, row) => {
  const response = await get(simulator, `/api/${path}?${ASKED}`);
  const body = (await response.json()) as unknown[];
  expect(response.status).toBe(200);
  expect(body).toHaveLength(rows);
  expect(body[0]).toEqual(row);
});

const OBJECTS: [path: string, body: unknown][] = [
  [
    'v1/share-of-voice/comparison',
    { current: SHARE, previous: SHARE, change: NUMBER, changePercent: NUMBER },
  ],
  ['v1/responses/summary', { totalResponses: NUMBER, totalBrandMentions: NUMBER, brandMentionRate: NUMBER }],
  ['v1/analytics/crawlers/trend', { dates: expect.any(Array), series: expect.any(Array) }],
  ['v1/analytics/visitors/trend', { dates: expect.any(Array), series: expect.any(Array) }],
  ['v1/citations/rank-analysis', { timeSeries: expect.any(Array), overallAverageRank: NUMBER }],
  [
    'v1/citations/domains-over-time',
    { dates: expect.any(Array), series: expect.any(Array), totalCitations: NUMBER },
  ],
  [
    'v1/competitor-heatmap',
    {
      models: expect.any(Array),
      competitors: expect.any(Array),
      matrix: expect.any(Object),
      minVisibility: NUMBER,
      maxVisibility: NUMBER,
    },
  ],
  ['v2/events', { events: expect.any(Array), total: NUMBER, page: 1, size: 200, totalPages: 1 }],
];
it.each(OBJECTS)('%s answers its documented object', async (path, body) => {
  const response = await get(simulator, `/api/${path}?${ASKED}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(body);
});

it('the simulator aligns dates and data of every trend', () => {
  for (const path of [
    'citations/domains-over-time',
    'analytics/crawlers/trend',
    'analytics/visitors/trend',
  ]) {
    const { dates, series } = truth<{ dates: string[]; series: { data: number[] }[] }>(
      simulator,
      `/api/v1/${path}`,
      QUARTER,
    );
    expect(dates).toHaveLength(90);
    expect(series.length).toBeGreaterThan(2);
    for (const { data } of series) expect(data).toHaveLength(90);
  }
});

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
