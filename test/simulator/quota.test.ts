import { expect, it } from 'vitest';
import { get, start } from './ask.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2025-09-30T12:00:00Z');

it('the simulated quota counts authenticated requests down to a 429 that names the reset', async () => {
  let now = NOON + 20 * 60_000;
  await using simulator = await start({ now: () => now, quota: { perHour: 3, otherUse: 1 } });
  const first = await get(simulator, '/api/v1/responses/summary');
  expect(first.headers.get('x-ratelimit-limit')).toBe('3');
  expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
  expect(first.headers.get('x-ratelimit-reset')).toBe(String((NOON + HOUR_MS) / 1000));
  expect((await get(simulator, '/api/v1/responses/summary')).status).toBe(200);
  const refused = await get(simulator, '/api/v1/responses/summary');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('2400');
  expect(await refused.json()).toEqual({
    error: 'Too Many Requests',
    message: expect.any(String),
    retryAfter: 2400,
    limit: 3,
    remaining: 0,
  });
  expect((await get(simulator, '/api/v1/models', {})).status).toBe(200);
  now = NOON + HOUR_MS;
  expect((await get(simulator, '/api/v1/responses/summary')).status).toBe(200);
});
