import { expect, it } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import {
  askedMonthly,
  askedWeekly,
  completedTwice,
  datedBack,
  deletedMonitor,
  equalClients,
  equalMonths,
  groupsWithoutMonitor,
  movedMonitor,
  ODD_DAYS,
  oneModelAfterAnother,
  oneMonitorAfterAnother,
  oneWebSite,
  retention,
  unrestricted,
  weekdaysAndWeekends,
  youngAndOld,
  type OddWorld,
} from '../../simulator/odd-worlds.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';

const WHOLE = { startDate: ODD_DAYS.start, endDate: ODD_DAYS.sync };
const AUGUST = { startDate: '2026-08-01', endDate: '2026-08-31' };
const zero = (): number => 0;

type Row = { date: string } & Record<string, unknown>;

async function opened({ world, options }: OddWorld, today: Day = ODD_DAYS.sync): Promise<Simulator> {
  return await startSimulator({ ...options, world, firstDay: ODD_DAYS.first, today });
}

interface Question {
  path: string;
  query?: Record<string, string>;
  /** Index of the project that is asked for. */
  of?: number;
}

function put(simulator: Simulator, { path, query = WHOLE, of = 0 }: Question) {
  const { id } = simulator.world.projects[of] ?? { id: '' };
  return simulator.answer(`/api/${path}`, query, { apiKey: 'pair-organization-key', projectId: id });
}

function visibility(simulator: Simulator, filter: Record<string, string> = {}): Row[] {
  return put(simulator, { path: 'v1/visibility-time-series', query: { ...WHOLE, ...filter } }).body as Row[];
}

const daysOf = (rows: readonly Row[]): string[] => rows.map(({ date }) => date);

it.each([
  ['one monitor after another', oneMonitorAfterAnother, 'llmMonitorId'],
  ['weekdays and weekends', weekdaysAndWeekends, 'llmMonitorId'],
  ['one model after another', oneModelAfterAnother, 'models'],
] as const)('%s: each equals the project on its own days, which they share', async (_, make, parameter) => {
  await using simulator = await opened(make(zero));
  const [project] = simulator.world.projects;
  const values = parameter === 'models' ? project?.models : project?.monitors;
  const whole = visibility(simulator);
  const parts = (values ?? []).map(({ id }) => visibility(simulator, { [parameter]: id }));
  expect(parts.map(({ length }) => length > 5)).toEqual([true, true]);
  expect(parts.flat().toSorted((a, b) => (a.date < b.date ? -1 : 1))).toEqual(whole);
});

it('two projects of one web site have equal crawlers and visitors, and other answers', async () => {
  await using simulator = await opened(oneWebSite());
  for (const path of ['v1/analytics/crawlers/trend', 'v1/analytics/visitors/trend'])
    expect(put(simulator, { path, of: 1 }).body).toEqual(put(simulator, { path }).body);
  const path = 'v1/visibility-time-series';
  expect(put(simulator, { path, of: 1 }).body).not.toEqual(put(simulator, { path }).body);
});

it('one prompt with one answer a day makes equal months, and clients with equal totals', async () => {
  const july = { startDate: '2026-07-01', endDate: '2026-07-31' };
  const total = { totalResponses: 31, totalBrandMentions: 31, brandMentionRate: 100 };
  await using months = await opened(equalMonths());
  for (const month of [july, AUGUST])
    expect(put(months, { path: 'v1/responses/summary', query: month }).body).toEqual(total);
  expect(put(months, { path: 'v1/responses/summary', query: july, of: 1 }).body).not.toEqual(total);
  await using clients = await opened(equalClients());
  expect(put(clients, { path: 'v1/responses/summary', query: july, of: 1 }).body).toEqual(total);
});

it('prompts asked weekly have rows seven days apart, prompts asked monthly one a month', async () => {
  await using weekly = await opened(askedWeekly(zero));
  const days = daysOf(visibility(weekly));
  expect(days).toHaveLength(9);
  expect(days.slice(1)).toEqual(days.slice(0, -1).map((day) => addDays(toDay(day), 7)));
  await using monthly = await opened(askedMonthly(zero));
  expect(daysOf(visibility(monthly))).toEqual(['2026-07-01', '2026-08-01', '2026-09-01']);
});

