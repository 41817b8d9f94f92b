import type { z } from 'zod';
import { parseDay, type Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isObject, own } from '../endpoints/field.ts';
import type { Item } from '../endpoints/item.ts';
import {
  isOnePerPeriod,
  type OutputRow,
  type RowContext,
  type Row,
  type Output,
} from '../endpoints/table.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, sliceGrain, type AnswerPage, type ArchivedAnswer, type Slice } from '../slice.ts';
import { DriftFindings, type Drift } from './drift.ts';
import { daysOf, fitQuestion } from './fit.ts';
import { lastOf } from './terms.ts';

/** A refused item; the other items load. */
export interface Reject {
  path: string;
  reason: string;
  /** The refused item as JSON. */
  row: string;
}

/** An answer as it was read: its rows, and the items that could not be read. */
export interface ValidatedAnswer {
  /** Rows inside the slice's window, without the shared columns. */
  rows: readonly OutputRow[];
  rejects: readonly Reject[];
  drift: readonly Drift[];
  /** Days with an item that could not be read, so that a missing row proves nothing; null: such an item without a readable day. */
  doubtfulDays: ReadonlySet<Day | null>;
  /** Ids of listed things that could not be read: that they are missing proves nothing. */
  doubtfulIds: ReadonlySet<string>;
  /** Days with an item of a kind that the API did not document: the day counts, and the rows that it had stay. */
  unknownDays: ReadonlySet<Day>;
  /** No row could be read, or of a list too few. */
  isUnread: boolean;
  /** Days with a row of the endpoint's first table; the first day of a window that has one. */
  takenDays: ReadonlySet<Day>;
  /** The list is as long as its limit, so there may be more. */
  isTruncated: boolean;
  isEmpty: boolean;
  /** The project does not use what the endpoint reports. */
  isNotEnabled: boolean;
}

const OK = 200;

/** Items and rows of one slice; the largest answer that can be asked for (1,000 brands on 90 days) has 90,000. */
const MAX_ROWS = 200_000;
/** Refused items of one slice. */
const MAX_REJECTS = 1_000;

/**
 * Body → rows, rejects and drift. Pure.
 * @throws AnswerlakeError (contract, scope slice) when a body does not fit its schema, holds too much, or has a row that is dated outside the days asked for
 */
export function readAnswer(endpoint: Endpoint, answer: ArchivedAnswer): ValidatedAnswer {
  const collected = new Collected();
  const isRepeated = repeatedRows(endpoint, answer);
  for (const page of answer.pages)
    readPage({ endpoint, answer, page, isRepeated: page.page > 1 ? isRepeated : null }, collected);
  guardRejects(collected, answer);
  const twice = periodsTwice(collected, answer);
  const doubled = new Set([...collected.doubled, ...collected.repeated.keys()]);
  const fitted = fitQuestion(collected.rows, {
    endpoint,
    answer,
    periods: { texts: collected.dates, doubled },
  });
  const combined = endpoint.combine(withoutPeriods(fitted, twice, collected));
  guardRejects(collected, answer);
  const { rejects, items, doubtfulDays, doubtfulIds, unknownDays } = collected;
  const isList = answer.slice.kind === 'list' || answer.slice.kind === 'dated';
  return {
    rows: mergeEntities(endpoint, combined),
    rejects,
    drift: collected.drift.list(),
    doubtfulDays,
    doubtfulIds,
    unknownDays,
    isUnread: rejects.length > 0 && (combined.length === 0 || (isList && rejects.length * 10 > items)),
    takenDays: takenDays(endpoint, answer.slice, combined),
    isTruncated: answer.limit !== null && collected.listed !== null && collected.listed >= answer.limit,
    isEmpty: combined.length + rejects.length + unknownDays.size === 0,
    isNotEnabled: collected.isNotEnabled,
  };
}

