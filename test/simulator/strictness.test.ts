import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, start, truth, who } from './ask.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await start();
});
afterAll(() => simulator.close());

interface ErrorBody {
  error: string;
  message: string;
  code?: string;
  details?: { parameter?: string };
}

async function refusal(
  path: string,
  headers?: Record<string, string>,
): Promise<ErrorBody & { status: number }> {
  const response = await get(simulator, path, headers);
  return { status: response.status, ...((await response.json()) as ErrorBody) };
}

it.each([
  ['v1/visibility-time-series?model=openai_gpt-5', 'model'],
  ['v1/prompts?promptTypes=ORGANIC', 'promptTypes'],
  ['v1/citations/domains-over-time?range=daily', 'range'],
  ['v1/citations/domains-over-time?domainLimit=51', 'domainLimit'],
  ['v1/competitor-heatmap?limit=0', 'limit'],
  ['v1/competitor-heatmap?hideIgnoredBrands=False', 'hideIgnoredBrands'],
  ['v1/responses/summary?startDate=2025-02-30', 'startDate'],
  ['v1/responses/summary?startDate=2025-01-01T00:00:00Z', 'startDate'],
  ['v1/responses/summary?startDate=', 'startDate'],
  ['v1/responses/summary?startDate=2025-01-01&startDate=2025-01-02', 'startDate'],
  ['v1/prompts?sortBy=volume', 'sortBy'],
  ['v2/events?size=201', 'size'],
  ['v1/analytics/crawlers/trend?timezone=Mars/Base', 'timezone'],
  ['v1/analytics/crawlers/trend?crawlers=unknown-bot', 'crawlers'],
  ['v1/responses/summary?constructor=1', 'constructor'],
])('%s is a 400 that names %s', async (path, parameter) => {
  const answer = await refusal(`/api/${path}`);
  expect(answer).toMatchObject({ status: 400, error: 'Bad Request', details: { parameter } });
  expect(answer.message).toContain(parameter);
});

it('the simulator wants range and granularity of the citation endpoints to match', async () => {
  const answer = await refusal('/api/v1/citations/rank-analysis?range=WEEKLY&granularity=daily');
  expect(answer).toMatchObject({ status: 400, message: 'range and granularity must match' });
  const { dates } = truth<{ dates: string[] }>(simulator, '/api/v1/citations/domains-over-time', {
    startDate: '2025-06-02',
    endDate: '2025-06-29',
    range: 'WEEKLY',
    granularity: 'weekly',
  });
  expect(dates.map((date) => date.slice(5, 10))).toEqual(['06-02', '06-09', '06-16', '06-23']);
});

it('the simulator refuses unknown routes with 404 and wrong methods with 405', async () => {
  expect(await refusal('/api/v1/nothing')).toMatchObject({ status: 404, error: 'Not Found' });
  expect(await refusal('/api/v2/visibility-time-series')).toMatchObject({ status: 404 });
  const response = await fetch(`${simulator.url}/api/v1/models`, { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET');
});

it('the simulator refuses a request without a body that claims to carry JSON', async () => {
  const { apiKey, projectId } = who(simulator);
  const headers = { 'x-api-key': apiKey, 'x-project-id': projectId, 'content-type': 'application/json' };
  expect(await refusal('/api/v1/prompts', headers)).toMatchObject({
    status: 400,
    code: 'FST_ERR_CTP_EMPTY_JSON_BODY',
  });
});

const PATH = '/api/v1/responses/summary';

it.each<Record<string, string>>([{}, { 'x-api-key': 'wrong' }])(
  'the simulator answers 401 to the headers %j',
  async (headers) => {
    await using simulator = await start();
    const response = await get(simulator, PATH, headers);
    expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([401, null]);
    const body = { error: 'Unauthorized', message: 'Missing or invalid X-API-Key header.' };
    expect(await response.json()).toEqual(body);
  },
);

it.each(['401', '200'] as const)('a wrong key is validated with %s and valid: false', async (status) => {
  await using simulator = await start({ invalidKeyAnswers: status });
  const response = await get(simulator, '/api/v2/auth/validate', { 'x-api-key': 'wrong' });
  expect(response.status).toBe(Number(status));
  expect(await response.json()).toEqual({ valid: false, message: 'Invalid API key.' });
});

it('the simulator wants a project of the organization, and keeps a project key to its project', async () => {
  await using simulator = await start({ world: 'demo' });
  const [first, second] = simulator.world.projects.map(({ id }) => id);
  const statuses: number[] = [];
  for (const [key, projectId] of [
    ['demo-organization-key', undefined],
    ['demo-organization-key', 'unknown'],
    ['demo-organization-key', first],
    ['demo-project-key', second],
  ] as const) {
    const headers = { 'x-api-key': key, ...(projectId === undefined ? {} : { 'x-project-id': projectId }) };
    statuses.push((await get(simulator, PATH, headers)).status);
  }
  expect(statuses).toEqual([403, 404, 200, 403]);
  const own = await get(simulator, PATH, { 'x-api-key': 'demo-project-key' });
  const who = { apiKey: 'demo-organization-key', projectId: first ?? '' };
  expect(await own.json()).toEqual(simulator.answer(PATH, {}, who).body);
});
