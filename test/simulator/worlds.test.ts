import { expect, it } from 'vitest';
import { startSimulator } from '../../simulator/simulator.ts';
import { get, QUARTER, start } from './ask.ts';
import { addDays } from '../../src/day.ts';
import * as worlds from '../../simulator/odd-worlds.ts';
import type { Below, OddWorld } from '../../simulator/odd-worlds.ts';

it('the hostile world names brands with numbers, prototype words, emoji and twice', async () => {
  await using simulator = await start({ world: 'hostile' });
  const query = new URLSearchParams({ ...QUARTER, hideIgnoredBrands: 'false' }).toString();
  const text = await (await get(simulator, `/api/v1/competitor-heatmap?${query}`)).text();
  expect(text).toContain('"__proto__":{');
  const { competitors, matrix } = JSON.parse(text) as {
    competitors: { name: string; domain?: string | null; relation?: string | null }[];
    matrix: object;
  };
  const names = competitors.map(({ name }) => name);
  const odd = ['10', '2', '__proto__', 'constructor', 'hasOwnProperty', '日本茶 🍵'];
  expect(names).toEqual(expect.arrayContaining(odd));
  expect(names.filter((name) => name === 'Twin')).toHaveLength(2);
  expect(Object.keys(matrix).slice(0, 2)).toEqual(['2', '10']);
  const kinds = competitors.map(({ domain, relation }) => [String(domain), String(relation)].join());
  for (const kind of [/^undefined,/, /^null,/, /,null$/])
    expect(kinds.some((one) => kind.test(one))).toBe(true);
});

const { first, start: startDate, sync } = worlds.ODD_DAYS;
const VISIBILITY = 'v1/visibility-time-series';
const SUMMARY = 'v1/responses/summary';
const CRAWLERS = 'v1/analytics/crawlers/trend';
const JULY = { startDate, endDate: '2026-07-31' };
const AUGUST = { startDate: '2026-08-01', endDate: '2026-08-31' };
const ORDINARY: OddWorld = { world: worlds.pairWorld() };

async function opened({ world, options }: OddWorld) {
  const simulator = await startSimulator({ ...options, world, firstDay: first, today: sync });
  /** What the project with this index is answered, as text. */
  const ask = (path: string, query: Record<string, string> = {}, of = 0): string => {
    const who = { apiKey: 'pair-organization-key', projectId: simulator.world.projects[of]?.id ?? '' };
    const days = path.endsWith('prompts') ? {} : { startDate, endDate: simulator.today };
    return JSON.stringify(simulator.answer(`/api/${path}`, { ...days, ...query }, who));
  };
  return Object.assign(simulator, { ask });
}

/** Kind → its answers to both projects, on the day of the first sync and two days later. */
async function answersOf(odd: OddWorld): Promise<Record<string, string[]>> {
  await using simulator = await opened(odd);
  const answers: Record<string, string[]> = {};
  for (const day of [sync, addDays(sync, 2)]) {
    simulator.setToday(day);
    for (const [of, { monitors, models }] of ORDINARY.world.projects.entries())
      for (const [kind, path, queries] of [
        ['days', VISIBILITY, [{}]],
        ['monitors', VISIBILITY, monitors.map(({ id }) => ({ llmMonitorId: id }))],
        ['models', VISIBILITY, models.map(({ id }) => ({ models: id }))],
        ['months', SUMMARY, [JULY, AUGUST]],
        ['crawlers', CRAWLERS, [{}]],
        ['events', 'v2/events', [{}]],
        ['prompts', 'v1/prompts', [{}]],
      ] as const)
        for (const query of queries) (answers[kind] ??= []).push(simulator.ask(path, query, of));
  }
  return answers;
}

const ordinary = await answersOf(ORDINARY);

it.each<[string, (below: Below) => OddWorld, string]>([
  ['one monitor after another', worlds.oneMonitorAfterAnother, 'days monitors models months prompts'],
  ['weekdays and weekends', worlds.weekdaysAndWeekends, 'days monitors models months prompts'],
  ['one model after another', worlds.oneModelAfterAnother, 'days monitors models months prompts'],
  ['two projects of one web site', worlds.oneWebSite, 'crawlers'],
  ['equal months', worlds.equalMonths, 'days monitors models months events prompts'],
  ['clients with equal totals', worlds.equalClients, 'days monitors models months events prompts'],
  ['prompts asked weekly', worlds.askedWeekly, 'days monitors models months prompts'],
  ['prompts asked monthly', worlds.askedMonthly, 'days monitors models months prompts'],
  ['a deleted monitor, empty', worlds.deletedMonitor('empty'), 'monitors events prompts'],
  ['a deleted monitor, not found', worlds.deletedMonitor('not_found'), 'monitors events prompts'],
  ['a retired model, empty', worlds.retiredModel('empty'), 'days monitors models'],
  ['a retired model, not found', worlds.retiredModel('not_found'), 'days monitors models'],
  ['3 days kept', worlds.retention(3, 'absent'), 'days monitors models months crawlers events'],
  ['older days refused', worlds.retention(3, 'refused'), 'days monitors models months crawlers events'],
  ['a young and an old project', worlds.youngAndOld, 'days monitors models months crawlers events prompts'],
  ['a new monitor', worlds.newMonitor, 'days monitors models months events prompts'],
  ['an action completed twice', worlds.completedTwice, 'events'],
  ['an action dated back', worlds.datedBack, 'events'],
  ['a monitor that moved', worlds.movedMonitor, 'days models events prompts'],
  ['groups without a monitor', worlds.groupsWithoutMonitor, 'days models months events'],
  ['days without data', worlds.daysWithoutData, 'days monitors models months prompts'],
  ['an abandoned project', worlds.abandonedProject, 'days monitors models months prompts'],
])('the world of %s differs from an ordinary one where it is odd', async (_, make, kinds) => {
  const odd = await answersOf(make(() => 0));
  const differing = Object.keys(ordinary).filter((kind) => String(odd[kind]) !== String(ordinary[kind]));
  expect(differing.join(' ')).toBe(kinds);
});

type Question = [path: string, query: Record<string, string>, of: number];

it.each<[string, () => OddWorld, Question, Question]>([
  ['crawlers of one web site', worlds.oneWebSite, [CRAWLERS, {}, 0], [CRAWLERS, {}, 1]],
  ['months of one prompt', worlds.equalMonths, [SUMMARY, JULY, 0], [SUMMARY, AUGUST, 0]],
  ['months of two clients', worlds.equalClients, [SUMMARY, JULY, 0], [SUMMARY, JULY, 1]],
])('two %s are equal', async (...[, make, one, other]) => {
  await using simulator = await opened(make());
  expect(simulator.ask(...one)).toBe(simulator.ask(...other));
});
