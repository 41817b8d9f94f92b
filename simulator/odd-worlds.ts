import { addDays, periodEnd, toDay, type Day } from '../src/day.ts';
import { DEMO_PLANS } from './demo-plans.ts';
import { CATALOGUE } from './model-catalogue.ts';
import type { SimulatorOptions } from './options.ts';
import { makeProject } from './project-maker.ts';
import { uuidOf } from './random.ts';
import type { Removal, Schedule, World, WorldCompletion, WorldProject, WorldPrompt } from './world.ts';

/** The days of all odd worlds. */
export const ODD_DAYS = {
  /** First day with data. */
  first: toDay('2026-06-24'),
  /** First day that is asked: July and August have as many days. */
  start: toDay('2026-07-01'),
  /** The first sync. */
  sync: toDay('2026-09-03'),
} as const;

/** A whole number in [0, count), chosen by the caller. */
export type Below = (count: number) => number;

/** A world that is legitimate, however odd. */
export interface OddWorld {
  world: World;
  options?: Partial<SimulatorOptions>;
  /** The server refuses or forgets a part of the world. */
  isRestricted?: boolean;
}

type Two = [WorldProject, WorldProject];

const MODELS = ['openai_gpt-5', 'perplexity_sonar'];
const DAY_MS = 86_400_000;

const instantOn = (day: Day, hour = 9): number => Date.parse(`${day}T00:00:00Z`) + (hour / 24) * DAY_MS;

/** Two small projects with two monitors and two models each, changed by `change`. */
export function pairWorld(change: (two: Two) => readonly WorldProject[] = (two) => two): World {
  return {
    name: 'pair',
    organization: { id: uuidOf('pair'), name: 'A pair', slug: 'pair' },
    keys: [{ key: 'pair-organization-key', id: uuidOf('pair/key'), name: 'Pair', type: 'organization' }],
    projects: [...change([smallProject('north'), smallProject('south')])],
    models: CATALOGUE.map((model) => (MODELS.includes(model.id) ? model : { ...model, deprecated: true })),
    arrival: [0.6],
  };
}

function smallProject(slug: string, firstDay: Day = ODD_DAYS.first): WorldProject {
  const [, , plan] = DEMO_PLANS;
  const made = makeProject(
    {
      ...plan,
      name: slug,
      slug,
      monitors: ['Furniture', 'Desks'],
      models: MODELS,
      rivals: plan.rivals.slice(0, 3),
      media: plan.media.slice(0, 3),
      firstPrompts: 4,
      laterPrompts: 3,
      actionsPerDay: 0.5,
    },
    { seed: 1, firstDay },
  );
  const prompts = made.prompts.map((prompt) => ({ ...prompt, isActive: true, deletedAt: undefined }));
  return { ...made, prompts };
}

const mapPrompts = (project: WorldProject, map: (prompt: WorldPrompt) => WorldPrompt): WorldProject => ({
  ...project,
  prompts: project.prompts.map(map),
});

/** When the prompts of each monitor are asked. */
function monitorsAsked(project: WorldProject, schedules: readonly Schedule[]): WorldProject {
  return mapPrompts(project, (prompt) => ({ ...prompt, asked: schedules[prompt.monitor] ?? {} }));
}

/** The first of two until a day, the second from the next. */
function inTurn(below: Below): readonly [Schedule, Schedule] {
  const last = addDays(ODD_DAYS.start, 15 + below(48));
  return [{ until: last }, { since: addDays(last, 1) }];
}

/** Changes the first project alone. */
const northChanged = (change: (north: WorldProject) => WorldProject): World =>
  pairWorld(([north, south]) => [change(north), south]);

const bothChanged = (change: (project: WorldProject) => WorldProject): World =>
  pairWorld((two) => two.map(change));

/** Changes the first project, the second one, or both. */
function some(below: Below, change: (project: WorldProject) => WorldProject): World {
  const chosen = below(3);
  return pairWorld((two) => two.map((project, index) => (chosen === 1 - index ? project : change(project))));
}

