import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, start, who } from './ask.ts';
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

async function refusal(path: string, headers?: Record<string, string>) {
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
  const code = 'FST_ERR_CTP_EMPTY_JSON_BODY';
  expect(await refusal('/api/v1/prompts', headers)).toMatchObject({ status: 400, code });
});

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