/** The days of the rows of an endpoint's first table; of a window its first day, where it has any. */
function takenDays(
  { outputs: [{ table, ordinal, volatile }] }: Endpoint,
  slice: Slice,
  all: readonly OutputRow[],
): ReadonlySet<Day> {
  const rows = all.filter((row) => row.table === table);
  if (slice.kind !== 'window') return new Set(daysOf(rows));
  // A month of nothing but zeros is believed like one without a row: where its store was down, it is never asked for again.
  const ignored = new Set([...ordinal, ...volatile]);
  const isTold = ({ values }: OutputRow): boolean =>
    Object.entries(values).some(
      ([name, value]) => typeof value === 'number' && value !== 0 && !ignored.has(name),
    );
  const isTaken = slice.windowKind === 'month' ? rows.some(isTold) : rows.length > 0;
  return new Set(isTaken ? [slice.window.start] : []);
}

/** One item of a series whose rows are one a period. */
interface Point {
  path: string;
  value: unknown;
  rows: readonly OutputRow[];
}

/** The periods that are over and have several rows of different figures; where one is running, the last row stands. */
function periodsTwice(
  { repeated }: Collected,
  { slice, syncDay }: ArchivedAnswer,
): ReadonlyMap<Day, readonly Point[]> {
  const grain = sliceGrain(slice) ?? 'day';
  return new Map(
    [...repeated].filter(([day, found]) => {
      if (lastOf(day, grain) >= syncDay) return false;
      return new Set(found.map(({ rows }) => JSON.stringify(rows))).size > 1;
    }),
  );
}

/** The rows of all other periods: no one can know which of two figures is right. */
function withoutPeriods(
  rows: readonly OutputRow[],
  twice: ReadonlyMap<Day, readonly Point[]>,
  { rejects, doubtfulDays }: Collected,
): readonly OutputRow[] {
  if (twice.size === 0) return rows;
  for (const [day, points] of twice) {
    doubtfulDays.add(day);
    const reason = `${day} appears more than once with different figures`;
    for (const { path, value } of points) rejects.push({ path, reason, row: JSON.stringify(value) });
  }
  const refused = new Set([...twice.values()].flat().flatMap((point) => point.rows));
  return rows.filter((row) => !refused.has(row));
}

type IsRepeated = (row: OutputRow) => boolean;

/** Whether a row of a second page, which is asked for by name, is about a name on the first page: it is not the figure of that name. Null: no row can be. */
function repeatedRows({ paging }: Endpoint, { pages: [first, second] }: ArchivedAnswer): IsRepeated | null {
  if (paging.kind !== 'named' || first === undefined || second === undefined) return null;
  const names: ReadonlySet<unknown> = new Set(paging.names(first.body));
  return ({ values }) => names.has(values[paging.column]);
}

class Collected {
  readonly rows: OutputRow[] = [];
  readonly rejects: Reject[] = [];
  readonly drift = new DriftFindings();
  readonly doubtfulDays = new Set<Day | null>();
  readonly doubtfulIds = new Set<string>();
  readonly unknownDays = new Set<Day>();
  /** Dates of a series as they were written. */
  readonly dates = new Set<string>();
  /** Days that are more than once on a list of periods. */
  readonly doubled = new Set<Day>();
  /** Day → the first item about it, where rows are one a period. */
  readonly points = new Map<unknown, Point>();
  /** Day → all items about it, where they are several. */
  readonly repeated = new Map<Day, Point[]>();
  items = 0;
  /** Length of the longest list on a page; null when no list can be cut off. */
  listed: number | null = null;
  isNotEnabled = false;
}

interface Page {
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  page: AnswerPage;
  isRepeated: IsRepeated | null;
}

