import { expect, it } from 'vitest';
import { action, days, openWorld, setTargets, slice, type World } from './world.ts';

const START = '2025-01-01';
const CLIFF = '2025-06-10';

/** 200 days of visibility around 50, and a cliff on one day that was asked for on that day alone. */
async function openCliff(): Promise<World> {
  const world = await openWorld('2025-07-20');
  await world.insert('meta.slices', [
    slice('visibility', `${START}..${CLIFF}`),
    slice('visibility', '2025-06-11..2025-07-20'),
  ]);
  await world.daily('core.visibility', days(START, 200), (index, date) => ({
    visibility: date === CLIFF ? -2000 : 50 + (Math.abs(Math.sin(index * 12.9898) * 43758.5453) % 10),
  }));
  return world;
}

it('a day that is not whole enters neither the means around an action nor those of its burst', async () => {
  await using world = await openCliff();
  await world.insert('core.events', [action('1', '2025-06-01')]);
  for (const view of ['action_impact', 'action_group_impact'])
    await world.gives(`select visibility_after > 50, days_after, visibility_is_clear from ${view}`, [
      [true, 13, false],
    ]);
});

it('a day that is not whole is not counted in a typical change or its days', async () => {
  await using world = await openCliff();
  const [windows] = await world.rows(
    `select median(after - before) as drift
       from (
         select d.date,
           avg(o.value) filter (where o.date < d.date) as before, count(o.value) filter (where o.date < d.date) as days_before,
           avg(o.value) filter (where o.date > d.date) as after, count(o.value) filter (where o.date > d.date) as days_after
         from measure_days d
         join measure_days o on o.date between d.date - 7 and d.date + 7 and o.date <> d.date and o.is_whole_day
         where d.is_whole_day
         group by d.date
       ) sides
       where days_before >= 5 and days_after >= 5`,
  );
  await world.gives(
    'select days_count, drift_around_7_days, typical_change_7_days < 10 from typical_changes',
    [[189, windows?.['drift'], true]],
  );
});

it('a day that is not whole enters no value of kpi_changes or targets, and turns no point', async () => {
  await using world = await openCliff();
  await setTargets(world, '2025-12-31', { visibility: 60 });
  const [means] = await world.rows(
    `select avg(value) filter (where date > date '2025-07-19' - 28) as value,
         avg(value) filter (where date <= date '2025-07-19' - 28) as before
       from measure_days
       where is_whole_day and date between date '2025-07-19' - 55 and '2025-07-19'`,
  );
  await world.gives(
    'select value, previous_value, previous_days_with_value from kpi_changes where window_days = 28',
    [[means?.['value'], means?.['before'], 27]],
  );
  await world.gives('select value from targets', [[means?.['value']]]);
  await world.gives("select date from turning_points where date between '2025-05-20' and '2025-07-01'", []);
});

it('turning_points compares 14 days, however many of them are not whole', async () => {
  await using world = await openCliff();
  await world.run("update core.visibility set visibility = visibility + 20 where date >= '2025-06-13'");
  const points = await world.rows(
    `select date, value_before, value_after from turning_points where date between '2025-05-20' and '2025-07-01'`,
  );
  expect(points).toEqual(
    await world.rows(
      `select date '2025-06-13' as date, avg(value) filter (where date < '2025-06-13') as value_before,
           avg(value) filter (where date >= '2025-06-13') as value_after
         from measure_days
         where is_whole_day and date between date '2025-06-13' - 14 and date '2025-06-13' + 13`,
    ),
  );
  expect(Number(points[0]?.['value_before'])).toBeGreaterThan(50);
});

it('a value that over half of the days share gives no typical change of 0, so no change exceeds it', async () => {
  await using world = await openWorld('2025-07-20');
  await world.daily('core.visibility', days(START, 200), (index) => ({ visibility: index < 185 ? 0 : 1 }));
  await world.insert('core.events', [action('1', '2025-06-30')]);
  await world.gives(
    'select days_count, typical_change_7_days, typical_change_14_days, typical_change_28_days from typical_changes',
    [[190, null, null, null]],
  );
  await world.gives('select distinct change is null, is_clear from kpi_changes order by 1', [[false, null]]);
  await world.gives('select visibility_is_clear from action_impact', [[null]]);
  await world.gives('select * from turning_points', []);
});

it('a slow trend downwards is as large as the same one upwards: days without a change are no falls', async () => {
  await using world = await openWorld('2025-12-27');
  for (const [project_id, sign] of [
    ['up', 1],
    ['down', -1],
  ] as const)
    await world.daily('core.visibility', days(START, 360), (index) => ({
      project_id,
      scope_id: project_id,
      visibility: 50 + sign * (index / 40 + (Math.abs(Math.sin(index * 12.9898) * 43758.5453) % 1)),
    }));
  await world.gives(
    "select count(*) filter (where drift_per_day > 0.01), abs(sum(drift_per_day)) < 1e-9 from effect_scales where measure = 'visibility'",
    [[1, true]],
  );
});
