import type { z } from 'zod';
import { addDays, minDay, parseDay, type Day } from '../day.ts';
import type { AnswerRows, Endpoint } from '../endpoints/endpoint.ts';
import { isObject, own } from '../endpoints/field.ts';
import { shownOf, type Item } from '../endpoints/item.ts';
import { isOnePerPeriod, type RowContext } from '../endpoints/table.ts';
import type { TableRows } from '../endpoints/table-rows.ts';
import { AnswerlakeError, contractError, messageOf } from '../errors.ts';
import { describeSlice, sliceGrain, type AnswerPage, type ArchivedAnswer, type Slice } from '../slice.ts';
import { jsonOf } from '../redact.ts';
import { DriftFindings, unknownKind } from './drift.ts';
import { DATE_PARAMETERS, fitQuestion, MisunderstoodError, settingOf, withoutDays } from './fit.ts';
import { DatesRead } from './instants.ts';
import { lastOf } from './terms.ts';

/** A refused item; the other items load. */
export interface Reject {
  path: string;
  reason: string;
  /** The refused item as JSON. */
  row: string;
}

const [OK, NO_CONTENT] = [200, 204];
/** Items and rows of one slice; the largest possible answer (1,000 brands on 90 days) has 90,000. */
const MAX_ROWS = 200_000;
/** Refused items of one slice. */
const MAX_REJECTS = 1_000;

/**
 * Body → rows, rejects and drift. Pure.
 * @throws AnswerlakeError (contract, scope slice) when a body does not fit its schema, is too large, has no readable value of a measure, or has a row outside the requested days
 */
export function readAnswer(endpoint: Endpoint, answer: ArchivedAnswer): ValidatedAnswer {
  try {
    return readPages(endpoint, answer);
  } catch (error) {
    // One answer never ends a run.
    if (error instanceof AnswerlakeError) throw error;
    throw answerError(`the answer cannot be read: ${messageOf(error)}`, answer, error);
  }
}

/** A parsed answer: its rows, and the items that could not be read. */
export type ValidatedAnswer = ReturnType<typeof readPages>;

function readPages(endpoint: Endpoint, answer: ArchivedAnswer) {
  const collected = new Collected(endpoint, new DatesRead(answer));
  const ends = answer.pages.map((page) => {
    readPage(endpoint, { answer, page }, collected);
    return collected.rows[0].count;
  });
  guardRejects(collected, answer);
  guardStrays(collected, answer);
  guardMeasures(collected, answer);
  const repeated = isOnePerPeriod(endpoint.outputs[0]) ? repeatedPeriods(collected.rows[0]) : new Map();
  const doubled = new Set([...collected.doubled, ...repeated.keys()]);
  const fitted = fitQuestion(withoutRepeated(collected.rows, { endpoint, answer, ends }), {
    endpoint,
    answer,
    periods: { dates: collected.dates, doubled },
  });
  const refused = refusePeriods(repeated, collected, answer);
  const rows = endpoint.combine(withoutDays(fitted, refused));
  const rowCount = countOf(rows);
  guardRejects(collected, answer);
  const { rejects, strays, doubtfulDays, doubtfulIds, unknownDays, isNotEnabled } = collected;
  const found = { rejects, strays, doubtfulDays, doubtfulIds, unknownDays, isNotEnabled };
  return {
    ...found,
    /** Rows inside the slice's window. */
    rows,
    /** Rows of all tables together. */
    rowCount,
    drift: collected.drift.list(),
    /** All rows were refused. */
    isUnread: rejects.length > 0 && rowCount === 0,
    /** Days with a row of the endpoint's first table; for a window its first day, if it has one. */
    takenDays: takenDays(endpoint, answer.slice, rows[0]),
    /** A closed day that begins a period, in a series of days or weeks whose date-times all have one time of day other than midnight; null otherwise. */
    shiftedDay: shiftedDay(collected.dates, answer),
    /** The list is as long as its limit, so there may be more. */
    isTruncated: answer.limit !== null && collected.listed !== null && collected.listed >= answer.limit,
    isEmpty: rowCount + rejects.length + strays.length + unknownDays.size === 0,
  };
}

