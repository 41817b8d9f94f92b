import { expect, it } from 'vitest';
import { unit } from '../../simulator/random.ts';
import { DAYS, dayAt, plantProject, type PlantedAction } from './weather.ts';
import { days, openWorld, setTargets } from './world.ts';

/** A project with this level of visibility and noise of 1.5 points either way. */
async function openProject(level: (day: number) => number | null, actions: PlantedAction[] = []) {
  const world = await openWorld(dayAt(DAYS));
  await plantProject(world, 'p', { visibility: noisy(level, 1), actions });
  return world;
}

function noisy(level: (day: number) => number | null, seed: number): (day: number) => number | null {
  return (day) => {
    const value = level(day);
    return value === null ? null : value + 3 * unit(day, seed) - 1.5;
  };
}

it('kpi_changes compares years where there are two', async () => {
  await using world = await openProject(() => 40);
  await world.gives('select distinct period from kpi_changes order by 1', [
    ['last_28_days'],
    ['last_7_days'],
    ['last_90_days'],
    ['month'],
  ]);
  await world.daily('core.visibility', days('2023-12-01', 397), (index) => ({
    visibility: 30 + 3 * unit(index, 9),
  }));
  const [year] = await world.rows('select change, is_clear from kpi_changes where window_days = 365');
  expect(year?.['is_clear']).toBe(true);
  expect(Number(year?.['change'])).toBeGreaterThan(5);
});

it('targets projects a steady rise of 0.05 a day as a rise, with an interval', async () => {
  await using world = await openProject((day) => 30 + 0.05 * day);
  await setTargets(world, dayAt(DAYS + 179), { visibility: 57 });
  // On the last day the level is 49.95; 180 days later 58.95.
  await world.gives(
    'select abs(projected_value - 58.95) < 1, projected_low < 58.95, projected_high > 58.95, is_on_course from targets',
    [[true, true, true, true]],
  );
});

it('a project that is asked three days a week has means, changes and verdicts', async () => {
  const level = (day: number) => ([0, 2, 4].includes(day % 7) ? 40 + (day > 200 ? 8 : 0) : null);
  await using world = await openProject(level, [{ day: 200 }, { day: 300 }]);
  await world.gives('select action_title, visibility_is_clear, not_judged from action_impact order by date', [
    ['Action p-200', true, null],
    ['Action p-300', false, null],
  ]);
  await world.gives(
    "select window_days, is_clear from kpi_changes where measure = 'visibility' and window_days < 90 order by 1",
    [
      [7, false],
      [28, false],
    ],
  );
});

it('portfolio_changes tells a move of all brands from that of one, and one model from the others', async () => {
  await using world = await openWorld(dayAt(DAYS));
  for (let brand = 0; brand < 8; brand += 1) {
    const project_id = `brand-${String(brand)}`;
    const level = (day: number): number => 40 + brand + (day >= 372 ? 4 : 0);
    await plantProject(world, project_id, { visibility: noisy(level, brand) });
    for (const [scope_id, fall] of Object.entries({ falls: 6, stays: 0 }))
      await world.daily('core.visibility', days(dayAt(0), DAYS), (day) => ({
        project_id,
        scope: 'model',
        scope_id,
        visibility: 50 + 3 * unit(day, brand + 20) - (day >= 393 ? fall : 0),
      }));
  }
  await world.gives(
    `select model_id, window_days, projects_count, up_count, down_count, is_portfolio_wide
       from portfolio_changes where measure = 'visibility' and model_id <> 'stays' and not (model_id = 'all' and window_days = 7)
       order by model_id, window_days`,
    [
      ['all', 28, 8, 8, 0, true],
      ['falls', 7, 8, 0, 8, true],
      ['falls', 28, 8, 0, 8, true],
    ],
  );
});

it('anomalies after a shift are judged against the new level', async () => {
  await using world = await openProject((day) => 40 + (day >= 300 ? 12 : 0) + (day === 330 ? 15 : 0));
  await world.gives(
    `select date from anomalies where measure = 'visibility' and date >= '${dayAt(305)}' order by date`,
    [[dayAt(330)]],
  );
});

it('action_type_impact shows what eight small effects have in common', async () => {
  const planted = [60, 100, 140, 180, 220, 260, 300, 340];
  await using world = await openProject(
    (day) => 30 + 1.5 * planted.filter((start) => day > start).length,
    planted.map((day) => ({ day })),
  );
  await world.gives(
    `select project_id, actions_count, judged_count, is_clear, effect_low < 1.5 and effect_high > 1.5
       from action_type_impact where measure = 'visibility' order by project_id`,
    [
      ['all', 8, 8, true, true],
      ['p', 8, 8, true, true],
    ],
  );
});
