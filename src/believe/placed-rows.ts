import type { Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow, Row } from '../endpoints/table.ts';
import type { ArchivedAnswer } from '../slice.ts';
import { daysOf } from './fit.ts';
import { lastOf } from './terms.ts';

/** What an answer is compared by: the rows of its endpoint's first table. */
export interface PlacedRows {
  /** Those of days that are over, or of the whole window or list. */
  rows: readonly Row[];
  /** All its days, in order. */
  days: readonly Day[];
  /** Ids that belong to one project only; null for an endpoint that lists none. */
  ids: readonly string[] | null;
  /** Columns that say nothing about the figures. */
  ignored: ReadonlySet<string>;
  /** Key columns, without those that the question gives. */
  key: readonly string[];
}

export function placedRows(
  endpoint: Endpoint,
  { slice, syncDay }: Pick<ArchivedAnswer, 'slice' | 'syncDay'>,
  all: readonly OutputRow[],
): PlacedRows {
  const [{ table, ordinal, volatile, key, ownedId }] = endpoint.outputs;
  const own = all.filter((row) => row.table === table);
  const rows = own.map(({ values }) => values);
  const isOver = ({ date }: Row): boolean =>
    slice.kind !== 'series' || (typeof date === 'string' && lastOf(date, slice.grain) < syncDay);
  return {
    rows: rows.filter(isOver),
    days: slice.kind === 'series' ? daysOf(own).toSorted() : [],
    ids: ownedId === null ? null : rows.flatMap(({ [ownedId]: id }) => (typeof id === 'string' ? [id] : [])),
    ignored: new Set([...ordinal, ...volatile]),
    key,
  };
}

const SEPARATOR = '\u0001';
/** Rows at either end of an answer by which it is known. */
const ENDS = 3;

function textOf(row: Row, { ignored }: PlacedRows): string {
  let text = '';
  for (const name in row) if (!ignored.has(name)) text += `${String(row[name])}${SEPARATOR}`;
  return text;
}

function figuresIn(row: Row, { ignored }: PlacedRows): number[] {
  const figures: number[] = [];
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'number' && value !== 0 && !ignored.has(name)) figures.push(value);
  }
  return figures;
}

/** Equal for equal rows, and hardly ever for others: their number and those with figures at either end; of a list, its first ids. */
export function gistOf(placed: PlacedRows): string {
  const { rows, ids } = placed;
  if (ids !== null) return [String(ids.length), ...ids.slice(0, ENDS)].join('\n');
  const isTold = (row: Row): boolean => figuresIn(row, placed).length > 0;
  const ends: Row[] = [];
  for (let index = 0; index < rows.length && ends.length < ENDS; index += 1) {
    const row = rows[index];
    if (row !== undefined && isTold(row)) ends.push(row);
  }
  for (let index = rows.length - 1; index >= 0 && ends.length < 2 * ENDS; index -= 1) {
    const row = rows[index];
    if (row !== undefined && isTold(row)) ends.push(row);
  }
  return [String(rows.length), ...ends.map((row) => textOf(row, placed))].join('\n');
}

/** Two figures other than 0 that differ: one alone, or equal ones, may be equal by chance. */
export function areTelling(placed: PlacedRows): boolean {
  const seen = new Set<number>();
  for (const row of placed.rows) {
    for (const figure of figuresIn(row, placed)) seen.add(figure);
    if (seen.size > 1) return true;
  }
  return false;
}

/** The same rows, in any order. */
export function areEqual(one: PlacedRows, other: PlacedRows): boolean {
  if (one.rows.length !== other.rows.length) return false;
  const texts = (placed: PlacedRows): string[] => placed.rows.map((row) => textOf(row, placed)).sort();
  const theirs = texts(other);
  return texts(one).every((text, index) => text === theirs[index]);
}

/** The same rows; of two lists, an id in common. */
export function areSame(one: PlacedRows, other: PlacedRows): boolean {
  if (one.ids === null || other.ids === null) return one.rows.length > 0 && areEqual(one, other);
  const ids = new Set(one.ids);
  return other.ids.some((id) => ids.has(id));
}

/** Whether a part of an answer, asked for by itself, has the figures that the answer has for it. */
export function confirms(part: PlacedRows, whole: PlacedRows): boolean {
  if (part.ids !== null) return areSame(part, whole);
  const keyOf = (row: Row): string => JSON.stringify(part.key.map((column) => row[column] ?? null));
  const known = new Map(whole.rows.map((row) => [keyOf(row), textOf(row, whole)]));
  const common = part.rows.filter((row) => known.has(keyOf(row)));
  return common.length > 0 && common.every((row) => known.get(keyOf(row)) === textOf(row, part));
}