/** The days with a row of the endpoint's first table; for a window its first day, if it has a row. */
function takenDays(
  { outputs: [{ ordinal, volatile }] }: Endpoint,
  slice: Slice,
  rows: TableRows,
): ReadonlySet<Day> {
  if (slice.kind !== 'window') return new Set(rows.days());
  // A month of zeros is believed like a month without a row: if the server's store was down, it is never requested again.
  const ignored = new Set([...ordinal, ...volatile]);
  const isFigure = (value: unknown): boolean => typeof value === 'number' && value !== 0;
  const hasFigure = [...rows.columns].some(([name, values]) => !ignored.has(name) && values.some(isFigure));
  const isTaken = slice.windowKind === 'month' ? hasFigure : rows.count > 0;
  return new Set(isTaken ? [slice.window.start] : []);
}

/** Months must begin on the 1st. Days beyond the window have nothing to compare with. */
function shiftedDay(dates: DatesRead, { slice, syncDay }: ArchivedAnswer): Day | null {
  if (slice.kind !== 'series' || slice.grain === 'month' || dates.clock === null) return null;
  const end = addDays(slice.window.end, 1);
  // In a zone west of UTC, yesterday may not be over.
  return dates.newestShifted(minDay(addDays(syncDay, -1), end)) ?? dates.newestShifted(minDay(syncDay, end));
}

function countOf(rows: AnswerRows): number {
  let sum = 0;
  for (const { count } of rows) sum += count;
  return sum;
}

/** Day → the indexes of its rows, if there are several. */
function repeatedPeriods(rows: TableRows): ReadonlyMap<Day, readonly number[]> {
  const days = rows.days();
  if (days.length === rows.count) return new Map();
  const indexes = new Map<unknown, number[]>(days.map((day) => [day, []]));
  for (const [index, date] of rows.columns.get('date')?.entries() ?? []) indexes.get(date)?.push(index);
  return new Map(
    days.flatMap((day) => {
      const found = indexes.get(day) ?? [];
      return found.length > 1 ? [[day, found] as const] : [];
    }),
  );
}

/** Refuses finished periods that have rows with different figures, because nothing shows which is right. For a running period, the last row wins. */
function refusePeriods(
  repeated: ReadonlyMap<Day, readonly number[]>,
  { rows: [rows], items, rejects, doubtfulDays }: Collected,
  { slice, syncDay }: ArchivedAnswer,
): ReadonlySet<Day> {
  const refused = new Set<Day>();
  for (const [day, indexes] of repeated) {
    const isOver = lastOf(day, sliceGrain(slice) ?? 'day') < syncDay;
    if (!isOver || new Set(indexes.map((index) => JSON.stringify(rows.at(index)))).size === 1) continue;
    refused.add(day);
    doubtfulDays.add(day);
    const reason = `${day} appears more than once with different figures`;
    for (const item of indexes.flatMap((index) => items[index] ?? []))
      rejects.push({ path: item.path(), reason, row: shownOf(item) });
  }
  return refused;
}

class Collected {
  readonly rows: AnswerRows;
  readonly rejects: Reject[] = [];
  /** Entries of a dated list that lie outside the requested range or have no readable day: nothing is owed for them. */
  readonly strays: Reject[] = [];
  readonly drift = new DriftFindings();
  /** Days with an unreadable item, so that a missing row is no evidence; null: such an item without a readable day. */
  readonly doubtfulDays = new Set<Day | null>();
  /** Keys of entries without a readable day: their absence is no evidence. */
  readonly doubtfulIds = new Set<string>();
  /** Days with an item of an undocumented kind: the day counts, and its stored rows stay. */
  readonly unknownDays = new Set<Day>();
  /** Dates of a series. */
  readonly dates: DatesRead;
  /** Days that a list of periods repeats. */
  readonly doubled = new Set<Day>();
  /** The item of each row, if rows are one per period. */
  readonly items: Item[] = [];
  /** Items of all pages. */
  itemCount = 0;
  /** Items of the day after the sync day. */
  notYetThere = 0;
  /** Length of the longest list on a page; null if no list can be cut off. */
  listed: number | null = null;
  /** The project does not use the feature that the endpoint reports on. */
  isNotEnabled = false;

  constructor({ emptyRows }: Endpoint, dates: DatesRead) {
    this.rows = emptyRows();
    this.dates = dates;
  }
}

