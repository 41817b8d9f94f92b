import { hashText, mix, unit } from '../../simulator/random.ts';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { action, days, openWorld, prompts, type World } from './world.ts';

export const DAYS = 400;

export function dayAt(day: number): Day {
  return addDays(toDay('2025-01-01'), day);
}

/** How a series wanders when nothing happens to it. */
export type Weather = 'calm' | 'autocorrelated' | 'walk' | 'season' | 'market';

/** An action with its true, lasting effect; 0 for one that changes nothing, nothing where it is not judged by that. */
export interface PlantedAction {
  day: number;
  effect?: number;
  /** The effect grows over nine days and fades over months, as that of content does. */
  isSlow?: true;
}

/** What happens in one project: its actions, and what else moves the level. */
export interface Story {
  actions: PlantedAction[];
  /** Added to your own series by day, in addition to the lasting effects of the actions. */
  level?: (day: number) => number;
  /** Share of each effect by which the rivals move the other way. */
  displaced?: number;
  /** Has no slow trend. */
  isFlat?: true;
  /** Days on which prompts come, without a list that says how many answers they have. */
  newPrompts?: readonly number[];
}

export const WEEK = [1, 0.9, 1, 0.8, 0.6, 0.1, 0];

/** Numbers that are the same for the same seed. */
export class Dice {
  readonly #seed: number;
  #thrown = 0;

  constructor(seed: string) {
    this.#seed = hashText(seed);
  }

  uniform(from: number, to: number): number {
    this.#thrown += 1;
    return from + (to - from) * unit(this.#seed, this.#thrown);
  }

  /** A whole number in `from`..`to`, both included. */
  whole(from: number, to: number): number {
    return Math.floor(this.uniform(from, to + 1));
  }

  normal(): number {
    this.#thrown += 1;
    const key = mix(this.#seed, this.#thrown);
    return Math.sqrt(-2 * Math.log(1 - unit(key, 1))) * Math.cos(2 * Math.PI * unit(key, 2));
  }
}

/** A series with mean 0 in which `share` of a day's noise stays until the next day; standard deviation 1. */
export function noise(dice: Dice, share: number): number[] {
  let carried = dice.normal();
  return Array.from({ length: DAYS }, () => {
    carried = share * carried + Math.sqrt(1 - share * share) * dice.normal();
    return carried;
  });
}

function walk(dice: Dice, step: number): number[] {
  let level = 0;
  return Array.from({ length: DAYS }, () => (level += step * dice.normal()));
}

/** A market that wanders and jumps three times a year. */
function market(dice: Dice): number[] {
  const jumps = [1, 2, 3].map(() => ({ day: dice.whole(30, 369), by: dice.uniform(-1, 1) < 0 ? -5 : 5 }));
  return walk(dice, 0.35).map(
    (level, day) => level + jumps.reduce((sum, jump) => sum + (day >= jump.day ? jump.by : 0), 0),
  );
}

/** Own visibility and the rivals' score of one project, by day. */
function simulate(
  { id, index, weather }: { id: string; index: number; weather: Weather },
  story: Story,
): Planted {
  const dice = new Dice(id);
  const scale = 1 + (index % 3);
  const weekdays = (index % 4) * 3;
  const trend = story.isFlat === true ? 0 : ((index % 5) - 2) * 4;
  const own = noise(dice, weather === 'autocorrelated' ? 0.8 : 0.5);
  const rival = noise(dice, 0.5);
  const wandering = weather === 'walk' ? walk(dice, 0.3) : null;
  const phase = dice.uniform(0, 2 * Math.PI);
  const common = weather === 'market' ? market(dice) : null;
  const lift = (day: number): number =>
    story.actions.reduce((sum, planted) => {
      const age = day - planted.day;
      const shape = planted.isSlow === true ? Math.min(1, age / 9) * Math.exp(-age / 70) : 1;
      return age > 0 ? sum + (planted.effect ?? 0) * shape : sum;
    }, 0);
  return {
    ...story,
    visibility: (day) =>
      40 +
      scale * (own[day] ?? 0) +
      weekdays * (WEEK[day % 7] ?? 0) +
      (trend * day) / DAYS +
      (wandering?.[day] ?? 0) +
      (weather === 'season' ? 10 * Math.sin((2 * Math.PI * day) / 365 + phase) : 0) +
      (common?.[day] ?? 0) +
      lift(day) +
      (story.level?.(day) ?? 0),
    rival: (day) =>
      30 +
      0.8 * (rival[day] ?? 0) +
      0.7 * weekdays * (WEEK[day % 7] ?? 0) +
      0.8 * (common?.[day] ?? 0) -
      (story.displaced ?? 0) * lift(day),
  };
}

/** What is stored of one project: its figures by day, and what happened. */
export interface Planted {
  visibility: (day: number) => number | null;
  rival?: (day: number) => number;
  actions?: readonly PlantedAction[];
  newPrompts?: readonly number[];
}

/** Stores 400 days of a project; the title of an action is its true effect, where that is known. */
export async function plantProject(world: World, id: string, planted: Planted): Promise<void> {
  const { visibility, rival, actions = [], newPrompts = [] } = planted;
  const project = { project_id: id, scope_id: id };
  const dates = days(dayAt(0), DAYS);
  await world.insert('core.projects', [{ project_id: id, organization_id: 'o', name: id }]);
  await world.insert(
    'core.visibility',
    dates
      .map((date, day) => ({ ...project, date, visibility: visibility(day) }))
      .filter((row) => row.visibility !== null),
  );
  if (rival !== undefined) {
    const brand = { project_id: id, brand_id: 'rival', name: 'Rival', relation: 'DIRECT_COMPETITOR' };
    await world.insert('core.brands', [brand]);
    const ofRival = { ...project, brand_id: 'rival' };
    await world.daily('core.brand_visibility', dates, (day) => ({
      ...ofRival,
      average_visibility: rival(day),
    }));
  }
  await world.insert('core.events', [
    ...newPrompts.map((day) => ({ ...prompts('prompts_created', dayAt(day), 5), project_id: id })),
    ...actions.map(({ day, effect }) => {
      const title = effect === undefined ? {} : { action_title: String(effect) };
      return action(`${id}-${String(day)}`, dayAt(day), { project_id: id, ...title });
    }),
  ]);
}

export interface Rounds {
  seed: string;
  weather: Weather;
  story: (dice: Dice) => Story;
  rounds?: number;
}

/** Plants 40 projects a round, and adds up the numbers of the one row that `prepare` selects. */
export async function overRounds(
  { seed, weather, story, rounds = 2 }: Rounds,
  prepare: (world: World) => string | Promise<string>,
): Promise<number[]> {
  let sums: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const own = `${seed}-${String(round)}`;
    await using world = await openWorld(dayAt(DAYS));
    for (let index = 0; index < 40; index += 1) {
      const id = `${own}-${String(index).padStart(3, '0')}`;
      const told = story(new Dice(`${own}/${String(index)}`));
      await plantProject(world, id, simulate({ id, index, weather }, told));
    }
    const [row = {}] = await world.rows(await prepare(world));
    sums = Object.values(row).map((value, index) => Number(value) + (sums[index] ?? 0));
  }
  process.stdout.write(`${seed}: ${sums.join(' ')}\n`);
  return sums;
}
