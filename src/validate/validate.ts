import type { z } from 'zod';
import { addDays, toDay, type Day, type DayRange } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Item } from '../endpoints/item.ts';
import type { OutputRow, RowContext } from '../endpoints/row.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, sliceGrain, sliceWindow, type AnswerPage, type ArchivedAnswer } from '../slice.ts';
import { dayOfItem, idOfItem, unknownKind } from './doubt.ts';
import { DriftFindings, type Drift } from './drift.ts';
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
  /** Days with an item that could not be read, so that a missing row proves nothing; null: such an item without a readable day. */
  doubtfulDays: ReadonlySet<Day | null>;
  /** Ids of listed things that could not be read: that they are missing proves nothing. */
  doubtfulIds: ReadonlySet<string>;
  /** Newest day of the endpoint's first table, days beyond the slice's window included; null without one. */
  newestDay: string | null;
  /** The list is as long as its limit, so there may be more. */
  isTruncated: boolean;
  isEmpty: boolean;
  /** The project does not use what the endpoint reports. */
  isNotEnabled: boolean;
}

/** Items and rows of one slice; the largest answer that can be asked for (1,000 brands on 90 days) has 90,000. */
const MOST_ROWS = 200_000;
/** Refused items of one slice. */
const MOST_REJECTS = 1_000;

/**
 * Body → rows, rejects and drift. With `only`, reads only the items at these paths. Pure.
 * @throws AnswerlakeError (contract, scope slice) when a body does not fit its schema, holds too much, or has a row that is dated outside the days asked for
 */
export function validateAnswer(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  only: ReadonlySet<string> | null = null,
): ValidatedAnswer {
  const collected: Collected = {
    rows: [],
    rejects: [],
    drift: new DriftFindings(),
    doubtfulDays: new Set(),
    doubtfulIds: new Set(),
    items: 0,
    listed: null,
    isNotEnabled: false,
  };
  const listed = namesListed(endpoint, answer);
  for (const page of answer.pages) readPage({ endpoint, answer, page, only, listed }, collected);
  guardRejects(collected, answer);
  guardWindow(collected.rows, answer);
  const newestDay = newestDayOf(collected.rows, endpoint);
  const inside = collected.rows.filter(({ values }) => isInside(values['date'], sliceWindow(answer.slice)));
  const combined = endpoint.combine(inside);
  return {
    rows: mergeEntities(endpoint, combined),
    rejects: collected.rejects,
    drift: collected.drift.list(),
    doubtfulDays: collected.doubtfulDays,
    doubtfulIds: collected.doubtfulIds,
    newestDay,
    isTruncated: answer.limit !== null && collected.listed !== null && collected.listed >= answer.limit,
    isEmpty: combined.length + collected.doubtfulDays.size + collected.doubtfulIds.size === 0,
    isNotEnabled: collected.isNotEnabled,
  };
}

/** Names on the first page of an answer whose second one was asked for by name: what that one says of them is not their figure. */
function namesListed({ paging }: Endpoint, { pages: [first, second] }: ArchivedAnswer): Listed | null {
  if (paging.kind !== 'named' || first === undefined || second === undefined) return null;
  return { column: paging.column, names: new Set(paging.names(first.body)) };
}

function newestDayOf(rows: readonly OutputRow[], { outputs: [{ table }] }: Endpoint): string | null {
  let newest: string | null = null;
  for (const row of rows) {
    const { date } = row.values;
    if (row.table === table && typeof date === 'string' && (newest === null || date > newest)) newest = date;
  }
  return newest;
}

interface Collected {
  rows: OutputRow[];
  rejects: Reject[];
  drift: DriftFindings;
  doubtfulDays: Set<Day | null>;
  doubtfulIds: Set<string>;
  items: number;
  /** Length of the longest list on a page; null when no list can be cut off. */
  listed: number | null;
  isNotEnabled: boolean;
}

interface Listed {
  column: string;
  names: ReadonlySet<unknown>;
}

interface Page {
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  page: AnswerPage;
  only: ReadonlySet<string> | null;
  listed: Listed | null;
}

function readPage({ endpoint, answer, page, only, listed: before }: Page, collected: Collected): void {
  const { slice } = answer;
  const context: RowContext = {
    slice,
    syncDay: toDay(answer.syncDay),
    fetchedAt: page.fetchedAt,
    status: page.status,
    page: page.page,
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
  const { items, listed, isNotEnabled } = body.data;
  if (listed !== null) collected.listed = Math.max(collected.listed ?? 0, listed);
  collected.isNotEnabled = isNotEnabled;
  const isRepeated = (row: OutputRow): boolean =>
    page.page > 1 && before?.names.has(row.values[before.column]) === true;
  const ofPage = { endpoint, context, isRepeated };
  const prefix = answer.pages.length > 1 ? `page ${page.page}: ` : '';
  for (const item of items) {
    if (only !== null && !only.has(prefix + item.path)) continue;
    collected.items += 1;
    if (collected.items > MOST_ROWS) throw tooLarge(answer);
    // A slice that fails anyway is only counted: a reason costs 70 µs.
    if (collected.rejects.length > MOST_REJECTS) continue;
    const reason = readItem(ofPage, item, collected);
    if (collected.rows.length > MOST_ROWS) throw tooLarge(answer);
    if (reason === null) continue;
    doubt(endpoint, item, collected);
    collected.rejects.push({ path: prefix + item.path, reason, row: JSON.stringify(item.value) ?? 'null' });
  }
  // Only after the items, whose number is bounded.
  collected.drift.compare(endpoint.documented.body, page.body, { path: '' });
}

/** What all items of a page share. */
interface OfPage {
  endpoint: Endpoint;
  context: RowContext;
  isRepeated: (row: OutputRow) => boolean;
}

/** Collects the rows of an item; returns why the item is refused, or null. */
function readItem({ endpoint, context, isRepeated }: OfPage, item: Item, to: Collected): string | null {
  if (item.problem !== undefined) return item.problem;
  const documented = endpoint.documented.item;
  if (documented !== null) to.drift.compare(documented, item.value, item);
  const reading = endpoint.readItem(item.value, context);
  if (reading.success) {
    for (const row of reading.data) if (!isRepeated(row)) to.rows.push(row);
    return null;
  }
  const unknown = unknownKind(item, reading.error);
  if (unknown === null) return explain(reading.error, '');
  to.drift.add(unknown);
  doubt(endpoint, item, to);
  return null;
}

/** An item that cannot be read leaves in doubt what it is about: the thing it names on a list, else its day. */
function doubt({ outputs: [{ vanished }] }: Endpoint, item: Item, collected: Collected): void {
  const id = vanished === 'mark_removed' ? idOfItem(item) : null;
  if (id === null) collected.doubtfulDays.add(dayOfItem(item));
  else collected.doubtfulIds.add(id);
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

function tooLarge(answer: ArchivedAnswer): AnswerlakeError {
  const what =
    `the answer has more than ${String(MOST_ROWS)} entries, so nothing of it was loaded; ` +
    `ask for less at once (limit or max_window_days of sync.endpoints.${answer.slice.endpoint})`;
  return contractError(what, answer);
}

function guardRejects({ items, rejects }: Collected, answer: ArchivedAnswer): void {
  if (rejects.length <= MOST_REJECTS) return;
  const [first] = rejects;
  const what =
    `more than ${String(MOST_REJECTS)} of ${String(items)} entries were refused, so nothing of the answer was loaded; ` +
    `the first: ${first?.path ?? ''}: ${first?.reason ?? ''}`;
  throw contractError(what, answer);
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
