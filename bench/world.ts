import type { Day } from '../src/day.ts';
import { DEMO_PLANS } from '../simulator/demo-plans.ts';
import { demoWorld, keysOf } from '../simulator/plain-worlds.ts';
import { makeProject, type ProjectPlan } from '../simulator/project-maker.ts';
import { uuidOf } from '../simulator/random.ts';
import { CRAWLER_KEYS } from '../simulator/texts.ts';
import type { World, WorldProject } from '../simulator/world.ts';
import { DEFAULT_SEED } from '../simulator/worlds.ts';

const RIVALS = [
  'Northgate',
  'Silverline',
  'Oak & Iron',
  'Maple Works',
  'Blue Harbor',
  'Tidewater',
  'Granite',
  'Larkspur',
] as const;
const MEDIA = 16;
const REFERRERS = [
  'meta.ai',
  'you.com',
  'poe.com',
  'grok.com',
  'chat.mistral.ai',
  'chat.deepseek.com',
] as const;

/**
 * The demo's three kinds of project, repeated under other names and numbers until there are `projects`, each with more brands, domains, crawlers
 * and referrers than a demo wants to show: 6 of them have 240,000 rows in 1,900 answers of a year.
 */
export function benchWorld(projects: number, firstDay: Day): World {
  const settings = { seed: DEFAULT_SEED, firstDay };
  const made = Array.from({ length: projects }, (_, index) => {
    const plan = DEMO_PLANS[(index % DEMO_PLANS.length) as 0 | 1 | 2];
    const round = String(Math.floor(index / DEMO_PLANS.length) + 1);
    return crowded(
      makeProject({ ...plan, name: `${plan.name} ${round}`, slug: `${plan.slug}-${round}` }, settings),
      plan,
    );
  });
  // The restating of late days is left out: an unchanged night must be unchanged.
  return { ...demoWorld(settings), name: 'bench', keys: keysOf('bench', made), projects: made, arrival: [] };
}

function crowded(project: WorldProject, { base, traffic }: ProjectPlan): WorldProject {
  const rivals = RIVALS.map((name, index) => ({
    id: uuidOf(`${project.slug}/rival/${name}`),
    name,
    domain: `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`,
    relation: 'DIRECT_COMPETITOR' as const,
    strength: base + 0.3 - index * 0.2,
  }));
  const media = Array.from({ length: MEDIA }, (_, index) => ({
    domain: `magazine-${String(index + 1)}.example`,
    rate: 0.4 / (1 + index * 0.2),
    rank: 1 + (index % 9),
  }));
  return {
    ...project,
    brands: [...project.brands, ...rivals],
    domains: [...project.domains, ...media],
    crawlers: CRAWLER_KEYS.map((name, index) => ({ name, perDay: traffic * (0.2 + index / 20) })),
    referrers: [
      ...project.referrers,
      ...REFERRERS.map((name, index) => ({ name, perDay: traffic / (12 + 3 * index) })),
    ],
  };
}
