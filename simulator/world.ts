import type { Day } from '../src/day.ts';

export const PROMPT_TYPES = ['ORGANIC', 'BRAND_SPECIFIC', 'COMPETITOR_COMPARISON'] as const;
export type PromptType = (typeof PROMPT_TYPES)[number];

export const RELATIONS = ['DIRECT_COMPETITOR', 'SELF', 'IGNORED', 'OTHER'] as const;
export type Relation = (typeof RELATIONS)[number];

export const INTENTS = ['BRANDED', 'INFORMATIONAL', 'NAVIGATIONAL', 'COMMERCIAL', 'TRANSACTIONAL'] as const;

export interface WorldMonitor {
  id: string;
  name: string;
  /** The list of events may know a monitor without its name. */
  nameInEvents: string | null;
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
  /** How much a completed action raises visibility; 0 for not at all. */
  actionEffect: number;
  /** Mean number of answers per day for one prompt and model. */
  responsesPerDay: number;
  /** Log-odds that visibility gains in the long run. */
  growth: number;
  /** Share of days without any data, 0 to 1. */
  gapShare: number;
  /** How a day without data looks; if undefined, the simulator's option decides. */
  gapStyle: MissingDays | 'mixed' | undefined;
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
