import { it } from 'vitest';
import { DAYS, dayAt, Dice, noise as noiseOf, plantProject, WEEK } from './weather.ts';
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
  /** The day from which on the level is 9 points higher. */
  shift?: number;
  /** Days on which an action was completed. */
  actions: readonly number[];
}

const QUIET: YearPlan = { id: 'quiet', noise: 0, weekdays: 0, trend: 0, actions: [100, 200, 300] };

/** One project for each year, synced on the day after the last. */
async function openYears(...plans: readonly YearPlan[]): Promise<World> {
  const world = await openWorld(dayAt(DAYS));
  for (const { id, noise, weekdays, trend, shift = DAYS, actions } of plans) {
    const values = noiseOf(new Dice(id), 0.5);
    const steady = (day: number): number => 40 + weekdays * (WEEK[day % 7] ?? 0) + (trend * day) / DAYS;
    await plantProject(world, id, {
      visibility: (day) => steady(day) + noise * (values[day] ?? 0) + (day >= shift ? 9 : 0),
      actions: actions.map((day) => ({ day })),
    });
  }
  return world;
}

it('what is typical is not exceeded by weekdays or a slow trend alone', async () => {
  await using world = await openYears(
    QUIET,
    { ...QUIET, id: 'weekdays', weekdays: 9 },
    { ...QUIET, id: 'trend', trend: 30 },
    { ...QUIET, id: 'both', weekdays: 9, trend: -30 },
  );
  // Without any noise nothing would be typical; 14 days have none of this one.
  await world.run(
    "update core.visibility set visibility = visibility + 0.5 where (date - date '2000-01-01') % 14 < 7",
  );
  await world.gives('select distinct visibility_is_clear from action_impact', [[false]]);
  await world.gives('select * from turning_points', []);
  await world.gives('select * from anomalies', []);
  await world.gives('select distinct is_clear and not is_trend from kpi_changes', [[false]]);
});

it('what is typical is not known from fewer than 60 days', async () => {
  await using world = await openWorld('2025-06-01');
  await world.daily('core.visibility', days('2025-04-01', 61), (index) => ({ visibility: index % 9 }));
  await world.insert('core.events', [action('1', '2025-05-01')]);
  await world.gives('select days_count, typical_change_14_days from typical_changes', [[51, null]]);
  await world.gives('select visibility_typical_change, visibility_is_clear from action_impact', [
    [null, null],
  ]);
});

it('a shift in a busy project is a turning point with its candidates; a burst of actions is one group', async () => {
  await using world = await openYears({ ...QUIET, noise: 1, shift: 200, actions: [150, 194, 197, 199, 330] });
  await world.insert('core.events', [
    { ...prompts('prompts_created', dayAt(190), 5), project_id: 'quiet' },
    { ...prompts('prompts_deleted', dayAt(180), 5), project_id: 'quiet' },
  ]);
  await world.gives(
    'select measure, date, round(change), candidates_count, candidate_titles, is_final from turning_points',
    [['visibility', dayAt(200), 9, 4, `5 prompts added: Shoes; ${BURST}`, true]],
  );
  await world.gives(
    `select first_date, last_date, actions, titles, visibility_is_clear, not_judged, other_actions_count, setup_change_titles is not null
           from action_group_impact order by first_date`,
    [
      [dayAt(150), dayAt(150), 1, 'Action quiet-150', false, null, 0, false],
      [dayAt(194), dayAt(199), 3, BURST, null, 'neighbour_too_close', 0, true],
      [dayAt(330), dayAt(330), 1, 'Action quiet-330', false, null, 0, false],
    ],
  );
  await world.gives(
    'select overlap_group_id, count(*), bool_or(setup_change_titles is not null) from action_impact group by 1 order by 1',
    [
      [`quiet:${dayAt(150)}`, 1, false],
      [`quiet:${dayAt(194)}`, 3, true],
      [`quiet:${dayAt(330)}`, 1, false],
    ],
  );
});

it('bursts of actions that share their days say how many other actions stand beside the same change', async () => {
  await using world = await openYears({ ...QUIET, noise: 1, shift: 200, actions: [100, 194, 199, 200] });
  await world.gives('select actions, other_actions_count from action_group_impact order by first_date', [
    [1, 0],
    [1, 2],
    [2, 1],
  ]);
});

it('a shift among a busy project is no verdict before the 14 days after are over', async () => {
  await using world = await openYears(
    { ...QUIET, id: 'over', noise: 1, shift: 386, actions: [385] },
    { ...QUIET, id: 'early', noise: 1, shift: 386, actions: [386] },
  );
  await world.gives('select date, visibility_is_clear, not_judged from action_impact order by date', [
    [dayAt(385), true, null],
    [dayAt(386), null, 'not_over'],
  ]);
});

it('anomalies are days far from their weekday, never the partial one', async () => {
  await using world = await openYears({ ...QUIET, noise: 1, weekdays: 9, actions: [] });
  await world.run(`update core.visibility set visibility = visibility + 20 where date = '${dayAt(250)}'`);
  await world.insert('core.visibility', [
    { project_id: 'quiet', scope_id: 'quiet', date: dayAt(400), visibility: 2 },
  ]);
  await world.gives('select date from anomalies where abs(deviations) > 10', [[dayAt(250)]]);
  await world.gives('select count(*) <= 4 from anomalies', [[true]]);
});
