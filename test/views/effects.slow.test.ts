import { expect, it } from 'vitest';
import { type Dice, overRounds, type PlantedAction, type Story, type Weather } from './weather.ts';

/** What a world must reach, in percent; the figures that are left out are not judged there. */
interface Goal {
  idle?: number;
  found?: number;
  covered?: number;
  judged?: number;
}

const every = (step: number, of: (day: number) => PlantedAction[]): PlantedAction[] =>
  Array.from({ length: Math.floor(340 / step) }, (_, index) => of(40 + index * step)).flat();

const idle = (dice: Dice): Story => ({
  actions: every(20, (day) => [{ day: day + dice.whole(-2, 2), effect: 0 }]).filter(({ day }) => day < 370),
});

const shifts = (dice: Dice, displaced = 0): Story => {
  const sign = dice.whole(0, 1) * 2 - 1;
  return {
    actions: [60, 90, 130, 180, 220, 270, 320].map((day, index) => ({
      day,
      effect: index % 2 === 1 ? (index % 4 === 1 ? 6 : -6) * sign : 0,
    })),
    displaced,
  };
};

/** People act when the figures have been low for a week; the figures come back by themselves. */
const dips = (dice: Dice): Story => {
  const planted = every(45, (day) => [{ day, effect: 0 }]).map((one) => ({
    ...one,
    first: one.day - dice.whole(4, 8),
    last: one.day + dice.whole(3, 8),
    depth: dice.uniform(5, 8),
  }));
  return {
    actions: planted,
    level: (day) =>
      planted.reduce((sum, { first, last, depth }) => sum - (day >= first && day <= last ? depth : 0), 0),
  };
};

const neighbours = (dice: Dice): Story => {
  const sides = [-10, -7, -5, -3, 3, 5, 7, 10];
  return {
    actions: every(60, (day) => [
      { day, effect: day % 120 === 40 ? 8 : -8 },
      { day: day + (sides[dice.whole(0, 7)] ?? 3), effect: 0 },
    ]),
  };
};

/** New prompts move the level by 8; an idle action is near. */
const mechanical = (dice: Dice): Story => {
  const changes = every(60, (day) => [{ day, effect: 0 }]).map(({ day }) => day);
  return {
    actions: changes.map((day) => ({ day: day + dice.whole(-6, 6), effect: 0 })),
    level: (day) =>
      changes.reduce((sum, change, index) => sum + (day >= change ? (index % 2 === 0 ? 8 : -8) : 0), 0),
    newPrompts: changes,
  };
};

const busy = (dice: Dice): Story => {
  const actions: PlantedAction[] = [];
  for (let day = 25; day < 375; day += dice.whole(1, 13)) actions.push({ day, effect: 0 });
  return { actions };
};

const kept = (): Story => ({
  actions: [100, 220].flatMap((day) =>
    [-20, 0, 20].map((by) => ({ day: day + by, effect: by === 0 ? 8 : 0 })),
  ),
});

function slow(dice: Dice, day: number): PlantedAction {
  const sign = dice.whole(0, 1) * 2 - 1;
  return { day, effect: sign * dice.uniform(6, 9), isSlow: true };
}

/** Large actions whose effect grows over nine days, and an idle one in the wake of each. */
const wakes = (dice: Dice): Story => ({
  actions: every(48, (day) => [slow(dice, day), { day: day + dice.whole(3, 10), effect: 0 }]),
});

/** An action every fifth day, every fifth one large. */
const oneInFive = (dice: Dice): Story => {
  const actions: PlantedAction[] = [];
  for (let day = 25; day < 375; day += dice.whole(1, 9))
    actions.push(dice.uniform(0, 1) < 0.2 ? slow(dice, day) : { day, effect: 0 });
  return { actions };
};

const WORLDS: [name: string, weather: Weather, story: (dice: Dice) => Story, goal: Goal][] = [
  ['idle actions, calm', 'calm', idle, { idle: 5, covered: 90 }],
  ['idle actions, autocorrelated', 'autocorrelated', idle, { idle: 5, covered: 90 }],
  ['idle actions, random walk', 'walk', idle, { idle: 5, covered: 90 }],
  ['idle actions, season', 'season', idle, { idle: 8, covered: 90 }],
  ['idle actions, market that moves', 'market', idle, { idle: 5, covered: 90 }],
  ['idle actions in dips', 'calm', dips, { idle: 3 }],
  ['neighbours of real changes', 'calm', neighbours, { idle: 3, covered: 90 }],
  ['idle actions beside new prompts', 'calm', mechanical, { idle: 5 }],
  ['a busy project', 'calm', busy, { idle: 5, judged: 25 }],
  ['idle actions in the wake of large ones', 'calm', wakes, { idle: 5, judged: 25 }],
  ['idle actions in the wake of large ones, random walk', 'walk', wakes, { idle: 5, judged: 25 }],
  ['an action every fifth day', 'autocorrelated', oneInFive, { idle: 5, judged: 25 }],
  ['changes of 6, calm', 'calm', shifts, { idle: 5, found: 80, covered: 90 }],
  ['changes of 6, autocorrelated', 'autocorrelated', shifts, { idle: 5, found: 80, covered: 90 }],
  ['changes of 6, random walk', 'walk', shifts, { idle: 5, found: 80, covered: 90 }],
  ['changes of 6, market that moves', 'market', shifts, { idle: 5, found: 80, covered: 90 }],
  ['changes of 6 that displace rivals', 'market', (dice) => shifts(dice, 0.2), { idle: 12, found: 80 }],
  ['changes of 8 among idle actions', 'calm', kept, { idle: 5, found: 95, covered: 90 }],
];

it.each(WORLDS)('effects of actions are judged honestly: %s', async (...[name, weather, story, goal]) => {
  const found = 'effect is not null and truth <> 0 and is_clear and sign(effect) = sign(truth)';
  const counts = await overRounds(
    { seed: `${weather}-${String(name.length)}`, weather, story },
    () => `select count(effect), count(*), count(*) filter (where truth = 0 and is_clear), count(effect) filter (where truth = 0),
         count(*) filter (where ${found}), count(effect) filter (where truth <> 0),
         count(*) filter (where low <= truth and truth <= high)
       from (
         select cast(action_title as double) as truth, visibility_effect as effect, visibility_effect_low as low,
           visibility_effect_high as high, visibility_is_clear as is_clear
         from action_impact
       ) judged`,
  );
  const [judged = 0, all = 1, idleClear = 0, idle = 1, right = 0, real = 1, covered = 0] = counts;
  expect((100 * idleClear) / Math.max(idle, 1)).toBeLessThanOrEqual(goal.idle ?? 100);
  expect((100 * right) / Math.max(real, 1)).toBeGreaterThanOrEqual(goal.found ?? 0);
  expect((100 * covered) / judged).toBeGreaterThanOrEqual(goal.covered ?? 0);
  expect((100 * judged) / all).toBeGreaterThanOrEqual(goal.judged ?? 0);
});
