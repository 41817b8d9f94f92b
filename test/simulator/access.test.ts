import { expect, it } from 'vitest';
import { get, start } from './ask.ts';

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
