import type { z } from 'zod';
import { addDays, toDay, type DayRange } from '../day.ts';
import type { Endpoint, Item } from '../endpoints/endpoint.ts';
import type { OutputRow, RowContext } from '../endpoints/row.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, sliceGrain, sliceWindow, type AnswerPage, type ArchivedAnswer } from '../slice.ts';
import { findDrift, type Drift } from './drift.ts';
import { mergeEntities } from './entities.ts';

/** A refused item; the items beside it load. */
export interface Reject {
  path: string;
  reason: string;
  /** The refused item as JSON. */
  row: string;
}

export interface ValidatedAnswer {
  /** Rows inside the slice's window, without the shared columns. */
  rows: readonly OutputRow[];
  rejects: readonly Reject[];
  drift: readonly Drift[];
  /** The list is as long as its limit, so there may be more. */
  isTruncated: boolean;
  isEmpty: boolean;
  /** The project does not use what the endpoint reports. */
  isNotEnabled: boolean;
}

/**
 * Body → rows, rejects and drift. With `only`, reads only the items at these paths. Pure.
 * @throws AnswerlakeError (contract, scope slice) when a body does not fit its schema, or a row is dated outside the days asked for
 */
export function validateAnswer(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  only: ReadonlySet<string> | null = null,
): ValidatedAnswer {
  const collected: Collected = { rows: [], rejects: [], drift: [], listed: null, isNotEnabled: false };
  for (const page of answer.pages) readPage({ endpoint, answer, page, only }, collected);
  guardWindow(collected.rows, answer);
  const inside = collected.rows.filter(({ values }) => isInside(values['date'], sliceWindow(answer.slice)));
  const combined = endpoint.combine(inside);
  return {
    rows: mergeEntities(endpoint, combined),
    rejects: collected.rejects,
    drift: collected.drift,
    isTruncated: answer.limit !== null && collected.listed !== null && collected.listed >= answer.limit,
    isEmpty: combined.length + collected.rejects.length === 0,
    isNotEnabled: collected.isNotEnabled,
  };
}

interface Collected {
  rows: OutputRow[];
  rejects: Reject[];
  drift: Drift[];
  /** Length of the longest list on a page; null when no list can be cut off. */
  listed: number | null;
  isNotEnabled: boolean;
}

interface Page {
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  page: AnswerPage;
  only: ReadonlySet<string> | null;
}

function readPage({ endpoint, answer, page, only }: Page, collected: Collected): void {
  const { slice } = answer;
  const context: RowContext = {
    slice,
    syncDay: toDay(answer.syncDay),
    fetchedAt: page.fetchedAt,
    status: page.status,
  };
  if (endpoint.answeredStatuses.includes(page.status)) {
    collected.rows.push(...endpoint.goneRows(context));
    return;
  }
  const body = endpoint.readBody(page.body);
  if (!body.success) {
    const what = explain(body.error, '');
    throw contractError(`the answer does not have the documented shape: ${what}`, answer);
  }
  collected.drift.push(...findDrift(endpoint.documented.body, page.body, ''));
  const { items, listed, isNotEnabled } = body.data;
  if (listed !== null) collected.listed = Math.max(collected.listed ?? 0, listed);
  collected.isNotEnabled = isNotEnabled;
  const prefix = answer.pages.length > 1 ? `page ${page.page}: ` : '';
  for (const item of items) {
    if (only !== null && !only.has(prefix + item.path)) continue;
    const reject = readItem({ endpoint, item, context }, collected);
    if (reject !== null) collected.rejects.push({ ...reject, path: prefix + reject.path });
  }
}

function readItem(
  { endpoint, item, context }: { endpoint: Endpoint; item: Item; context: RowContext },
  collected: Collected,
): Reject | null {
  const row = JSON.stringify(item.value) ?? 'null';
  if (item.problem !== undefined) return { path: item.path, reason: item.problem, row };
  const documented = endpoint.documented.item;
  if (documented !== null) collected.drift.push(...findDrift(documented, item.value, item.path));
  const reading = endpoint.readItem(item.value, context);
  if (!reading.success) return { path: item.path, reason: explain(reading.error, ''), row };
  collected.rows.push(...reading.data);
  return null;
}

/** `a.b: expected number, received string; c: …` */
function explain(error: z.ZodError, prefix: string): string {
  return error.issues
    .map((issue) => {
      const path = [prefix, ...issue.path.map(String)].filter((part) => part !== '').join('.');
      return path === '' ? issue.message : `${path}: ${issue.message}`;
    })
    .join('; ');
}

// A weekly or monthly bucket carries the start of its period; six days allow weeks that do not start on Monday.
const PERIOD_START_SLACK_DAYS = 6;

/** Rows outside the days asked for mean that the server did not understand the date parameters. */
function guardWindow(rows: readonly OutputRow[], answer: ArchivedAnswer): void {
  const { asked, slice } = answer;
  if (asked === null) return;
  const grain = sliceGrain(slice);
  const slack = grain === 'week' || grain === 'month' ? PERIOD_START_SLACK_DAYS : 0;
  const allowed = { start: addDays(asked.start, -slack), end: asked.end };
  const outside = rows.find(({ values }) => !isInside(values['date'], allowed));
  if (outside === undefined) return;
  throw contractError(
    `window ignored: asked for ${asked.start}..${asked.end}, got a row of ${String(outside.values['date'])}; ` +
      `check the names of the date parameters (sync.endpoints.${slice.endpoint}.parameters)`,
    answer,
  );
}

function isInside(date: unknown, range: DayRange | null): boolean {
  return range === null || typeof date !== 'string' || (date >= range.start && date <= range.end);
}

function contractError(what: string, answer: ArchivedAnswer): AnswerlakeError {
  return new AnswerlakeError(`${describeSlice(answer.slice)}: ${what}`, {
    class: 'contract',
    scope: 'slice',
  });
}
