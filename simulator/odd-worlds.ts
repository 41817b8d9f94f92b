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
export const equalMonths = (): OddWorld => ({
  world: pairWorld(([north, south]) => [onePrompt(north), south]),
});

/** Equal answers every day, equal totals in every month. */
export const equalClients = (): OddWorld => ({
  world: pairWorld((two) => two.map(onePrompt)),
});

/** Rows seven days apart. */
export const askedWeekly = (below: Below): OddWorld => {
  const weekdays = [below(7)];
  return { world: some(below, (project) => monitorsAsked(project, [{ weekdays }, { weekdays }])) };
};

export const askedMonthly = (below: Below): OddWorld => {
  const dayOfMonth = 1 + below(28);
  return { world: some(below, (project) => monitorsAsked(project, [{ dayOfMonth }, { dayOfMonth }])) };
};

/** From a night on, the monitor has no prompts, and its filter finds nothing or is refused. */
export const deletedMonitor = (answer: Removal['answer']) => (): OddWorld => {
  const on = addDays(ODD_DAYS.sync, 2);
  const deletedAt = instantOn(on, 1);
  return {
    isRestricted: true,
    world: pairWorld(([north, south]) => [
      {
        ...mapPrompts(north, (prompt) => (prompt.monitor === 0 ? { ...prompt, deletedAt } : prompt)),
        monitors: north.monitors.map((one, index) =>
          index === 0 ? { ...one, removed: { on, answer } } : one,
        ),
      },
      south,
    ]),
  };
};

export const retiredModel = (answer: Removal['answer']) => (): OddWorld => {
  const on = addDays(ODD_DAYS.sync, 2);
  return {
    isRestricted: true,
    world: pairWorld((two) =>
      two.map((project) => ({
        ...project,
        models: project.models.map((one, index) =>
          index === 0 ? { ...one, asked: { until: addDays(on, -1) }, removed: { on, answer } } : one,
        ),
      })),
    ),
  };
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
  const on = addDays(ODD_DAYS.sync, 2);
  const schedule = { since: on };
  const createdAt = instantOn(on, 1);
  return {
    world: pairWorld(([north, south]) => [
      mapPrompts(north, (prompt) =>
        prompt.monitor === 1 ? { ...prompt, createdAt, asked: schedule } : prompt,
      ),
      south,
    ]),
  };
};

function withCompletions(completions: readonly WorldCompletion[]): OddWorld {
  return { world: pairWorld(([north, south]) => [{ ...north, completions }, south]) };
}

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
  const moved = addDays(ODD_DAYS.sync, 2);
  return withCompletions([
    { ...action, occurredAt: instantOn(toDay('2026-09-02')), listedUntil: addDays(moved, -1) },
    { ...action, occurredAt: instantOn(toDay('2026-07-11')), listedSince: moved },
  ]);
};

/** A monitor moves to the other project; past events of the first name it. */
export const movedMonitor = (): OddWorld => {
  const on = addDays(ODD_DAYS.sync, 2);
  const at = instantOn(on, 1);
  return {
    world: pairWorld(([north, south]) => {
      const [moved] = north.monitors;
      if (moved === undefined) return [north, south];
      const its = north.prompts.filter(({ monitor }) => monitor === 0);
      return [
        mapPrompts(north, (prompt) => (prompt.monitor === 0 ? { ...prompt, deletedAt: at } : prompt)),
        {
          ...south,
          monitors: [...south.monitors, moved],
          prompts: [
            ...south.prompts,
            ...its.map((prompt) => ({
              ...prompt,
              id: uuidOf(`moved/${prompt.id}`),
              monitor: south.monitors.length,
              createdAt: at,
            })),
          ],
        },
      ];
    }),
  };
};

/** Groups of deleted prompts whose monitor is unknown. */
export const groupsWithoutMonitor = (): OddWorld => {
  const removedOn = toDay('2026-08-20');
  return {
    world: pairWorld((two) =>
      two.map((project) => ({
        ...project,
        monitors: [...project.monitors, { ...nameless(project), isNullInEvents: true }],
        prompts: [
          ...project.prompts,
          ...project.prompts.slice(0, 3).map((prompt) => ({
            ...prompt,
            id: uuidOf(`nameless/${prompt.id}`),
            monitor: project.monitors.length,
            deletedAt: instantOn(removedOn),
          })),
        ],
      })),
    ),
  };
};

function nameless(project: WorldProject): WorldProject['monitors'][number] {
  return { id: uuidOf(`nameless/${project.id}`), name: '', nameInEvents: null };
}

/** Every fourth day has no data. */
export const daysWithoutData = (below: Below): OddWorld => ({
  world: some(below, (project) => ({ ...project, gapShare: 0.25 })),
  options: { missingDays: below(2) === 0 ? 'null' : 'absent' },
});

/** A project whose prompts are no longer asked. */
export const abandonedProject = (below: Below): OddWorld => {
  const until = periodEnd(below(2) === 0 ? toDay('2026-07-01') : toDay('2026-08-01'), 'month');
  return {
    world: pairWorld(([north, south]) => [monitorsAsked(north, [{ until }, { until }]), south]),
  };
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
