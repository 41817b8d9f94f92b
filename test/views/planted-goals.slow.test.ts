import { expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { DAYS, dayAt, type Dice, overRounds, type Story } from './weather.ts';

const ROUNDS = 2;

const step =
  (age: number) =>
  (dice: Dice): Story => {
    const size = 16 * dice.whole(0, 1) - 8;
    return { actions: [], isFlat: true, level: (day) => (day >= DAYS - age ? size : 0) };
  };

it('at most 1 of 350 changes of idle projects is clear, also 200 and 280 days after a step of 8', async () => {
  const worlds = [
    ['no step', (): Story => ({ actions: [], isFlat: true })],
    ['a step 200 days ago', step(200)],
    ['a step 280 days ago', step(280)],
  ] as const;
  let [clear, rows] = [0, 0];
  for (const [name, story] of worlds) {
    const [found = 0, all = 0, holds0 = 0] = await overRounds(
      { seed: `${name}-calm`, weather: 'calm', story },
      () =>
        `select count(*) filter (where is_clear), count(*), count(*) filter (where is_clear and change_low <= 0 and change_high >= 0)
         from kpi_changes where measure = 'visibility' and window_days < 365`,
    );
    expect(holds0).toBe(0);
    clear += found;
    rows += all;
  }
  expect(clear).toBeLessThanOrEqual(rows / 350);
});

it.each([
  ['calm', 80],
  ['walk', 70],
  ['autocorrelated', 60],
] as const)(
  'turning points find shifts of 6, and at most one false one a year: %s',
  async (weather, goal) => {
    const shifts = [130, 270];
    const story = (dice: Dice): Story => {
      const sign = dice.whole(0, 1) * 2 - 1;
      return {
        actions: [],
        level: (day) =>
          shifts.reduce(
            (sum, shift, index) => sum + (day >= shift ? (index % 2 === 0 ? 6 : -6) * sign : 0),
            0,
          ),
      };
    };
    const near = shifts.map((shift) => `abs(date - date '${dayAt(shift)}') <= 10`).join(' or ');
    const [found = 0, others = 0] = await overRounds(
      { seed: `shifts-${weather}`, weather, story },
      () =>
        `select count(*) filter (where ${near}), count(*) filter (where not (${near})) from turning_points where measure = 'visibility'`,
    );
    expect((100 * found) / (2 * 40 * ROUNDS)).toBeGreaterThanOrEqual(goal);
    expect(others / (40 * ROUNDS)).toBeLessThanOrEqual(1);
  },
);

it.each([
  ['calm', 85, 80],
  ['walk', 85, 80],
  ['autocorrelated', 85, 80],
  ['season', 65, 65],
] as const)('projections hold the mean of 28 days around the due day: %s', async (weather, short, long) => {
  const hidden = 120;
  for (const [ahead, goal] of [
    [30, short],
    [120, long],
  ] as const) {
    const [held = 0, told = 0] = await overRounds(
      { seed: `projection of ${String(ahead)} days-${weather}`, weather, story: () => ({ actions: [] }) },
      async (world) => {
        const last = addDays(dayAt(DAYS), -hidden - 1);
        const due = addDays(last, ahead);
        await world.run(
          `create temp table truth as select project_id, avg(visibility) as value from core.visibility
         where date between date '${due}' - 27 and date '${due}' group by project_id`,
        );
        await world.run(`delete from core.visibility where date > date '${last}'`);
        await world.run(`delete from core.brand_visibility where date > date '${last}'`);
        await world.run(`update meta.settings set value = '${addDays(last, 1)}' where name = 'sync_day'`);
        await world.run(
          `insert into meta.settings (name, value) select 'targets', cast(to_json(list({'project': project_id, 'measure': 'visibility', 'goal': 50, 'by': '${due}'})) as varchar) from truth`,
        );
        return `select count(*) filter (where t.projected_low <= r.value and r.value <= t.projected_high), count(t.projected_value)
         from targets t join truth r on r.project_id = t.project_id`;
      },
    );
    expect(told).toBeGreaterThan(0);
    expect((100 * held) / told).toBeGreaterThanOrEqual(goal);
  }
});

const STARTS = [50, 90, 130, 170, 210, 250, 290, 330];
const acting = (effect: number): Story => ({ actions: STARTS.map((day) => ({ day, effect })) });
/** The lift is gone after three weeks. */
const fading = (): Story => ({
  ...acting(0),
  level: (day) => (STARTS.some((start) => day > start && day <= start + 21) ? 1.5 : 0),
});

it.each([
  ['eight idle actions', 0, { clear: [0, 8], covered: 90, story: () => acting(0) }],
  ['eight fading lifts of 1.5', 1.5, { clear: [80, 100], covered: 90, story: fading }],
  ['eight lasting lifts of 1.5', 1.5, { clear: [70, 100], covered: 90, story: () => acting(1.5) }],
])(
  'pooled effects are judged honestly: %s',
  async (name, truth, { clear: [least = 0, most = 0], covered, story }) => {
    const [clear = 0, all = 1, held = 0] = await overRounds(
      { seed: `${name}-calm`, weather: 'calm', story, rounds: 6 },
      () =>
        `select count(*) filter (where is_clear), count(*), count(*) filter (where effect_low <= ${String(truth)} and ${String(truth)} <= effect_high)
         from action_type_impact where measure = 'visibility' and project_id <> 'all' and judged_count > 0`,
    );
    expect((100 * clear) / all).toBeGreaterThanOrEqual(least);
    expect((100 * clear) / all).toBeLessThanOrEqual(most);
    expect((100 * held) / all).toBeGreaterThanOrEqual(covered);
  },
);
