import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { QUARTER, start, truth } from './ask.ts';

it('the simulated world is decided by the seed', async () => {
  await using simulator = await start({ world: 'demo' });
  await using same = await start({ world: 'demo' });
  await using other = await start({ world: 'demo', seed: 7 });
  const path = '/api/v1/visibility-time-series';
  expect(truth(same, path, QUARTER)).toEqual(truth(simulator, path, QUARTER));
  expect(truth(other, path, QUARTER)).not.toEqual(truth(simulator, path, QUARTER));
  expect(other.world.projects[0]?.id).toBe(simulator.world.projects[0]?.id);
});

it('the simulated world has data from the first day to today and nothing outside', async () => {
  await using late = await start({ firstDay: toDay('2025-09-01') });
  const window = { startDate: '2025-08-20', endDate: '2025-12-31' };
  const dates = truth<{ date: string }[]>(late, '/api/v1/visibility-time-series', window).map(
    ({ date }) => date,
  );
  expect(dates[0]).toBe('2025-09-01');
  expect(dates.at(-1)).toBe('2025-09-30');
  await using nulls = await start({ firstDay: toDay('2025-09-01'), missingDays: 'null' });
  const points = truth<{ date: string; value: number | null }[]>(
    nulls,
    '/api/v1/visibility-time-series',
    window,
  );
  expect(points[0]).toEqual({ date: '2025-08-20', value: null });
  expect(points.at(-1)?.date).toBe('2025-09-30');
});