it('the filter of a deleted monitor finds nothing or is refused; its past is in the truth', async () => {
  const after = addDays(ODD_DAYS.sync, 2);
  for (const answer of ['empty', 'not_found'] as const) {
    const odd = deletedMonitor(answer)();
    await using simulator = await opened(odd, addDays(after, -1));
    await using truth = await opened({ world: unrestricted(odd.world) }, after);
    const filter = { llmMonitorId: simulator.world.projects[0]?.monitors[0]?.id ?? '' };
    const past = visibility(simulator, filter);
    expect(past.length).toBeGreaterThan(50);
    simulator.setToday(after);
    const found = put(simulator, { path: 'v1/visibility-time-series', query: { ...WHOLE, ...filter } });
    expect(found).toMatchObject(answer === 'empty' ? { status: 200, body: [] } : { status: 404 });
    expect(visibility(truth, filter).slice(0, 50)).toEqual(past.slice(0, 50));
  }
});

it('a server that keeps 3 days has three; one that refuses older ones says so', async () => {
  await using keeps = await opened(retention(3, 'absent')());
  expect(daysOf(visibility(keeps))).toEqual(['2026-09-01', '2026-09-02', '2026-09-03']);
  await using refuses = await opened(retention(3, 'refused')());
  expect(put(refuses, { path: 'v1/visibility-time-series' })).toMatchObject({
    status: 400,
    body: { message: 'startDate must not be earlier than 2026-09-01' },
  });
});

it('days before a project was created are refused for it alone', async () => {
  await using simulator = await opened(youngAndOld(zero));
  const path = 'v1/visibility-time-series';
  const message = 'startDate must not be earlier than 2026-07-11, the day on which the project was created';
  expect(put(simulator, { path })).toMatchObject({ status: 400, body: { message } });
  expect(put(simulator, { path, of: 1 })).toMatchObject({ status: 200 });
});

function events(simulator: Simulator, project = 0) {
  const { body } = put(simulator, { path: 'v2/events', of: project });
  const { events: days, total } = body as {
    events: { date: string; items: Record<string, unknown>[] }[];
    total: number;
  };
  return { total, items: days.flatMap(({ date, items }) => items.map((item) => ({ ...item, date }))) };
}

const titled = (simulator: Simulator, title: string): string[] =>
  events(simulator).items.flatMap((item) =>
    JSON.stringify(item).includes(`"title":"${title}"`) ? [item.date] : [],
  );

it('an action completed twice is listed and counted on both days; one dated back moves', async () => {
  await using twice = await opened(completedTwice(zero));
  expect(titled(twice, 'Compare the desks')).toEqual(['2026-07-09', '2026-07-21']);
  const { items, total } = events(twice);
  expect(total).toBe(items.filter((item) => 'action' in item).length);
  await using moved = await opened(datedBack());
  expect(titled(moved, 'Compare the sofas')).toEqual(['2026-09-02']);
  moved.setToday(addDays(ODD_DAYS.sync, 2));
  expect(titled(moved, 'Compare the sofas')).toEqual(['2026-07-11']);
});

it('past events of a project name a monitor that has moved to the other one', async () => {
  await using simulator = await opened(movedMonitor(), addDays(ODD_DAYS.sync, 2));
  const moved = simulator.world.projects[0]?.monitors[0]?.id ?? '';
  expect(JSON.stringify(events(simulator).items)).toContain(moved);
  const lists = [0, 1].map((project) =>
    JSON.stringify(put(simulator, { path: 'v1/prompts', query: { size: '100' }, of: project }).body),
  );
  expect(lists.map((list) => list.includes(moved))).toEqual([false, true]);
});

it('a group of prompts whose monitor is unknown says null', async () => {
  await using simulator = await opened(groupsWithoutMonitor());
  expect(events(simulator).items).toContainEqual(
    expect.objectContaining({ type: 'prompts_deleted', date: '2026-08-20', monitor: null }),
  );
});
