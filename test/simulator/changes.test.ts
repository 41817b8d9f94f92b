import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { QUARTER, start, TODAY, truth, who } from './ask.ts';

interface Point {
  date: string;
  value: number;
}
const VISIBILITY = '/api/v1/visibility-time-series';
const RECENT = { startDate: '2025-09-01', endDate: '2025-10-31' };

function differing(before: Point[], after: Point[]): string[] {
  return before
    .filter((point, index) => JSON.stringify(point) !== JSON.stringify(after[index]))
    .map(({ date }) => date);
}

function projectId(simulator: Simulator): string {
  return who(simulator).projectId;
}

it("the simulator's restate changes a range of days of every endpoint, traffic included", async () => {
  await using simulator = await start();
  const paths = [
    'visibility-time-series',
    'sentiment-time-series',
    'responses/summary',
    'analytics/crawlers/trend',
  ];
  const before = paths.map((path) => truth(simulator, `/api/v1/${path}`, QUARTER));
  const days = { start: toDay('2025-07-10'), end: toDay('2025-07-14') };
  simulator.restate({ project: projectId(simulator), days, by: -0.3 });
  const after = paths.map((path) => truth(simulator, `/api/v1/${path}`, QUARTER));
  for (const [index, body] of after.entries()) expect(body).not.toEqual(before[index]);
  expect(differing(before[0] as Point[], truth(simulator, VISIBILITY, QUARTER))).toHaveLength(5);
});

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

interface EventPage {
  events: { date: string; items: { type: string; action?: { id: string }; prompts?: { id: string }[] }[] }[];
  total: number;
}

it('the simulator takes a removed prompt off the list and reports its deletion today', async () => {
  await using simulator = await start();
  const list = (): { prompts: { id: string }[]; total: number } =>
    truth(simulator, '/api/v1/prompts', { size: '100' });
  const before = list();
  const id = before.prompts[0]?.id ?? '';
  simulator.removePrompt(projectId(simulator), id);
  expect(list().total).toBe(before.total - 1);
  expect(simulator.answer(`/api/v1/prompts/${id}`, {}, who(simulator)).status).toBe(404);
  const { events } = truth<EventPage>(simulator, '/api/v2/events', { promptId: id });
  expect(events).toMatchObject([{ date: TODAY, items: [{ type: 'prompts_deleted', prompts: [{ id }] }] }]);
  expect(() => simulator.removePrompt(projectId(simulator), 'none')).toThrow(RangeError);
});
