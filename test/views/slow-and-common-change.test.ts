import { expect, it } from 'vitest';
import { unit } from '../../simulator/random.ts';
import { addDays, toDay } from '../../src/day.ts';
import { action, days, openWorld, type World } from './world.ts';

const FIRST = '2025-01-01';
const SYNC_DAY = addDays(toDay(FIRST), 400);

/** Daily visibility of a project with noise of 1.5 points either way. */
async function plantVisibility(
  world: World,
  project: string,
  level: (day: number) => number | null,
): Promise<void> {
  await world.insert(
    'core.visibility',
    days(FIRST, 400).flatMap((date, index) => {
      const value = level(index);
      return value === null
        ? []
        : [
            {
              project_id: project,
              scope_id: project,
              date,
              visibility: value + 3 * unit(index, project.length) - 1.5,
            },
          ];
    }),
  );
}

async function targetOf(world: World, goal: number, by: string): Promise<void> {
  await world.insert('meta.settings', [
    { name: 'targets', value: JSON.stringify([{ project: 'p', measure: 'visibility', goal, by }]) },
  ]);
}

it('kpi_changes shows a slow fall over 90 days that no week shows', async () => {
  await using world = await openWorld(SYNC_DAY);
  await plantVisibility(world, 'p', (day) => 48.3 - Math.max(0, day - 310) * 0.12);
  await world.gives(
    `select window_days, is_clear, change_low < change and change < change_high as is_inside
         from kpi_changes where measure = 'visibility' and window_days in (7, 90) order by 1`,
    [
      { window_days: 7, is_clear: false, is_inside: true },
      { window_days: 90, is_clear: true, is_inside: true },
    ],
  );
});

it('kpi_changes compares years where there are two', async () => {
  await using world = await openWorld(SYNC_DAY);
  await plantVisibility(world, 'p', () => 40);
  await world.gives(
    'select distinct window_days from kpi_changes order by 1',
    [7, 28, 90].map((window_days) => ({ window_days })),
  );
  await world.insert(
    'core.visibility',
    days('2023-12-01', 397).map((date, index) => ({ date, visibility: 30 + 3 * unit(index, 9) })),
  );
  const [year] = await world.rows('select change, is_clear from kpi_changes where window_days = 365');
  expect(year?.['is_clear']).toBe(true);
  expect(Number(year?.['change'])).toBeGreaterThan(5);
});

it('targets projects a steady rise of 0.05 a day as a rise, with an interval', async () => {
  await using world = await openWorld(SYNC_DAY);
  await plantVisibility(world, 'p', (day) => 30 + 0.05 * day);
  await targetOf(world, 57, addDays(SYNC_DAY, 179));
  const [target] = await world.rows(
    'select value, projected_value, projected_low, projected_high, is_on_course from targets',
  );
  // On the last day the level is 49.95; 180 days later 58.95.
  expect(Math.abs(Number(target?.['projected_value']) - 58.95)).toBeLessThan(1);
  expect(Number(target?.['projected_low'])).toBeLessThan(58.95);
  expect(Number(target?.['projected_high'])).toBeGreaterThan(58.95);
  expect(target?.['is_on_course']).toBe(true);
});

it('a project that is asked three days a week has means, changes and verdicts', async () => {
  await using world = await openWorld(SYNC_DAY);
  await plantVisibility(world, 'p', (day) => ([0, 2, 4].includes(day % 7) ? 40 + (day > 200 ? 8 : 0) : null));
  await world.insert('core.events', [
    action('lift', addDays(toDay(FIRST), 200)),
    action('idle', addDays(toDay(FIRST), 300)),
  ]);
  await world.gives(
    'select action_id, visibility_is_clear as clear, not_judged from action_impact order by date',
    [
      { action_id: 'lift', clear: true, not_judged: null },
      { action_id: 'idle', clear: false, not_judged: null },
    ],
  );
  await world.gives(
    `select window_days, is_clear from kpi_changes where measure = 'visibility' and window_days < 90 order by 1`,
    [
      { window_days: 7, is_clear: false },
      { window_days: 28, is_clear: false },
    ],
  );
});

it('portfolio_changes tells a move of all brands from that of one, and one model from the others', async () => {
  await using world = await openWorld(SYNC_DAY);
  for (let brand = 0; brand < 8; brand += 1) {
    const project = `brand-${'x'.repeat(brand)}`;
    await plantVisibility(world, project, (day) => 40 + brand + (day >= 372 ? 4 : 0));
    for (const model of ['falls', 'stays'])
      await world.insert(
        'core.visibility',
        days(FIRST, 400).map((date, index) => ({
          project_id: project,
          scope: 'model',
          scope_id: model,
          date,
          visibility: 50 + 3 * unit(index, brand + 20) - (model === 'falls' && index >= 393 ? 6 : 0),
        })),
      );
  }
  const rows = await world.rows(
    `select model_id, window_days, projects_count, up_count, down_count, is_portfolio_wide as wide
       from portfolio_changes where measure = 'visibility' and model_id <> 'stays' order by model_id, window_days`,
  );
  expect(rows).toMatchObject([
    { model_id: 'all', window_days: 7 },
    { model_id: 'all', window_days: 28, projects_count: 8, up_count: 8, down_count: 0, wide: true },
    { model_id: 'falls', window_days: 7, projects_count: 8, up_count: 0, down_count: 8, wide: true },
    { model_id: 'falls', window_days: 28, wide: true },
  ]);
});

it('anomalies after a shift are judged against the new level', async () => {
  await using world = await openWorld(SYNC_DAY);
  await plantVisibility(world, 'p', (day) => 40 + (day >= 300 ? 12 : 0) + (day === 330 ? 15 : 0));
  await world.gives(
    `select date from anomalies where measure = 'visibility' and date >= '${addDays(toDay(FIRST), 305)}' order by date`,
    [{ date: addDays(toDay(FIRST), 330) }],
  );
});

it('action_type_impact shows what eight small effects have in common', async () => {
  await using world = await openWorld(SYNC_DAY);
  const planted = [60, 100, 140, 180, 220, 260, 300, 340];
  await plantVisibility(world, 'p', (day) => 30 + 1.5 * planted.filter((start) => day > start).length);
  await world.insert(
    'core.events',
    planted.map((day) => action(String(day), addDays(toDay(FIRST), day))),
  );
  const rows = await world.rows(
    `select project_id, actions_count, judged_count, is_clear, effect_low < 1.5 and effect_high > 1.5 as holds_truth
       from action_type_impact where measure = 'visibility' order by project_id`,
  );
  expect(rows).toEqual(
    ['all', 'p'].map((project_id) => ({
      project_id,
      actions_count: 8,
      judged_count: 8,
      is_clear: true,
      holds_truth: true,
    })),
  );
});
