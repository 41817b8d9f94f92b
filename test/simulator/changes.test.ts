import { expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { start, TODAY, truth } from './ask.ts';

interface Point {
  date: string;
  value: number;
}
const RECENT = { startDate: '2025-09-01', endDate: '2025-10-31' };

function differing(before: Point[], after: Point[]): string[] {
  return before
    .filter((point, index) => JSON.stringify(point) !== JSON.stringify(after[index]))
    .map(({ date }) => date);
}

// Counts, because a share may be the same of fewer answers.
const COUNTS = '/api/v1/responses/sentiment-time-series';

it('late data of the simulator restates the last three days of the demo world and no older one', async () => {
  await using simulator = await start({ world: 'demo' });
  const before = truth<Point[]>(simulator, COUNTS, RECENT);
  simulator.setToday(addDays(TODAY, 1));
  const after = truth<Point[]>(simulator, COUNTS, RECENT);
  expect(after).toHaveLength(before.length + 1);
  expect(differing(before, after)).toEqual(['2025-09-28', '2025-09-29', '2025-09-30']);
  expect(simulator.today).toBe('2025-10-01');
});