function readPage({ endpoint, answer, page, isRepeated }: Page, collected: Collected): void {
  const { slice } = answer;
  const context: RowContext = {
    slice,
    syncDay: answer.syncDay,
    fetchedAt: page.fetchedAt,
    status: page.status,
    page: page.page,
  };
  if (endpoint.answeredStatuses.includes(page.status)) {
    collected.rows.push(...endpoint.goneRows(context));
    return;
  }
  if (page.status !== OK) throw contractError(`answered ${String(page.status)}, which is no answer`, answer);
  guardError(page.body, answer);
  const body = endpoint.readBody(page.body, context);
  if (!body.success) {
    const what = explain(body.error);
    throw contractError(`the answer does not have the documented shape: ${what}`, answer);
  }
  const { items, listed, isNotEnabled, dates } = body.data;
  for (const day of doubledOf(dates)) collected.doubled.add(day);
  const isPoint = isOnePerPeriod(endpoint.outputs[0]);
  if (listed !== null) collected.listed = Math.max(collected.listed ?? 0, listed);
  collected.isNotEnabled = isNotEnabled;
  const prefix = answer.pages.length > 1 ? `page ${page.page}: ` : '';
  for (const item of items) {
    collected.items += 1;
    if (collected.items > MAX_ROWS) throw tooLarge(answer);
    // A slice that fails anyway is only counted: a reason costs 70 µs.
    if (collected.rejects.length > MAX_REJECTS) continue;
    const date = slice.kind === 'series' ? own(item.value, 'date') : null;
    if (typeof date === 'string') collected.dates.add(date);
    const before = collected.rows.length;
    const reason = readItem({ endpoint, context, isRepeated }, item, collected);
    if (collected.rows.length > MAX_ROWS) throw tooLarge(answer);
    const path = prefix + item.path;
    if (reason === null) {
      if (isPoint) addPoint({ path, value: item.value, rows: collected.rows.slice(before) }, collected);
      continue;
    }
    doubt(endpoint, item, collected);
    collected.rejects.push({ path, reason, row: JSON.stringify(item.value) ?? 'null' });
  }
  // Only after the items, whose number is bounded.
  collected.drift.compare(endpoint.documented.body, page.body, '');
}

function addPoint(point: Point, { points, repeated }: Collected): void {
  const date = point.rows[0]?.values['date'];
  const first = points.get(date);
  if (first === undefined) points.set(date, point);
  else
    for (const day of daysOf(point.rows)) {
      const known = repeated.get(day);
      if (known === undefined) repeated.set(day, [first, point]);
      else known.push(point);
    }
}

/** The days that a list of periods has more than once. */
function doubledOf(dates: readonly unknown[]): Day[] {
  const days = dates.flatMap((date) => (typeof date === 'string' ? (parseDay(date) ?? []) : []));
  const seen = new Set<Day>();
  return days.filter((day) => {
    const isKnown = seen.has(day);
    seen.add(day);
    return isKnown;
  });
}

/** Collects the rows of an item; returns why the item is refused, or null. */
function readItem(
  { endpoint, context, isRepeated }: Pick<Page, 'endpoint' | 'isRepeated'> & { context: RowContext },
  item: Item,
  to: Collected,
): string | null {
  if (item.problem !== undefined) return item.problem;
  const documented = endpoint.documented.item;
  if (documented !== null) to.drift.compare(documented, item.value, item.path);
  const before = to.rows.length;
  const error = endpoint.readItem(item.value, context, to.rows);
  if (error === null) {
    if (isRepeated !== null) to.rows.push(...to.rows.splice(before).filter((row) => !isRepeated(row)));
    return null;
  }
  const unknown = unknownKind(item, error);
  if (unknown === null) return explain(error);
  to.drift.add(unknown);
  for (const day of daysOfItem(item)) if (day !== null) to.unknownDays.add(day);
  return null;
}

/** An item that cannot be read leaves in doubt what it is about: the thing it names on a list, else its day. */
function doubt({ outputs: [{ vanished }] }: Endpoint, item: Item, collected: Collected): void {
  const id = vanished === 'mark_removed' ? idOfItem(item) : null;
  if (id !== null) collected.doubtfulIds.add(id);
  else for (const day of daysOfItem(item)) collected.doubtfulDays.add(day);
}

