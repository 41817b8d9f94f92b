import { expect, it } from 'vitest';
import { DAYS, dayAt, Dice, noise as noiseOf, WEEK } from './weather.ts';
import { table } from '../support/table.ts';
import { action, days, openWorld, prompts, type World } from './world.ts';

const BURST = 'Action quiet-194; Action quiet-197; Action quiet-199';

/** What makes up a year of visibility. */
interface YearPlan {
  id: string;
  /** Standard deviation of the noise of a day; half of it stays until the next day. */
  noise: number;
  /** Points between the best and the worst weekday. */
  weekdays: number;
  /** Points gained from the first to the last day. */
  trend: number;
  shifts: readonly { day: number; by: number }[];
  /** Days on which an action was completed. */
  actions: readonly number[];
}

/** One project for each year, synced on the day after the last. */
async function openYears(plans: readonly YearPlan[]): Promise<World> {
  const world = await openWorld(dayAt(DAYS));
  for (const { id, noise, weekdays, trend, shifts, actions } of plans) {
    const level = (day: number): number =>
      shifts.reduce((sum, { day: start, by }) => sum + (day >= start ? by : 0), (trend * day) / DAYS);
    await world.insert(
      'core.visibility',
      noiseOf(new Dice(id), 0.5).map((value, day) => ({
        project_id: id,
        scope_id: id,
        date: dayAt(day),
        visibility: 40 + noise * value + weekdays * (WEEK[day % 7] ?? 0) + level(day),
      })),
    );
    await world.insert(
      'core.events',
      actions.map((day) => action(`${id}-${String(day)}`, dayAt(day), { project_id: id })),
    );
  }
  return world;
}

const QUIET: YearPlan = {
  id: 'quiet',
  noise: 0,
  weekdays: 0,
  trend: 0,
  shifts: [],
  actions: [100, 200, 300],
};

it('what is typical is not exceeded by weekdays or a slow trend alone', async () => {
  await using world = await openYears([
    QUIET,
    { ...QUIET, id: 'weekdays', weekdays: 9 },
    { ...QUIET, id: 'trend', trend: 30 },
    { ...QUIET, id: 'both', weekdays: 9, trend: -30 },
  ]);
  // Without any noise nothing would be typical; 14 days have none of this one.
  await world.connection.run(
    "update core.visibility set visibility = visibility + 0.5 where (date - date '2000-01-01') % 14 < 7",
  );
  await world.gives('select distinct visibility_is_clear as flagged from action_impact', [
    { flagged: false },
  ]);
  await world.gives('select * from turning_points', []);
  await world.gives('select * from anomalies', []);
  await world.gives('select distinct is_clear and not is_trend as is_news from kpi_changes', [
    { is_news: false },
  ]);
});

it('what is typical is not swollen by the shift itself', async () => {
  await using world = await openYears([{ ...QUIET, noise: 2, actions: [] }]);
  const [idle] = await world.rows('select typical_change_14_days as typical from typical_changes');
  await world.connection.run(
    `update core.visibility set visibility = visibility + 20 where date >= '${dayAt(200)}'`,
  );
  const [shifted] = await world.rows('select typical_change_14_days as typical from typical_changes');
  expect(Number(shifted?.['typical'])).toBeLessThan(1.15 * Number(idle?.['typical']));
});

it('what is typical is not known from fewer than 60 days', async () => {
  await using world = await openWorld('2025-06-01');
  await world.insert(
    'core.visibility',
    days('2025-04-01', 61).map((date, index) => ({ date, visibility: index % 9 })),
  );
  await world.insert('core.events', [action('1', '2025-05-01')]);
  await world.gives('select days_count, typical_change_14_days from typical_changes', [
    { days_count: 51, typical_change_14_days: null },
  ]);
  await world.gives('select visibility_typical_change, visibility_is_clear from action_impact', [
    { visibility_typical_change: null, visibility_is_clear: null },
  ]);
});

