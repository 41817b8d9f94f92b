import { expect, it } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import * as worlds from '../../simulator/odd-worlds.ts';
import type { OddWorld } from '../../simulator/odd-worlds.ts';
import { startSimulator } from '../../simulator/simulator.ts';

const WHOLE = { startDate: worlds.ODD_DAYS.start, endDate: worlds.ODD_DAYS.sync };
const VISIBILITY = 'v1/visibility-time-series';
const SUMMARY = 'v1/responses/summary';
const zero = (): number => 0;

type Row = { date: string } & Record<string, unknown>;

async function opened({ world, options }: OddWorld, today: Day = worlds.ODD_DAYS.sync) {
  const simulator = await startSimulator({ ...options, world, firstDay: worlds.ODD_DAYS.first, today });
  /** Asks for the project with this index. */
  const put = (path: string, query: Record<string, string> = {}, of = 0) => {
    const who = { apiKey: 'pair-organization-key', projectId: simulator.world.projects[of]?.id ?? '' };
    const asked = path.endsWith('/prompts') ? query : { ...WHOLE, ...query };
    return simulator.answer(`/api/${path}`, asked, who);
  };
  const daysOf = (filter: Record<string, string> = {}): string[] =>
    (put(VISIBILITY, filter).body as Row[]).map(({ date }) => date);
  return Object.assign(simulator, { put, daysOf });
}

it.each([
  ['one monitor after another', worlds.oneMonitorAfterAnother, 'llmMonitorId'],
  ['weekdays and weekends', worlds.weekdaysAndWeekends, 'llmMonitorId'],
  ['one model after another', worlds.oneModelAfterAnother, 'models'],
] as const)('%s: each equals the project on its own days, which they share', async (_, make, parameter) => {
  await using simulator = await opened(make(zero));
  const [project] = simulator.world.projects;
  const values = (parameter === 'models' ? project?.models : project?.monitors) ?? [];
  const parts = values.map(({ id }) => simulator.put(VISIBILITY, { [parameter]: id }).body as Row[]);
  expect(parts.map(({ length }) => length > 5)).toEqual([true, true]);
  const together = parts.flat().toSorted((a, b) => (a.date < b.date ? -1 : 1));
  expect(together).toEqual(simulator.put(VISIBILITY).body);
});

it('two projects of one web site have equal crawlers and visitors, and other answers', async () => {
  await using simulator = await opened(worlds.oneWebSite());
  const areEqual = ['v1/analytics/crawlers/trend', 'v1/analytics/visitors/trend', VISIBILITY].map(
    (path) => JSON.stringify(simulator.put(path).body) === JSON.stringify(simulator.put(path, {}, 1).body),
  );
  expect(areEqual).toEqual([true, true, false]);
});

it('one prompt with one answer a day makes equal months, and clients with equal totals', async () => {
  const july = { startDate: '2026-07-01', endDate: '2026-07-31' };
  const august = { startDate: '2026-08-01', endDate: '2026-08-31' };
  const total = { totalResponses: 31, totalBrandMentions: 31, brandMentionRate: 100 };
  await using months = await opened(worlds.equalMonths());
  for (const month of [july, august]) expect(months.put(SUMMARY, month).body).toEqual(total);
  expect(months.put(SUMMARY, july, 1).body).not.toEqual(total);
  await using clients = await opened(worlds.equalClients());
  expect(clients.put(SUMMARY, july, 1).body).toEqual(total);
});

it('prompts asked weekly have rows seven days apart, prompts asked monthly one a month', async () => {
  await using weekly = await opened(worlds.askedWeekly(zero));
  const days = weekly.daysOf();
  expect(days).toHaveLength(9);
  expect(days.slice(1)).toEqual(days.slice(0, -1).map((day) => addDays(toDay(day), 7)));
  await using monthly = await opened(worlds.askedMonthly(zero));
  expect(monthly.daysOf()).toEqual(['2026-07-01', '2026-08-01', '2026-09-01']);
});

