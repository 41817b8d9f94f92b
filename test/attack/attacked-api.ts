import { addDays, toDay, type Day } from '../../src/day.ts';
import { DEMO_PLANS } from '../../simulator/demo-plans.ts';
import { CATALOGUE } from '../../simulator/model-catalogue.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { makeProject } from '../../simulator/project-maker.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { World } from '../../simulator/world.ts';

export const KEY = 'sk-live/attack+7f3a9c2d41';
export const START: Day = toDay('2026-07-05');
/** The night that loads the base; it and all nights before it were good. */
export const FIRST_NIGHT: Day = toDay('2026-07-12');
const NIGHTS = 6;
const FIRST_DAY = toDay('2026-06-16');
const PROJECTS = 10;

export const dayOfNight = (night: number): Day => addDays(FIRST_NIGHT, night);

/** The API as it stands on each night: days are restated, prompts come and go, actions are reopened. */
export interface AttackedApi extends AsyncDisposable {
  /** By night. */
  nights: readonly Simulator[];
  /** Other figures behind the same paths. */
  other: Simulator;
}

export async function openAttackedApi(now: () => number): Promise<AttackedApi> {
  const nights: Simulator[] = [];
  for (let night = 0; night < NIGHTS; night += 1) nights.push(await simulatorOf(night, now));
  const other = await startSimulator({ ...options(now, 77), today: dayOfNight(NIGHTS) });
  return {
    nights,
    other,
    [Symbol.asyncDispose]: async () => {
      for (const simulator of [...nights, other]) await simulator.close();
    },
  };
}

function options(now: () => number, seed: number): SimulatorOptions {
  const { world, ...rest } = { world: worldOf(seed), seed, firstDay: FIRST_DAY, now };
  return { world, ...rest };
}

function worldOf(seed: number): World {
  const plan = {
    ...DEMO_PLANS[2],
    models: ['openai_gpt-5', 'perplexity_sonar'],
    firstPrompts: 6,
    laterPrompts: 3,
  };
  const projects = Array.from({ length: PROJECTS }, (_, number) =>
    makeProject(
      { ...plan, name: `Shop ${String(number)}`, slug: `shop-${String(number)}`, actionsPerDay: 0.7 },
      { seed: seed + number, firstDay: FIRST_DAY },
    ),
  );
  return {
    name: 'attacked',
    organization: { id: 'organization', name: 'Attacked', slug: 'attacked' },
    keys: [{ key: KEY, id: 'attacked', name: 'Attacked', type: 'organization' }],
    projects,
    models: [...CATALOGUE],
    arrival: [],
  };
}

async function simulatorOf(night: number, now: () => number): Promise<Simulator> {
  const simulator = await startSimulator({ ...options(now, 1), today: FIRST_NIGHT });
  for (let passed = 1; passed <= night; passed += 1) {
    const today = dayOfNight(passed);
    simulator.setToday(today);
    for (const { id, prompts } of simulator.world.projects) {
      simulator.restate({ project: id, days: { start: START, end: addDays(today, -1) }, by: 0.04 });
      const prompt = prompts.filter(({ deletedAt }) => deletedAt === undefined)[1];
      if (passed % 2 === 0 && prompt !== undefined) simulator.removePrompt(id, prompt.id);
    }
  }
  return simulator;
}