it('a shift in a busy project is a turning point with its candidates; a burst of actions is one group', async () => {
  await using world = await openYears([
    { ...QUIET, noise: 1, shifts: [{ day: 200, by: 9 }], actions: [150, 194, 197, 199, 330] },
  ]);
  await world.insert('core.events', [
    { ...prompts('prompts_created', dayAt(190), 5), project_id: 'quiet' },
    { ...prompts('prompts_deleted', dayAt(180), 5), project_id: 'quiet' },
  ]);
  const [point, ...rest] = await world.rows('select * from turning_points');
  expect(rest).toEqual([]);
  expect(point).toMatchObject({
    measure: 'visibility',
    date: dayAt(200),
    candidates_count: 4,
    candidate_titles: `5 prompts added: Shoes; ${BURST}`,
    is_final: true,
  });
  expect(Number(point?.['change'])).toBeCloseTo(9, 0);
  await world.gives(
    `select first_date, last_date, actions, titles, visibility_is_clear as clear, not_judged as why, other_actions_count as others, setup_change_titles is not null as prompts
           from action_group_impact order by first_date`,
    table(
      'first_date last_date actions titles clear why others prompts',
      [dayAt(150), dayAt(150), 1, 'Action quiet-150', false, null, 0, false],
      // Prompts were deleted 4 days before: one change cannot be told from the other.
      [dayAt(194), dayAt(199), 3, BURST, null, 'neighbour_too_close', 0, true],
      [dayAt(330), dayAt(330), 1, 'Action quiet-330', false, null, 0, false],
    ),
  );
  await world.gives(
    'select overlap_group_id as burst, count(*) as actions, bool_or(setup_change_titles is not null) as prompts from action_impact group by 1 order by 1',
    [
      { burst: `quiet:${dayAt(150)}`, actions: 1, prompts: false },
      { burst: `quiet:${dayAt(194)}`, actions: 3, prompts: true },
      { burst: `quiet:${dayAt(330)}`, actions: 1, prompts: false },
    ],
  );
});

it('bursts of actions that share their days say how many other actions stand beside the same change', async () => {
  await using world = await openYears([
    { ...QUIET, noise: 1, shifts: [{ day: 200, by: 9 }], actions: [100, 194, 199, 200] },
  ]);
  await world.gives(
    'select actions, other_actions_count as others from action_group_impact order by first_date',
    [
      { actions: 1, others: 0 },
      { actions: 1, others: 2 },
      { actions: 2, others: 1 },
    ],
  );
});

it('a shift among a busy project is no verdict before the 14 days after are over', async () => {
  await using world = await openYears([
    { ...QUIET, id: 'over', noise: 1, shifts: [{ day: 386, by: 9 }], actions: [385] },
    { ...QUIET, id: 'early', noise: 1, shifts: [{ day: 386, by: 9 }], actions: [386] },
  ]);
  await world.gives(
    'select date, visibility_is_clear as clear, not_judged from action_impact order by date',
    [
      { date: dayAt(385), clear: true, not_judged: null },
      { date: dayAt(386), clear: null, not_judged: 'not_over' },
    ],
  );
});

it('anomalies are days far from their weekday, never the partial one', async () => {
  await using world = await openYears([{ ...QUIET, noise: 1, weekdays: 9, actions: [] }]);
  await world.connection.run(
    `update core.visibility set visibility = visibility + 20 where date = '${dayAt(250)}'`,
  );
  await world.insert('core.visibility', [
    { project_id: 'quiet', scope_id: 'quiet', date: dayAt(400), visibility: 2 },
  ]);
  const rows = await world.rows(
    'select date, deviations, expected_value from anomalies where deviations > 10 or deviations < -10',
  );
  expect(rows.map(({ date }) => date)).toEqual([dayAt(250)]);
  await world.gives('select count(*) <= 4 as few from anomalies', [{ few: true }]);
});
