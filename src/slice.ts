import type { DayRange, Grain } from './day.ts';

/** Which filter a request carried; rows of different scopes never add up. */
export type Scope = 'project' | 'model' | 'monitor' | 'prompt' | 'prompt_type';
export const SCOPES = [
  'project',
  'model',
  'monitor',
  'prompt',
  'prompt_type',
] as const satisfies readonly Scope[];

/** How a window answer (one figure for a whole window) is cut. */
export type WindowKind = 'month' | 'last_7_days' | 'last_28_days' | 'last_90_days' | 'day';
export const WINDOW_KINDS = [
  'month',
  'last_7_days',
  'last_28_days',
  'last_90_days',
  'day',
] as const satisfies readonly WindowKind[];

/** The unit of work, of loading and of resuming: all or nothing. */
export interface Slice {
  endpoint: string;
  /** Null for answers that belong to no project (the model list, an organization key's validation). */
  projectId: string | null;
  scope: Scope;
  /** The filter's value; the project id (or '') for scope `project`. */
  scopeId: string;
  /** Set for series only. */
  grain: Grain | null;
  /** Set for window answers only. */
  windowKind: WindowKind | null;
  /** Days the rows belong to, both ends counted; null for lists without dates. */
  window: DayRange | null;
}

/** One answered page of a slice, as it came. */
export interface AnswerPage {
  /** 1-based. */
  page: number;
  status: number;
  /** Milliseconds since the epoch. */
  fetchedAt: number;
  body: unknown;
}

/** What extract hands to load: the same object in memory, in the raw archive and in a replay. */
export interface ArchivedAnswer {
  runId: string;
  /** Milliseconds since the epoch; every row the run changes carries it. */
  runStartedAt: number;
  syncDay: string;
  account: string;
  slice: Slice;
  /** Days that the request asked for; wider than the slice where an endpoint needs a lead period. */
  asked: DayRange | null;
  /** Largest list that the request allowed; null when it set none. */
  limit: number | null;
  /** Requests that were sent for it, repeats included. */
  requests: number;
  pages: AnswerPage[];
}

/** One line a person can find the slice by. */
export function describeSlice(slice: Slice): string {
  const window = slice.window === null ? '' : ` ${slice.window.start}..${slice.window.end}`;
  const scope = slice.scope === 'project' ? '' : ` ${slice.scope}=${slice.scopeId}`;
  const cut = slice.grain ?? slice.windowKind;
  return `${slice.endpoint}${slice.projectId === null ? '' : ` of project ${slice.projectId}`}${scope}${cut === null ? '' : ` by ${cut}`}${window}`;
}
