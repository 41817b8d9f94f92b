import { readAnswer, type ValidatedAnswer } from '../../src/believe/read-answer.ts';
import { toDay, type Day, type DayRange, type Grain } from '../../src/day.ts';
import { endpointNamed } from './catalogue.ts';
import type { AnswerRows } from '../../src/endpoints/endpoint.ts';
import type { Answered } from '../../src/load/prepare-answer.ts';
import type { Row } from '../../src/endpoints/table.ts';
import { datedSlice, listSlice, seriesSlice, sliceWindow, windowSlice } from '../../src/slice.ts';
import type { ArchivedAnswer, Slice, SliceTarget, WindowKind } from '../../src/slice.ts';

export const PROJECT = 'project-1';
export const RUN_STARTED_AT = Date.parse('2026-03-10T02:00:00Z');
export const FETCHED_AT = Date.parse('2026-03-10T02:03:04.567Z');
export const SYNC_DAY: Day = toDay('2026-03-10');
/** What an answer of the first run says of it. */
export const FIRST = {
  runId: 'run-1',
  startedAt: RUN_STARTED_AT,
  syncDay: SYNC_DAY,
  baseUrl: 'http://127.0.0.1',
  acceptShrink: false,
  acceptScale: false,
  instants: 'utc',
} as const;

/** The days `start..end`, both ends counted. */
export function days(start: string, end: string): DayRange {
  return { start: toDay(start), end: toDay(end) };
}

/** Monday to Sunday, all of it before the sync day. */
export const WEEK = days('2026-03-02', '2026-03-08');

/** What a test may say of a slice; each endpoint takes what its kind of slice has. */
export interface SliceChanges extends Partial<SliceTarget> {
  grain?: Grain;
  windowKind?: WindowKind;
  window?: DayRange;
}

/** A slice of an endpoint as the planner would make it: project scope, day grain, last week, unless said otherwise. */
export function sliceOf(endpoint: string, changes: SliceChanges = {}): Slice {
  const { grain = 'day', windowKind = 'last_7_days', window = WEEK, ...own } = changes;
  const target: SliceTarget = { endpoint, projectId: PROJECT, scope: 'project', scopeId: PROJECT, ...own };
  const { cut } = endpointNamed(endpoint);
  switch (cut.kind) {
    case 'list':
    case 'lookup':
      return listSlice(target);
    case 'series':
      return seriesSlice(target, grain, window);
    case 'dated':
      return datedSlice(target, window);
    case 'window':
      return windowSlice(target, windowKind, window);
    default:
      return cut satisfies never;
  }
}

export interface AnswerChanges extends Partial<Omit<ArchivedAnswer, 'slice' | 'pages'>> {
  slice?: SliceChanges;
  /** One body a page. */
  bodies?: readonly unknown[];
  status?: number;
}

/** An answer of one page, asked for exactly the days of its slice. */
export function answerOf(endpoint: string, body: unknown, changes: AnswerChanges = {}): ArchivedAnswer {
  const { slice: sliceChanges, bodies = [body], status = 200, ...rest } = changes;
  const slice = sliceOf(endpoint, sliceChanges);
  return {
    ...FIRST,
    account: 'acme',
    slice,
    asked: sliceWindow(slice),
    limit: endpointNamed(endpoint).limit,
    askedWith: 'today',
    requests: bodies.length,
    pages: bodies.map((page, index) => ({ page: index + 1, status, fetchedAt: FETCHED_AT, body: page })),
    ...rest,
  };
}

/** An answer as the loader takes it. */
export function answered(answer: ArchivedAnswer): Answered {
  return { kind: 'answered', endpoint: endpointNamed(answer.slice.endpoint), answer };
}

/** What is read of an answer of one page. */
export function readBody(endpoint: string, body: unknown, changes: AnswerChanges = {}): ValidatedAnswer {
  return readAnswer(endpointNamed(endpoint), answerOf(endpoint, body, changes));
}

/** The parameters that an endpoint sends for a slice. */
export function parametersOf(endpoint: string, changes: SliceChanges = {}, timezone = 'UTC') {
  const slice = sliceOf(endpoint, changes);
  const declared = endpointNamed(endpoint);
  return declared.params({ slice, asked: sliceWindow(slice), limit: declared.limit, timezone });
}

/** A JSON body as the parser gives it: keys like `__proto__` are own properties. */
export function json(text: string): unknown {
  return JSON.parse(text);
}

/** The rows of an answer, table after table. */
export function listed(rows: AnswerRows): { table: string; values: Row }[] {
  return rows.flatMap((one) => one.all().map((values) => ({ table: one.table, values })));
}
