import { afterAll, beforeAll, expect, it, describe } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, start, truth, who } from './ask.ts';
import { parseFaults, type Fault } from '../../simulator/faults.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';

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

it.each([{}, { 'x-api-key': 'wrong' }])('the simulator answers 401 to the headers %j', async (headers) => {
  expect(await refusal(PATH, headers)).toEqual({
    status: 401,
    error: 'Unauthorized',
    message: 'Missing or invalid X-API-Key header.',
  });
});

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

it('a simulated fault hits chosen requests and stops when told so', async () => {
  await using simulator = await start({
    faults: (request, ordinal) =>
      request.path.endsWith('prompts') && ordinal === 1 ? { kind: 'status', status: 502 } : undefined,
  });
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(200);
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(502);
  simulator.setFaults(() => ({ kind: 'status', status: 404 }));
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(404);
  simulator.setFaults(undefined);
  expect((await get(simulator, '/api/v1/prompts')).status).toBe(200);
});

describe('parseFaults', () => {
  const draw = (text: string, seed?: number): (Fault | undefined)[] => {
    const rule = parseFaults(text, seed);
    return Array.from({ length: 10_000 }, (_, ordinal) => rule({} as RequestRecord, ordinal));
  };

  it('parseFaults draws faults in their shares, decided by the seed', () => {
    const faults = draw('500:0.05, reset:0.02,hang:.01', 3);
    const count = (kind: string): number => faults.filter((fault) => fault?.kind === kind).length;
    expect(count('status')).toBeGreaterThan(400);
    expect(count('status')).toBeLessThan(600);
    expect(count('reset')).toBeGreaterThan(130);
    expect(count('hang')).toBeGreaterThan(50);
    expect(draw('500:0.05, reset:0.02,hang:.01', 3)).toEqual(faults);
    expect(draw('500:0.05, reset:0.02,hang:.01', 4)).not.toEqual(faults);
    expect(draw('')).toEqual(Array.from({ length: 10_000 }));
  });

  it.each(['boom:0.1', '500', '500:2', '200:0.1', 'reset:x', 'reset:0.1:1', 'reset:0.6,hang:0.6'])(
    'parseFaults refuses %s',
    (text) => {
      expect(() => parseFaults(text)).toThrow(RangeError);
    },
  );
});
