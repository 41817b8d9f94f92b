import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openDemoApi } from '../../simulator/demo-api.ts';
import { startSimulator } from '../../simulator/simulator.ts';

it('the demo asks its simulator in a thread as any other one: days, clock, corrections and what was planted', async () => {
  const days = { today: toDay('2026-03-31'), firstDay: toDay('2026-01-01') };
  const day = toDay('2026-03-20');
  await using thread = await openDemoApi(days);
  await using here = await startSimulator({ world: 'demo', ...days });
  expect(thread.world).toEqual(here.world);
  const [project = ''] = here.world.projects.map(({ id }) => id);
  const restated = { project, endpoint: 'visibility-time-series', days: toDay('2026-02-02'), by: 0.1 };
  const planted = await thread.order({ day: { today: day, aheadMs: -86_400_000 }, restated });
  here.setToday(day);
  here.restate(restated);
  expect(planted).toEqual(here.planted());
  const who = { apiKey: here.world.keys[0]?.key ?? '', projectId: project };
  const ask = async (path: string) => {
    const headers = { 'x-api-key': who.apiKey, 'x-project-id': project };
    return await (await fetch(`${thread.url}${path}`, { headers })).json();
  };
  const query = { startDate: '2026-02-01', endDate: '2026-03-25' };
  const path = '/api/v1/visibility-time-series';
  const answer = await ask(`${path}?${new URLSearchParams(query).toString()}`);
  expect(answer).toEqual(here.answer(path, query, who).body);
  const { apiKey } = (await ask('/api/v2/auth/validate')) as { apiKey: { lastUsedAt: string } };
  expect(Date.parse(apiKey.lastUsedAt)).toBeLessThan(Date.now() - 80_000_000);
});
