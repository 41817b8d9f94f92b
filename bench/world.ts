import type { Day } from '../src/day.ts';
import { DEMO_PLANS } from '../simulator/demo-plans.ts';
import { demoWorld, keysOf } from '../simulator/plain-worlds.ts';
import { makeProject } from '../simulator/project-maker.ts';
import type { World } from '../simulator/world.ts';
import { DEFAULT_SEED } from '../simulator/worlds.ts';

/** The demo's three kinds of project, repeated under other names and numbers until there are `projects`. */
export function benchWorld(projects: number, firstDay: Day): World {
  const settings = { seed: DEFAULT_SEED, firstDay };
  const made = Array.from({ length: projects }, (_, index) => {
    const plan = DEMO_PLANS[(index % DEMO_PLANS.length) as 0 | 1 | 2];
    const round = String(Math.floor(index / DEMO_PLANS.length) + 1);
    return makeProject({ ...plan, name: `${plan.name} ${round}`, slug: `${plan.slug}-${round}` }, settings);
  });
  // The restating of late days is left out: an unchanged night must be unchanged.
  return { ...demoWorld(settings), name: 'bench', keys: keysOf('bench', made), projects: made, arrival: [] };
}
