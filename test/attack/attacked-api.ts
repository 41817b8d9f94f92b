import { addDays, toDay, type Day } from '../../src/day.ts';
import { DEMO_PLANS } from '../../simulator/demo-plans.ts';
import { CATALOGUE } from '../../simulator/model-catalogue.ts';
import { makeProject } from '../../simulator/project-maker.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { World } from '../../simulator/world.ts';

export const KEY = 'sk-live/attack+7f3a9c2d41';
export const START: Day = toDay('2026-06-05');
/** The night that loads the base. June is over, and inside the look-back. */
export const FIRST_NIGHT: Day = toDay('2026-07-02');
export const LOOKBACK_DAYS = 6;
export const NIGHTS = 8;
const FIRST_DAY = toDay('2026-05-20');
/** Older days never change, so that a night which missed them is still healed by the look-back. */
const RESTATED_DAYS = 2;
const MODELS = ['openai_gpt-5', 'perplexity_sonar'];

export const dayOfNight = (night: number): Day => addDays(FIRST_NIGHT, night);

/** The API as it stands on each night: days are restated, prompts are removed, actions are reopened. Two projects. */
export async function openAttackedApi(): Promise<readonly Simulator[]> {
  return await Promise.all(Array.from({ length: NIGHTS }, (_, night) => simulatorOf(night)));
}

function worldOf(): World {
  const [, , plan] = DEMO_PLANS;
  const [first, ...others] = plan.rivals;
  const project = (number: number): World['projects'][number] =>
    makeProject(
      {
        ...plan,
        name: `Shop ${String(number)}`,
        slug: `shop-${String(number)}`,
        rivals: [...others, ['Café Zoë', 'cafe-zoe.example'], first ?? ['Oakline', 'oakline.example']],
        models: MODELS,
        firstPrompts: 12,
        laterPrompts: 3,
        actionsPerDay: 0.8,
      },
      { seed: 1 + number, firstDay: FIRST_DAY },
    );
  return {
    name: 'attacked',
    organization: { id: 'organization', name: 'Attacked', slug: 'attacked' },
    keys: [{ key: KEY, id: 'attacked', name: 'Attacked', type: 'organization' }],
    projects: [project(0), project(1)],
    models: CATALOGUE.map((model) => (MODELS.includes(model.id) ? model : { ...model, deprecated: true })),
    arrival: [0.6],
  };
}

async function simulatorOf(night: number): Promise<Simulator> {
  const simulator = await startSimulator({
    world: worldOf(),
    seed: 1,
    firstDay: FIRST_DAY,
    today: FIRST_NIGHT,
    now: () => Date.parse(`${dayOfNight(night)}T03:00:00Z`),
  });
  for (let passed = 1; passed <= night; passed += 1) {
    const today = dayOfNight(passed);
    simulator.setToday(today);
    for (const { id, prompts } of simulator.world.projects) {
      const days = { start: addDays(today, -RESTATED_DAYS), end: addDays(today, -1) };
      simulator.restate({ project: id, days, by: 0.04 });
      const prompt = prompts.filter(({ deletedAt }) => deletedAt === undefined)[1];
      if (passed % 2 === 0 && prompt !== undefined) simulator.removePrompt(id, prompt.id);
    }
  }
  return simulator;
}
