import { type Day, type DayRange, type Grain, GRAINS, daySchema } from './day.ts';
import { z } from 'zod';

/** The filter of a request; rows of different scopes never add up. */
export const SCOPES = ['project', 'model', 'monitor', 'prompt', 'prompt_type', 'page', 'parent'] as const;
export type Scope = (typeof SCOPES)[number];

/** The kind of window whose figure covers it as a whole. */
export const WINDOW_KINDS = ['month', 'last_7_days', 'last_28_days', 'last_90_days', 'day'] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

/** The subject of a slice. */
export interface SliceTarget {
  endpoint: string;
  /** Null for answers without a project (the model list, an organization key's validation). */
  projectId: string | null;
  scope: Scope;
  /** The filter's value; the project id (or '') for scope `project`. */
  scopeId: string;
}

/**
 * The unit of work, loading and resuming, all or nothing: a list or one look-up by id; points of a series, one a period; dated
 * things, any number a day; or one figure for a whole window, whose end moves every night until the window is over. `window`: the
 * days of its rows, both ends counted.
 */
export type Slice = SliceTarget &
  (
    | { kind: 'list' }
    | { kind: 'series'; grain: Grain; window: DayRange }
    | { kind: 'dated'; window: DayRange }
    | { kind: 'window'; windowKind: WindowKind; window: DayRange }
  );

export function listSlice(target: SliceTarget): Slice {
  return { kind: 'list', ...targetOf(target) };
}

export function seriesSlice(target: SliceTarget, grain: Grain, window: DayRange): Slice {
  return { kind: 'series', ...targetOf(target), grain, window };
}

export function datedSlice(target: SliceTarget, window: DayRange): Slice {
  return { kind: 'dated', ...targetOf(target), window };
}

export function windowSlice(target: SliceTarget, windowKind: WindowKind, window: DayRange): Slice {
  return { kind: 'window', ...targetOf(target), windowKind, window };
}

function targetOf({ endpoint, projectId, scope, scopeId }: SliceTarget): SliceTarget {
  return { endpoint, projectId, scope, scopeId };
}

/** Days the rows belong to; null for lists. */
export function sliceWindow(slice: Slice): DayRange | null {
  return slice.kind === 'list' ? null : slice.window;
}

/** The grain of a series; null for any other slice. */
export function sliceGrain(slice: Slice): Grain | null {
  return slice.kind === 'series' ? slice.grain : null;
}

/** A slice without its days; the grain is null for lists and dated things. */
export interface SeriesKey extends SliceTarget {
  grain: Grain | null;
}

/** The key of a series. */
export function seriesKey({ endpoint, projectId, scope, scopeId, grain }: SeriesKey): string {
  return JSON.stringify([endpoint, projectId ?? '', scope, scopeId, grain]);
}

/** The key of a window answer, without its end, which moves until the window is over. */
export function windowKey(target: SliceTarget, windowKind: WindowKind, start: Day): string {
  return `${seriesKey({ ...target, grain: null })} ${windowKind} ${start}`;
}

/** The key of a slice; slices of one series differ only in their days. */
export function sliceKey(slice: Slice): string {
  return slice.kind === 'window'
    ? windowKey(slice, slice.windowKind, slice.window.start)
    : seriesKey({ ...slice, grain: sliceGrain(slice) });
}

/** A slice as stored in the ledger, the archive, the queue and the staging tables. */
export const sliceRow = z.object({
  endpoint: z.string(),
  project_id: z.string().nullable(),
  scope: z.enum(SCOPES),
  scope_id: z.string(),
  grain: z.enum(GRAINS).nullable(),
  window_kind: z.enum(WINDOW_KINDS).nullable(),
  window_start: daySchema.nullable(),
  window_end: daySchema.nullable(),
});
export type FlatSlice = z.output<typeof sliceRow>;

export type SliceColumn = keyof FlatSlice;

/** A flat slice without its days. */
export const seriesRow = sliceRow.omit({ window_start: true, window_end: true });
export const SERIES_COLUMNS = seriesRow.keyof().options;

/** The columns of a flat slice. */
export const SLICE_COLUMNS = sliceRow.keyof().options;