/** One prompt and one model, one answer each day, which always names the brand. */
function onePrompt(project: WorldProject): WorldProject {
  return {
    ...project,
    prompts: project.prompts.slice(0, 1),
    models: project.models.slice(0, 1),
    brands: project.brands.map((brand, index) => (index === 0 ? { ...brand, strength: 30 } : brand)),
    responsesPerDay: 1,
    isExact: true,
  };
}

export const oneMonitorAfterAnother = (below: Below): OddWorld => ({
  world: some(below, (project) => monitorsAsked(project, inTurn(below))),
});

export const weekdaysAndWeekends = (below: Below): OddWorld => ({
  world: some(below, (project) =>
    monitorsAsked(project, [{ weekdays: [1, 2, 3, 4, 5] }, { weekdays: [0, 6] }]),
  ),
});

export const oneModelAfterAnother = (below: Below): OddWorld => ({
  world: some(below, (project) => {
    const schedules = inTurn(below);
    const models = project.models.map((model, index) => ({ ...model, asked: schedules[index] ?? {} }));
    return { ...project, models };
  }),
});

/** Crawlers and visitors of both are equal. */
export const oneWebSite = (): OddWorld => ({
  world: pairWorld(([north, south]) => {
    const { crawlers, referrers, pages } = north;
    return [
      { ...north, site: 'site' },
      { ...south, site: 'site', crawlers, referrers, pages },
    ];
  }),
});

/** Its July equals its August. */
export const equalMonths = (): OddWorld => ({ world: northChanged(onePrompt) });

/** Equal answers every day, equal totals in every month. */
export const equalClients = (): OddWorld => ({ world: bothChanged(onePrompt) });

/** Rows seven days apart. */
export const askedWeekly = (below: Below): OddWorld => {
  const weekdays = [below(7)];
  return { world: some(below, (project) => monitorsAsked(project, [{ weekdays }, { weekdays }])) };
};

export const askedMonthly = (below: Below): OddWorld => {
  const dayOfMonth = 1 + below(28);
  return { world: some(below, (project) => monitorsAsked(project, [{ dayOfMonth }, { dayOfMonth }])) };
};

/** The night on which something changes. */
const CHANGED_ON = addDays(ODD_DAYS.sync, 2);
const CHANGED_AT = instantOn(CHANGED_ON, 1);

const firstChanged = <T>(list: readonly T[], change: Partial<T>): T[] =>
  list.map((one, index) => (index === 0 ? { ...one, ...change } : one));

/** On that night the prompts of the first monitor are deleted. */
const withoutPrompts = (project: WorldProject): WorldProject =>
  mapPrompts(project, (prompt) => (prompt.monitor === 0 ? { ...prompt, deletedAt: CHANGED_AT } : prompt));

/** From a night on, the monitor has no prompts, and its filter finds nothing or is refused. */
export const deletedMonitor = (answer: Removal['answer']) => (): OddWorld => ({
  isRestricted: true,
  world: northChanged((north) => ({
    ...withoutPrompts(north),
    monitors: firstChanged(north.monitors, { removed: { on: CHANGED_ON, answer } }),
  })),
});

export const retiredModel = (answer: Removal['answer']) => (): OddWorld => {
  const removed = { asked: { until: addDays(CHANGED_ON, -1) }, removed: { on: CHANGED_ON, answer } };
  const retired = (project: WorldProject) => ({
    ...project,
    models: firstChanged(project.models, removed),
  });
  return { isRestricted: true, world: bothChanged(retired) };
};

/** A server that keeps some days only. */
export const retention = (keepDays: number, tooOld: 'absent' | 'refused') => (): OddWorld => ({
  isRestricted: true,
  world: pairWorld(),
  options: { keepDays, tooOld },
});

/** A server whose day ends later than ours, so that it refuses the sync day. */
export const behindByADay = (): OddWorld => ({
  world: pairWorld(),
  options: { behindDays: 1 },
  isRestricted: true,
});

/** Figures that come some days late. */
export const lateFigures = (below: Below): OddWorld => ({
  world: pairWorld(),
  options: { lateDays: 1 + below(4) },
  isRestricted: true,
});

