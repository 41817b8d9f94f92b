import { dayNumber, dayOf, type Day } from '../src/day.ts';
import type { DayVersion } from './cells.ts';
import { COMPLETE, createFacts, type Facts } from './facts.ts';
import { known } from './known.ts';
import type { SimulatorOptions } from './options.ts';
import type { World, WorldKey, WorldProject } from './world.ts';
import { buildWorld, DEFAULT_FIRST_DAY, DEFAULT_SEED } from './worlds.ts';

/** A later correction of past days. */
export interface Restatement {
  projectId: string;
  /** Endpoint name; undefined for all of them. */
  endpoint: string | undefined;
  days: ReadonlySet<number>;
  factor: number;
}

const OWN_LIMITS = { events: 90, 'prompt-visibility-time-series': 90, 'responses/mentions-time-series': 90 };

/** Everything that an answer depends on, except the request. */
export interface SimulatorState {
  readonly world: World;
  readonly seed: number;
  readonly firstDay: number;
  readonly options: SimulatorOptions;
  readonly keys: readonly WorldKey[];
  /** Day number of the newest day with data. */
  today: number;
  readonly restatements: Restatement[];
  /** Ids of answers that the service does not show at present. */
  readonly hidden: Set<string>;
  /** CMS item by content id and connection id. */
  readonly drafts: Map<string, string>;
  now(): number;
  facts(project: WorldProject): Facts;
  version(projectId: string, endpoint: string, day: number): DayVersion;
  /** Most days of a window. */
  windowLimit(endpoint: string): number | undefined;
}

/** @throws RangeError when `today` is before `firstDay` */
export function createState(options: SimulatorOptions): SimulatorState {
  const seed = options.seed ?? DEFAULT_SEED;
  const firstDay = options.firstDay ?? DEFAULT_FIRST_DAY;
  const now = options.now ?? Date.now;
  const today: Day = options.today ?? dayOf(now());
  if (today < firstDay)
    throw new RangeError(`today (${today}) is before the first day with data (${firstDay})`);
  const named = options.world ?? 'demo';
  const world = typeof named === 'string' ? buildWorld(named, { seed, firstDay }) : named;
  const factsOf = new Map<string, Facts>();
  const restatements: Restatement[] = [];

  return {
    world,
    seed,
    firstDay: dayNumber(firstDay),
    options,
    keys: [...world.keys, ...(options.keys ?? [])],
    today: dayNumber(today),
    restatements,
    hidden: new Set(),
    drafts: new Map(),
    now,
    facts: (project) => known(factsOf, project.id, () => createFacts(project, seed, dayNumber(firstDay))),
    version(projectId, endpoint, day) {
      const arrived = world.arrival[this.today - day] ?? 1;
      if (restatements.length === 0 && arrived === 1) return COMPLETE;
      const version = { arrived, factor: 1, corrections: 0 };
      for (const one of restatements) {
        if (one.projectId !== projectId || !one.days.has(day)) continue;
        if (one.endpoint !== undefined && one.endpoint !== endpoint) continue;
        version.factor *= one.factor;
        version.corrections += 1;
      }
      return version;
    },
    windowLimit(endpoint) {
      const { maxWindowDays = {} } = options;
      const limits = typeof maxWindowDays === 'number' ? { events: maxWindowDays } : maxWindowDays;
      return { ...OWN_LIMITS, ...limits }[endpoint];
    },
  };
}
