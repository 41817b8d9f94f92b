import type { Day } from '../src/day.ts';

export const PROMPT_TYPES = ['ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON'] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

export const RELATIONS = ['DIRECT_COMPETITOR', 'SELF', 'IGNORED', 'OTHER'] as const;
export type Relation = (typeof RELATIONS)[number];

export const INTENTS = ['BRANDED', 'INFORMATIONAL', 'NAVIGATIONAL', 'COMMERCIAL', 'TRANSACTIONAL'] as const;

/** The days on which something is asked; all that is given must hold. */
export interface Schedule {
  since?: Day;
  until?: Day;
  /** 0 is Sunday. */
  weekdays?: readonly number[];
  dayOfMonth?: number;
}

/** From a day on, a request that filters by this finds nothing, or is refused with 404. */
export interface Removal {
  on: Day;
  answer: 'empty' | 'not_found';
}

export interface WorldMonitor {
  id: string;
  name: string;
  removed?: Removal;
  /** The list of events may know a monitor without its name. */
  nameInEvents: string | null;
  /** Groups of prompts say `monitor: null`. */
  isNullInEvents?: boolean;
}

export interface WorldPrompt {
  id: string;
  text: string;
  type: PromptType;
  isActive: boolean;
  languageCode: string;
  /** Index into the project's monitors. */
  monitor: number;
  volume: number;
  /** `undefined`: the answer does not have the field. */
  intent: string | null | undefined;
  difficulty: number | null | undefined;
  averageVisibility: number | null | undefined;
  /** Milliseconds since the epoch. */
  createdAt: number;
  deletedAt: number | undefined;
  /** False: known to events and perhaps to the look-up, but not in the list. */
  listed: boolean;
  /** Whether the look-up still finds it when it is not in the list. */
  lookup: boolean;
  /** Left out: every day. */
  asked?: Schedule;
}

export interface WorldBrand {
  id: string;
  name: string;
  domain: string | null | undefined;
  relation: Relation | null | undefined;
  /** Log-odds of being named in one answer. */
  strength: number;
}

export interface WorldDomain {
  domain: string;
  /** Mean citations in one answer. */
  rate: number;
  /** Usual position among the citations of an answer, from 1. */
  rank: number;
  /** Cited only in every second calendar month; left out: always. */
  months?: 'odd' | 'even';
}

export interface AnalyticsModel {
  id: string;
  provider: string;
  model: string;
  /** Left out: every day. */
  asked?: Schedule;
  removed?: Removal;
}

export interface CatalogueModel {
  id: string;
  label: string;
  provider: string;
  providerName: string;
  modelName: string;
  apiIdentifier: string;
  description: string;
  searchEnabled: boolean;
  liveSearch: boolean;
  deprecated: boolean;
}

export interface TrafficSource {
  name: string;
  /** Usual number per day. */
  perDay: number;
}

/** One completion of an action, as the list of events shows it. */
export interface WorldCompletion {
  actionId: string;
  title: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** The first and the last day on which the list has it; left out: always. */
  listedSince?: Day;
  listedUntil?: Day;
}

export type MissingDays = 'null' | 'absent';

export interface WorldProject {
  id: string;
  name: string;
  slug: string;
  monitors: WorldMonitor[];
  prompts: WorldPrompt[];
  models: AnalyticsModel[];
  /** The first one is the project's own brand. */
  brands: WorldBrand[];
  /** The first one is the project's own domain. */
  domains: WorldDomain[];
  /** Id of the model that never names the project's own brand. */
  silentModel?: string | undefined;
  /** Competitors that answers mention and the project does not track. */
  untracked?: readonly string[] | undefined;
  crawlers: TrafficSource[];
  referrers: TrafficSource[];
  pages: string[];
  /** CMS connections that a draft can be pushed to. */
  connectionIds: string[];
  actionTitles: readonly [string, ...string[]];
  /** Mean number of completed actions per day. */
  actionsPerDay: number;
  /** Further completions, each where it is given. */
  completions?: readonly WorldCompletion[];
  /** How much a completed action raises visibility; 0 for not at all. */
  actionEffect: number;
  /** Mean number of answers per day for one prompt and model. */
  responsesPerDay: number;
  /** Each prompt and model has exactly that many answers on each day. */
  isExact?: boolean;
  /** Projects of one web site have the same crawlers and visitors; left out: a site of its own. */
  site?: string;
  /** Requests for earlier days are refused. */
  createdOn?: Day;
  /** Log-odds that visibility gains in the long run. */
  growth: number;
  /** Share of days without any data, 0 to 1. */
  gapShare: number;
  /** How a day without data looks; if undefined, the simulator's option decides. */
  gapStyle: MissingDays | 'mixed' | undefined;
  /** Some lists inside an answer are shorter than the answer counts them. */
  cutsLists?: boolean;
  /** Whether events repeat some prompt groups within one page. */
  repeatsGroups: boolean;
}

export interface WorldKey {
  key: string;
  id: string;
  name: string;
  type: 'organization' | 'project';
  /** v1 validation may omit the permission. */
  hidesPermission?: boolean;
  /** Only for a project key. */
  projectId?: string;
}

export interface World {
  name: string;
  organization: { id: string; name: string; slug: string };
  keys: WorldKey[];
  projects: WorldProject[];
  models: CatalogueModel[];
  /** Share of a day's answers that have arrived when the day is 0, 1, 2 … days old; older days are complete. */
  arrival: readonly number[];
}

export interface WorldSettings {
  seed: number;
  firstDay: Day;
}