function readPage(
  endpoint: Endpoint,
  { answer, page }: { answer: ArchivedAnswer; page: AnswerPage },
  collected: Collected,
): void {
  const { slice, syncDay } = answer;
  const { status, fetchedAt } = page;
  const context: RowContext = { slice, syncDay, fetchedAt, status, page: page.page };
  if (endpoint.answeredStatuses.includes(status)) {
    endpoint.addGone(context, collected.rows);
    return;
  }
  if (status === NO_CONTENT) return;
  if (status !== OK) throw answerError(`answered ${String(status)}, which is no answer`, answer);
  guardError(page.body, answer);
  const body = endpoint.readBody(page.body, context);
  if (!body.success) {
    const what = explain(body.error);
    throw answerError(`the answer does not have the documented shape: ${what}`, answer);
  }
  const { items, listed, isNotEnabled, dates } = body.data;
  for (const day of doubledOf(dates, collected)) collected.doubled.add(day);
  const isPoint = isOnePerPeriod(endpoint.outputs[0]);
  if (listed !== null) collected.listed = Math.max(collected.listed ?? 0, listed);
  collected.isNotEnabled = isNotEnabled;
  const prefix = answer.pages.length > 1 ? `page ${page.page}: ` : '';
  for (const item of items) {
    collected.itemCount += 1;
    if (collected.itemCount > MAX_ROWS) throw tooLarge(answer);
    // A slice that fails anyway only counts its rejects: a reason costs 70 µs.
    if (collected.rejects.length + collected.strays.length > MAX_REJECTS) continue;
    if (slice.kind === 'dated') {
      const place = placeOf(item, answer);
      if (place === 'not yet there') collected.notYetThere += 1;
      else if (place !== 'inside') {
        keepKey({ endpoint, context }, item, collected);
        collected.strays.push({ path: `${prefix}${item.path()}`, reason: place, row: shownOf(item) });
      }
      if (place !== 'inside') continue;
    }
    const placed = slice.kind === 'series' ? placedItem(item, collected.dates) : item;
    const reason = readItem({ endpoint, context }, placed, collected);
    if (countOf(collected.rows) > MAX_ROWS) throw tooLarge(answer);
    if (isPoint && collected.rows[0].count > collected.items.length) collected.items.push(item);
    if (reason === null) continue;
    for (const day of daysOfItem(item, collected)) collected.doubtfulDays.add(day);
    collected.rejects.push({ path: `${prefix}${item.path()}`, reason, row: shownOf(item) });
  }
  // Only after the items, whose number is bounded.
  collected.drift.compare(endpoint.documented.body, page.body);
}

/** An item with the day of its date-time, if that is not its UTC day. */
function placedItem(item: Item, dates: DatesRead): Item {
  const date = own(item.value, 'date');
  if (typeof date !== 'string') return item;
  const day = dates.dayOf(date);
  // Copying each point would take longer than all other steps.
  if (day === undefined || day === parseDay(date) || !isObject(item.value)) return item;
  return { ...item, value: { ...item.value, date: day } };
}

/** The days that a list of periods repeats. */
function doubledOf(written: readonly unknown[], { dates }: Collected): Day[] {
  const days = written.flatMap((date) => (typeof date === 'string' ? (dates.dayOf(date) ?? []) : []));
  const seen = new Set<Day>();
  return days.filter((day) => {
    const isKnown = seen.has(day);
    seen.add(day);
    return isKnown;
  });
}

/** Collects the rows of an item; returns why the item is refused, or null. */
function readItem(
  { endpoint, context }: { endpoint: Endpoint; context: RowContext },
  item: Item,
  to: Collected,
): string | null {
  if (item.problem !== undefined) return item.problem;
  const documented = endpoint.documented.item;
  if (documented !== null) to.drift.compare(documented, item.value, item.path);
  const error = endpoint.readItem(item.value, context, to.rows);
  if (error === null) return null;
  const unknown = unknownKind(item, error);
  if (unknown === null) return explain(error);
  to.drift.add(unknown);
  for (const day of daysOfItem(item, to)) if (day !== null) to.unknownDays.add(day);
  return null;
}

/** Drops rows of a second, by-name page about names of the first page: they are not the figures of those names. */
function withoutRepeated(
  [rows, ...sides]: AnswerRows,
  { endpoint, answer, ends }: { endpoint: Endpoint; answer: ArchivedAnswer; ends: readonly number[] },
): AnswerRows {
  const { paging } = endpoint;
  const [end = 0] = ends;
  const [first, ...others] = answer.pages;
  if (paging.kind !== 'named' || first === undefined || others.length === 0) return [rows, ...sides];
  const names: ReadonlySet<unknown> = new Set(paging.names(first.body));
  return [rows.where(paging.column, (name, index) => index < end || !names.has(name)), ...sides];
}

