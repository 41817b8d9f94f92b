import { CATALOGUE } from './model-catalogue.ts';
import { DEMO_PLANS } from './demo-plans.ts';
import { makeProject, type ProjectPlan } from './project-maker.ts';
import { uuidOf } from './random.ts';
import type { World, WorldKey, WorldProject, WorldSettings } from './world.ts';

/** One organization key and one key per project, with names that never change. */
export function keysOf(world: string, projects: readonly WorldProject[]): WorldKey[] {
  return [
    {
      key: `${world}-organization-key`,
      id: uuidOf(`${world}/key`),
      name: 'Organization key',
      type: 'organization',
    },
    ...projects.map((project, index) => ({
      key: index === 0 ? `${world}-project-key` : `${world}-project-key-${index + 1}`,
      id: uuidOf(`${world}/key/${index}`),
      name: `Key of ${project.slug}`,
      type: 'project' as const,
      projectId: project.id,
    })),
  ];
}

function worldOf(name: string, projects: WorldProject[], arrival: readonly number[]): World {
  return {
    name,
    organization: {
      id: uuidOf(`${name}/organization`),
      name: `The ${name} organization`,
      slug: `${name}-organization`,
    },
    keys: keysOf(name, projects),
    projects,
    models: [...CATALOGUE],
    arrival,
  };
}

/** Three rich projects; the last days are restated as late answers arrive. */
export function demoWorld(settings: WorldSettings): World {
  return worldOf(
    'demo',
    DEMO_PLANS.map((plan) => makeProject(plan, settings)),
    [0.45, 0.95, 0.985],
  );
}

/** One project with 2 models, 2 monitors and a handful of prompts; every day is complete at once. */
export function smallWorld(settings: WorldSettings): World {
  const plan: ProjectPlan = {
    ...DEMO_PLANS[2],
    name: 'Small Shop',
    slug: 'small-shop',
    models: ['openai_gpt-5', 'perplexity_sonar'],
    firstPrompts: 8,
    laterPrompts: 6,
  };
  return worldOf('small', [makeProject(plan, settings)], []);
}

/** One project with 6 models, 3 monitors and 230 prompts that all exist from the first day. */
export function largeWorld(settings: WorldSettings): World {
  const plan: ProjectPlan = {
    ...DEMO_PLANS[0],
    name: 'Large Brand',
    slug: 'large-brand',
    models: [...DEMO_PLANS[0].models, 'xai_grok-4'],
    firstPrompts: 230,
    laterPrompts: 0,
  };
  const project = makeProject(plan, settings);
  for (const prompt of project.prompts) prompt.deletedAt = undefined;
  return worldOf('large', [project], []);
}

/** A project that was created and never used: every list is empty, every value null. */
export function emptyProject(slug: string): WorldProject {
  return {
    id: uuidOf(`${slug}/project`),
    name: 'Empty project',
    slug,
    monitors: [],
    prompts: [],
    models: [],
    brands: [],
    domains: [],
    crawlers: [],
    referrers: [],
    pages: [],
    connectionIds: [],
    actionTitles: ['nothing'],
    actionsPerDay: 0,
    actionEffect: 0,
    responsesPerDay: 0,
    growth: 0,
    gapShare: 0,
    gapStyle: 'null',
    repeatsGroups: false,
  };
}

export function emptyWorld(): World {
  return worldOf('empty', [emptyProject('empty-project')], []);
}