/** Days before a project was created are refused; the other project is older. */
export const youngAndOld = (below: Below): OddWorld => {
  const createdOn = addDays(ODD_DAYS.start, 10 + below(45));
  const young = { ...smallProject('south', createdOn), createdOn };
  const isFirst = below(2) === 0;
  const world = pairWorld(([north]) => (isFirst ? [young, north] : [north, young]));
  return { world, isRestricted: true };
};

/** A monitor whose data begin on a night. */
export const newMonitor = (): OddWorld => {
  const young = { createdAt: CHANGED_AT, asked: { since: CHANGED_ON } };
  const change = (prompt: WorldPrompt) => (prompt.monitor === 1 ? { ...prompt, ...young } : prompt);
  return { world: northChanged((north) => mapPrompts(north, change)) };
};

const withCompletions = (completions: readonly WorldCompletion[]): OddWorld => ({
  world: northChanged((north) => ({ ...north, completions })),
});

/** Completed, reopened and completed again: the list has it on both days. */
export const completedTwice = (below: Below): OddWorld => {
  const action = { actionId: uuidOf('completed twice'), title: 'Compare the desks' };
  const days =
    below(2) === 0 ? [toDay('2026-07-09'), toDay('2026-07-21')] : [ODD_DAYS.start, toDay('2026-09-01')];
  return withCompletions(days.map((day) => ({ ...action, occurredAt: instantOn(day) })));
};

/** Its completion moves to an earlier day, beyond the look-back. */
export const datedBack = (): OddWorld => {
  const action = { actionId: uuidOf('dated back'), title: 'Compare the sofas' };
  return withCompletions([
    { ...action, occurredAt: instantOn(toDay('2026-09-02')), listedUntil: addDays(CHANGED_ON, -1) },
    { ...action, occurredAt: instantOn(toDay('2026-07-11')), listedSince: CHANGED_ON },
  ]);
};

/** A monitor moves to the other project; past events of the first name it. */
export const movedMonitor = (): OddWorld => ({
  world: pairWorld(([north, south]) => {
    const monitor = south.monitors.length;
    const moved = north.prompts
      .filter((prompt) => prompt.monitor === 0)
      .map((prompt) => ({ ...prompt, id: uuidOf(`moved/${prompt.id}`), monitor, createdAt: CHANGED_AT }));
    const monitors = [...south.monitors, ...north.monitors.slice(0, 1)];
    return [withoutPrompts(north), { ...south, monitors, prompts: [...south.prompts, ...moved] }];
  }),
});

/** Groups of deleted prompts whose monitor is unknown. */
export const groupsWithoutMonitor = (): OddWorld => ({
  world: bothChanged((project) => {
    const deletedAt = instantOn(toDay('2026-08-20'));
    const nameless = { id: uuidOf(`nameless/${project.id}`), name: '', nameInEvents: null };
    const monitor = project.monitors.length;
    const deleted = project.prompts
      .slice(0, 3)
      .map((prompt) => ({ ...prompt, id: uuidOf(`nameless/${prompt.id}`), monitor, deletedAt }));
    return {
      ...project,
      monitors: [...project.monitors, { ...nameless, isNullInEvents: true }],
      prompts: [...project.prompts, ...deleted],
    };
  }),
});

/** Every fourth day has no data. */
export const daysWithoutData = (below: Below): OddWorld => ({
  world: some(below, (project) => ({ ...project, gapShare: 0.25 })),
  options: { missingDays: below(2) === 0 ? 'null' : 'absent' },
});

/** A project whose prompts are no longer asked. */
export const abandonedProject = (below: Below): OddWorld => {
  const until = periodEnd(below(2) === 0 ? toDay('2026-07-01') : toDay('2026-08-01'), 'month');
  return { world: northChanged((north) => monitorsAsked(north, [{ until }, { until }])) };
};

/** The same world without what hides a part of it. */
export function unrestricted(world: World): World {
  const bare = <T extends { removed?: Removal }>({ removed: _removed, ...rest }: T): Omit<T, 'removed'> =>
    rest;
  return {
    ...world,
    projects: world.projects.map(({ createdOn: _createdOn, ...project }) => ({
      ...project,
      monitors: project.monitors.map(bare),
      models: project.models.map(bare),
    })),
  };
}