it.each([
  ['empty', { status: 200, body: [] }],
  ['not_found', { status: 404 }],
] as const)('the filter of a deleted monitor is %s; its past is in the truth', async (answer, found) => {
  const after = addDays(worlds.ODD_DAYS.sync, 2);
  const odd = worlds.deletedMonitor(answer)();
  await using simulator = await opened(odd, addDays(after, -1));
  await using truth = await opened({ world: worlds.unrestricted(odd.world) }, after);
  const filter = { llmMonitorId: simulator.world.projects[0]?.monitors[0]?.id ?? '' };
  const past = simulator.put(VISIBILITY, filter).body as Row[];
  expect(past.length).toBeGreaterThan(50);
  simulator.setToday(after);
  expect(simulator.put(VISIBILITY, filter)).toMatchObject(found);
  expect((truth.put(VISIBILITY, filter).body as Row[]).slice(0, 50)).toEqual(past.slice(0, 50));
});

it('a server that keeps 3 days has three; one that refuses older ones says so, of a young project too', async () => {
  await using keeps = await opened(worlds.retention(3, 'absent')());
  expect(keeps.daysOf()).toEqual(['2026-09-01', '2026-09-02', '2026-09-03']);
  await using refuses = await opened(worlds.retention(3, 'refused')());
  const message = 'startDate must not be earlier than';
  const refused = { status: 400, body: { message: `${message} 2026-09-01` } };
  expect(refuses.put(VISIBILITY)).toMatchObject(refused);
  await using young = await opened(worlds.youngAndOld(zero));
  const created = { message: `${message} 2026-07-11, the day on which the project was created` };
  expect(young.put(VISIBILITY)).toMatchObject({ status: 400, body: created });
  expect(young.put(VISIBILITY, {}, 1)).toMatchObject({ status: 200 });
});

/** Items of the first project with their day, and how many actions they are said to be. */
function events({ put }: { put: (path: string) => { body: unknown } }) {
  const { body } = put('v2/events');
  const { events: days, total } = body as { events: { date: string; items: object[] }[]; total: number };
  const items = days.flatMap(({ date, items }) => items.map((item) => ({ ...item, date })));
  const on = (title: string): string[] =>
    items.flatMap((item) => (JSON.stringify(item).includes(`"title":"${title}"`) ? [item.date] : []));
  return { total, items, on };
}

it('an action completed twice is listed and counted on both days; one dated back moves', async () => {
  await using twice = await opened(worlds.completedTwice(zero));
  const { items, total, on } = events(twice);
  expect(on('Compare the desks')).toEqual(['2026-07-09', '2026-07-21']);
  expect(total).toBe(items.filter((item) => 'action' in item).length);
  await using moved = await opened(worlds.datedBack());
  expect(events(moved).on('Compare the sofas')).toEqual(['2026-09-02']);
  moved.setToday(addDays(worlds.ODD_DAYS.sync, 2));
  expect(events(moved).on('Compare the sofas')).toEqual(['2026-07-11']);
});

it('past events of a project name a monitor that has moved to the other one', async () => {
  await using simulator = await opened(worlds.movedMonitor(), addDays(worlds.ODD_DAYS.sync, 2));
  const moved = simulator.world.projects[0]?.monitors[0]?.id ?? '';
  expect(JSON.stringify(events(simulator).items)).toContain(moved);
  const lists = [0, 1].map((of) => JSON.stringify(simulator.put('v1/prompts', { size: '100' }, of).body));
  expect(lists.map((list) => list.includes(moved))).toEqual([false, true]);
});

it('a group of prompts whose monitor is unknown says null', async () => {
  await using simulator = await opened(worlds.groupsWithoutMonitor());
  const group = { type: 'prompts_deleted', date: '2026-08-20', monitor: null };
  expect(events(simulator).items).toContainEqual(expect.objectContaining(group));
});