function dayOfEntry({ value }: Item): Day | undefined {
  return parseDay(String(own(value, 'date')));
}

/** The place of an entry in a dated list, or why it is left out. */
function placeOf(item: Item, { asked, syncDay }: ArchivedAnswer): string {
  const day = dayOfEntry(item);
  if (day === undefined) return 'its day cannot be read';
  if (asked === null || (day >= asked.start && day <= asked.end)) return 'inside';
  if (day === addDays(syncDay, 1)) return 'not yet there';
  return `${day} lies outside the days that were asked for, ${asked.start}..${asked.end}`;
}

/** Keeps the stored row of an entry without a readable day. */
function keepKey(
  { endpoint, context }: { endpoint: Endpoint; context: RowContext },
  item: Item,
  { doubtfulIds }: Collected,
): void {
  const { value } = item;
  if (!isObject(value) || dayOfEntry(item) !== undefined) return;
  const rows = endpoint.emptyRows();
  endpoint.readItem({ ...value, date: context.syncDay }, context, rows);
  for (const key of rows[0].columns.get(endpoint.outputs[0].key.at(-1) ?? '') ?? [])
    doubtfulIds.add(String(key));
}

/** The days that an unreadable item names; null if it names none. */
function daysOfItem({ value, days }: Item, { dates }: Collected): readonly (Day | null)[] {
  const named = (days ?? [own(value, 'date')]).flatMap((date) =>
    typeof date === 'string' ? (dates.dayOf(date) ?? []) : [],
  );
  return named.length > 0 ? named : [null];
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
    `the answer has more than ${String(MAX_ROWS)} entries, so none of it was loaded; ` +
    `ask for less at once (${settingOf(answer, 'limit')}, or max_window_days there)`;
  return answerError(what, answer);
}

/** A server that ignores the dates of a list mostly returns entries of other days. */
function guardStrays({ itemCount, notYetThere, strays }: Collected, answer: ArchivedAnswer): void {
  const [first] = strays;
  if (first === undefined || strays.length * 2 <= itemCount - notYetThere) return;
  const what = `window ignored: ${String(strays.length)} of ${String(itemCount)} entries: ${first.path}: ${first.reason}`;
  throw new MisunderstoodError(answer, what, DATE_PARAMETERS);
}

/** A measure that was renamed, or has another type, makes the whole answer invalid. */
function guardMeasures({ rows, drift }: Collected, answer: ArchivedAnswer): void {
  const unread = rows.flatMap(({ unreadColumns }) => unreadColumns);
  if (unread.length === 0) return;
  const odd = drift.list().filter(({ kind }) => kind === 'unexpected_value' || kind === 'missing_field');
  const found = odd
    .map(({ path, kind, sample }) => `${path}: ${sample ?? kind.replace('_', ' ')}`)
    .join('; ');
  throw answerError(`no value of ${[...new Set(unread)].join(', ')} can be read (${found})`, answer);
}

function guardRejects({ itemCount, rejects, strays }: Collected, answer: ArchivedAnswer): void {
  if (rejects.length + strays.length <= MAX_REJECTS) return;
  const [first] = [...rejects, ...strays];
  const what =
    `more than ${String(MAX_REJECTS)} of ${String(itemCount)} entries were refused, so none of the answer was loaded; ` +
    `the first: ${first?.path ?? ''}: ${first?.reason ?? ''}`;
  throw answerError(what, answer);
}

/** Empty lists with an `error` member mean that the server failed, not that there is nothing. */
function guardError(body: unknown, answer: ArchivedAnswer): void {
  const error = own(body, 'error');
  if (!isObject(body) || error === undefined || error === null || error === false || error === '') return;
  const lists = Object.values(body).filter((value) => Array.isArray(value));
  if (lists.some((list) => list.length > 0)) return;
  throw answerError(`an empty answer with an error member: ${jsonOf(error)}`, answer);
}

function answerError(what: string, answer: ArchivedAnswer, cause?: unknown): AnswerlakeError {
  return contractError(`${describeSlice(answer.slice)}: ${what}`, 'slice', cause);
}
