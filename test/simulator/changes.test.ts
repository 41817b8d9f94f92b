import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start, TODAY, truth, who } from './ask.ts';

interface Point {
  date: string;
  value: number;
}
const VISIBILITY = '/api/v1/visibility-time-series';
const SENTIMENT = '/api/v1/sentiment-time-series';
const RECENT = { startDate: '2025-09-01', endDate: '2025-10-31' };

function differing(before: Point[], after: Point[]): string[] {
  return before
    .filter((point, index) => JSON.stringify(point) !== JSON.stringify(after[index]))
    .map(({ date }) => date);
}

function projectId(simulator: Simulator): string {
  return who(simulator).projectId;
}

it("the simulator's restate changes the named days of one endpoint alone", async () => {
  await using simulator = await start();
  const visibility = truth<Point[]>(simulator, VISIBILITY, QUARTER);
  const sentiment = truth<Point[]>(simulator, SENTIMENT, QUARTER);
  const days = [toDay('2025-07-10'), toDay('2025-08-20')];
  simulator.restate({ project: projectId(simulator), endpoint: 'visibility-time-series', days, by: 0.1 });
  expect(differing(visibility, truth(simulator, VISIBILITY, QUARTER))).toEqual(days);
  expect(truth(simulator, SENTIMENT, QUARTER)).toEqual(sentiment);
});

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

it('late data of the simulator shows today as a partial day', async () => {
  await using simulator = await start({ world: 'demo' });
  const ofDay = (day: string): number =>
    truth<{ totalResponses: number }>(simulator, '/api/v1/responses/summary', {
      startDate: day,
      endDate: day,
    }).totalResponses;
  expect(ofDay('2025-09-30')).toBeLessThan(0.7 * ofDay('2025-09-25'));
  expect(ofDay('2025-09-30')).toBeGreaterThan(0);
});

it('late data of the simulator leaves the days of the small world as they are', async () => {
  await using simulator = await start();
  const before = truth<Point[]>(simulator, VISIBILITY, RECENT);
  simulator.setToday(addDays(TODAY, 5));
  expect(differing(before, truth(simulator, VISIBILITY, RECENT))).toEqual([]);
});

interface EventPage {
  events: { date: string; items: { type: string; action?: { id: string }; prompts?: { id: string }[] }[] }[];
  total: number;
}

it('the simulator takes a reopened action out of events', async () => {
  await using simulator = await start();
  const before = truth<EventPage>(simulator, '/api/v2/events', QUARTER);
  const id =
    before.events.flatMap(({ items }) => items).find(({ action }) => action !== undefined)?.action?.id ?? '';
  simulator.reopenAction(id);
  const after = truth<EventPage>(simulator, '/api/v2/events', QUARTER);
  expect(after.total).toBe(before.total - 1);
  expect(JSON.stringify(after)).not.toContain(id);
});

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

it("the simulator's override answers a canned body, a made answer, or the truth again", async () => {
  await using simulator = await start();
  const path = '/api/v1/responses/summary';
  const usual = truth(simulator, path);
  simulator.override('responses/summary', { totalResponses: 'many' });
  expect(await (await get(simulator, path)).json()).toEqual({ totalResponses: 'many' });
  simulator.override('responses/summary', (request, answer) => ({
    status: 500,
    body: { code: 'INTERNAL_ERROR', message: `${request.path} ${answer.status}` },
  }));
  const made = await get(simulator, path);
  expect(made.status).toBe(500);
  expect(await made.json()).toEqual({ code: 'INTERNAL_ERROR', message: `${path} 200` });
  simulator.override('responses/summary', undefined);
  expect(await (await get(simulator, path)).json()).toEqual(usual);
});

it("the simulator's override catches requests by any property and passes others through", async () => {
  await using simulator = await start();
  simulator.override((request) => request.query.some(([name]) => name === 'endDate'), []);
  expect(truth(simulator, VISIBILITY, RECENT)).toEqual([]);
  expect(truth(simulator, VISIBILITY)).toHaveLength(30);
});

it("the simulator's answer equals the answer over HTTP and is neither recorded nor counted", async () => {
  await using simulator = await start({ quota: { perHour: 1 } });
  for (let turn = 0; turn < 3; turn += 1) truth(simulator, VISIBILITY, RECENT);
  const query = new URLSearchParams(RECENT).toString();
  const response = await get(simulator, `${VISIBILITY}?${query}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(truth(simulator, VISIBILITY, RECENT));
  expect(simulator.requests).toHaveLength(1);
});
