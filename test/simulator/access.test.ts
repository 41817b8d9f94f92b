import { expect, it } from 'vitest';
import { get, start } from './ask.ts';

const PATH = '/api/v1/responses/summary';

it('the simulator answers 401 without a key or with a wrong one', async () => {
  await using simulator = await start();
  for (const headers of [{}, { 'x-api-key': 'wrong' }] as Record<string, string>[]) {
    const response = await get(simulator, PATH, headers);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: 'Unauthorized',
      message: 'Missing or invalid X-API-Key header.',
    });
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  }
});

it.each(['401', '200'] as const)(
  'the simulator answers validation of a wrong key with %s and valid: false',
  async (status) => {
    await using simulator = await start({ invalidKeyAnswers: status });
    const response = await get(simulator, '/api/v2/auth/validate', { 'x-api-key': 'wrong' });
    expect(response.status).toBe(Number(status));
    expect(await response.json()).toEqual({ valid: false, message: 'Invalid API key.' });
  },
);

it('the simulator wants a project of the organization for an organization key', async () => {
  await using simulator = await start();
  const key = { 'x-api-key': 'small-organization-key' };
  expect((await get(simulator, PATH, key)).status).toBe(403);
  expect((await get(simulator, PATH, { ...key, 'x-project-id': 'unknown' })).status).toBe(404);
  expect((await get(simulator, PATH)).status).toBe(200);
});

it('the simulator keeps a project key to its project', async () => {
  await using simulator = await start({ world: 'demo' });
  const [first, second] = simulator.world.projects;
  const key = { 'x-api-key': 'demo-project-key' };
  const own = await get(simulator, PATH, key);
  expect(own.status).toBe(200);
  expect(await own.json()).toEqual(
    simulator.answer(PATH, {}, { apiKey: 'demo-organization-key', projectId: first?.id ?? '' }).body,
  );
  expect((await get(simulator, PATH, { ...key, 'x-project-id': second?.id ?? '' })).status).toBe(403);
});
