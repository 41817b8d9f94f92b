import { toDay, type Day, type DayRange } from '../../src/day.ts';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import type { Parameter } from '../../src/endpoints/endpoint.ts';
import type { ArchivedAnswer, Slice } from '../../src/slice.ts';

export const PROJECT = 'project-1';
export const RUN_STARTED_AT = Date.parse('2026-03-10T02:00:00Z');
export const FETCHED_AT = Date.parse('2026-03-10T02:03:04.567Z');
export const SYNC_DAY: Day = toDay('2026-03-10');

/** The days `start..end`, both ends counted. */
export function days(start: string, end: string): DayRange {
  return { start: toDay(start), end: toDay(end) };
}

/** Monday to Sunday, all of it before the sync day. */
export const WEEK = days('2026-03-02', '2026-03-08');

/** A slice of an endpoint as the planner would make it: project scope, day grain, last week, unless said otherwise. */
export function sliceOf(endpoint: string, changes: Partial<Slice> = {}): Slice {
  const { cut } = endpointNamed(endpoint);
  const isList = cut.kind === 'list' || cut.kind === 'lookup';
  return {
    endpoint,
    projectId: PROJECT,
    scope: 'project',
    scopeId: PROJECT,
    grain: cut.kind === 'series' ? 'day' : null,
    windowKind: cut.kind === 'window' ? 'last_7_days' : null,
    window: isList ? null : WEEK,
    ...changes,
  };
}

export interface AnswerChanges extends Partial<Omit<ArchivedAnswer, 'slice' | 'pages'>> {
  slice?: Partial<Slice>;
  /** One body a page. */
  bodies?: readonly unknown[];
  status?: number;
}

/** An answer of one page, asked for exactly the days of its slice. */
export function answerOf(endpoint: string, body: unknown, changes: AnswerChanges = {}): ArchivedAnswer {
  const { slice: sliceChanges, bodies = [body], status = 200, ...rest } = changes;
  const slice = sliceOf(endpoint, sliceChanges);
  return {
    runId: 'run-1',
    runStartedAt: RUN_STARTED_AT,
    syncDay: SYNC_DAY,
    account: 'acme',
    slice,
    asked: slice.window,
    limit: endpointNamed(endpoint).limit,
    requests: bodies.length,
    pages: bodies.map((page, index) => ({ page: index + 1, status, fetchedAt: FETCHED_AT, body: page })),
    ...rest,
  };
}

/** The parameters that an endpoint sends for a slice. */
export function parametersOf(
  endpoint: string,
  changes: Partial<Slice> = {},
  timezone = 'UTC',
): readonly Parameter[] {
  const slice = sliceOf(endpoint, changes);
  const declared = endpointNamed(endpoint);
  return declared.params({ slice, asked: slice.window, limit: declared.limit, timezone });
}

/** A JSON body as the parser gives it: keys like `__proto__` are own properties. */
export function json(text: string): unknown {
  return JSON.parse(text);
}