/** The days that an item names, although the item as a whole cannot be read; null where it names none. */
function daysOfItem({ value, days }: Item): readonly (Day | null)[] {
  const named = (days ?? [own(value, 'date')]).flatMap((date) =>
    typeof date === 'string' ? (parseDay(date) ?? []) : [],
  );
  return named.length > 0 ? named : [null];
}

/** The id that an item names, although the item as a whole cannot be read; null when it names none. */
function idOfItem({ value }: Item): string | null {
  const id = own(value, 'id');
  return typeof id === 'string' && id !== '' ? id : null;
}

/** An item of a kind that the API did not document, and no other fault: the API has something new, the row is not bad. */
function unknownKind(item: Item, error: z.ZodError): Drift | null {
  const [issue, ...others] = error.issues;
  if (issue?.code !== 'invalid_union' || issue.discriminator === undefined || others.length > 0) return null;
  let kind = item.value;
  for (const name of issue.path) kind = own(kind, String(name));
  if (typeof kind !== 'string') return null;
  const path = `${item.path}.${String(issue.path.at(-1))}`.replaceAll(/\[\d+\]/g, '[]');
  return { path, kind: 'new_enum_value', sample: kind };
}

/** `a.b: expected number, received string; c: …` */
function explain(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const path = issue.path.map(String).join('.');
      return path === '' ? issue.message : `${path}: ${issue.message}`;
    })
    .join('; ');
}

function tooLarge(answer: ArchivedAnswer): AnswerlakeError {
  const what =
    `the answer has more than ${String(MAX_ROWS)} entries, so nothing of it was loaded; ` +
    `ask for less at once (limit or max_window_days of sync.endpoints.${answer.slice.endpoint})`;
  return contractError(what, answer);
}

function guardRejects({ items, rejects }: Collected, answer: ArchivedAnswer): void {
  if (rejects.length <= MAX_REJECTS) return;
  const [first] = rejects;
  const what =
    `more than ${String(MAX_REJECTS)} of ${String(items)} entries were refused, so nothing of the answer was loaded; ` +
    `the first: ${first?.path ?? ''}: ${first?.reason ?? ''}`;
  throw contractError(what, answer);
}

/** Empty lists beside an `error` say that the server failed, not that there is nothing. */
function guardError(body: unknown, answer: ArchivedAnswer): void {
  const error = own(body, 'error');
  if (!isObject(body) || error === undefined || error === null || error === false || error === '') return;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  if (lists.some((list) => list.length > 0)) return;
  throw contractError(`an empty answer with an error member: ${JSON.stringify(error)}`, answer);
}

function contractError(what: string, answer: ArchivedAnswer): AnswerlakeError {
  return new AnswerlakeError(`${describeSlice(answer.slice)}: ${what}`, {
    class: 'contract',
    scope: 'slice',
  });
}

/**
 * One answer mentions the same thing of a side table (monitors, brands) many times. Keeps one row per thing: the last one
 * wins, and null never replaces a known name.
 */
export function mergeEntities(endpoint: Endpoint, rows: readonly OutputRow[]): readonly OutputRow[] {
  const sideTables = new Map(
    endpoint.outputs
      .filter((output, index) => index > 0 && output.vanished === 'keep')
      .map((output) => [output.table, { output, things: new Map<string, OutputRow>() }]),
  );
  if (sideTables.size === 0) return rows;
  const others: OutputRow[] = [];
  for (const row of rows) {
    const side = sideTables.get(row.table);
    if (side === undefined) {
      others.push(row);
      continue;
    }
    const { output, things } = side;
    const key = JSON.stringify(output.key.map((column) => row.values[column]));
    const before = things.get(key)?.values ?? {};
    things.set(key, { ...row, values: lastWord(output, before, row.values) });
  }
  return [...others, ...[...sideTables.values()].flatMap(({ things }) => [...things.values()])];
}

function lastWord({ lastKnown }: Output, before: Row, after: Row): Row {
  let values = after;
  for (const column of lastKnown)
    if ((after[column] ?? null) === null) values = { ...values, [column]: before[column] ?? null };
  return values;
}