export function flatSlice(slice: Slice): FlatSlice {
  const window = sliceWindow(slice);
  return {
    endpoint: slice.endpoint,
    project_id: slice.projectId,
    scope: slice.scope,
    scope_id: slice.scopeId,
    grain: sliceGrain(slice),
    window_kind: slice.kind === 'window' ? slice.windowKind : null,
    window_start: window?.start ?? null,
    window_end: window?.end ?? null,
  };
}

/** The values of a slice in the order of `SLICE_COLUMNS`. */
export function sliceValues(slice: Slice): FlatSlice[SliceColumn][] {
  const flat = flatSlice(slice);
  return SLICE_COLUMNS.map((column) => flat[column]);
}

/** The inverse of `flatSlice`; null if the columns form no slice. */
export function sliceOfColumns(flat: FlatSlice): Slice | null {
  const { endpoint, project_id: projectId, scope, scope_id: scopeId, grain, window_kind: windowKind } = flat;
  const { window_start: start, window_end: end } = flat;
  const target = { endpoint, projectId, scope, scopeId };
  if (start === null || end === null) return grain === null && windowKind === null ? listSlice(target) : null;
  const window = { start, end };
  if (windowKind !== null) return windowSlice(target, windowKind, window);
  return grain === null ? datedSlice(target, window) : seriesSlice(target, grain, window);
}

/** One answered page of a slice. */
export interface AnswerPage {
  /** 1-based. */
  page: number;
  status: number;
  /** Milliseconds since the epoch. */
  fetchedAt: number;
  body: unknown;
  /** Size of the decoded body; left out if not measured. */
  bytes?: number;
}

/** How to read a date-time that is not midnight: as its UTC day, or as the day after, which in a zone east of UTC begins at that instant. */
export const INSTANTS = ['utc', 'next_day'] as const;
export type Instants = (typeof INSTANTS)[number];

/** The facts of a run that each of its answers carries. */
export const answeredRun = z.object({
  runId: z.string(),
  /** Milliseconds since the epoch; the `_changed_at` of every row that the run changes, so that a replay writes the same value. */
  startedAt: z.number(),
  syncDay: daySchema,
  baseUrl: z.string(),
  /** The run accepts answers that lost most of their rows. */
  acceptShrink: z.boolean(),
  /** The run requests everything again and accepts figures of another scale. */
  acceptScale: z.boolean().default(false),
  /** How it reads date-times that are not midnight. */
  instants: z.enum(INSTANTS).default('utc'),
});
export type AnsweredRun = z.output<typeof answeredRun>;

/** The request parameter that the server was shown to ignore. */
export const IGNORED = ['filter', 'window', 'project', 'steps', 'zone'] as const;
export type Ignored = (typeof IGNORED)[number];

/** Passed from extract to load: the same object in memory, in the raw archive and in a replay. */
export interface ArchivedAnswer extends AnsweredRun {
  account: string;
  slice: Slice;
  /** Requested days; more than the slice's if an endpoint needs a lead period. */
  asked: DayRange | null;
  /** Largest list that the request allowed; null if it set no limit. */
  limit: number | null;
  /** Zone in which the days are cut; left out if the request carries none. */
  timezone?: string | undefined;
  /** Digest of the request's settings; left out if none are part of the request. */
  askedWith?: string | undefined;
  /** The endpoint's declaration as JSON text; left out for a built-in one. */
  declared?: string | undefined;
  /** Number of requests, repeats included. */
  requests: number;
  pages: AnswerPage[];
  /** Why the pages do not prove that they are the whole list; left out if they do. */
  incomplete?: string | undefined;
  /** They do not because the server failed. */
  isOutage?: boolean | undefined;
  /** The list looks cut off below its limit; not archived. */
  isSuspected?: boolean | undefined;
  /** The parameter that a second request showed to be ignored, so that nothing of the answer is stored; left out: nothing was shown. */
  verdict?: Ignored | undefined;
}

/** Identifies the slice for people, on one line. */
export function describeSlice(slice: Slice): string {
  const days = sliceWindow(slice);
  const window = days === null ? '' : ` ${days.start}..${days.end}`;
  const scope = slice.scope === 'project' ? '' : ` ${slice.scope}=${slice.scopeId}`;
  const cut = slice.kind === 'window' ? slice.windowKind : sliceGrain(slice);
  return `${slice.endpoint}${slice.projectId === null ? '' : ` of project ${slice.projectId}`}${scope}${cut === null ? '' : ` by ${cut}`}${window}`;
}
