import { createHash } from 'node:crypto';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { ArchivedAnswer } from '../slice.ts';
import type { ValidatedAnswer } from './read-answer.ts';
import { lastOf } from './terms.ts';

/** Whether an endpoint is a plain extra list, which projects rarely share. */
export function isOwnList({ isExtra, cut }: Endpoint): boolean {
  return isExtra && cut.kind === 'list' && (cut.parents ?? null) === null;
}

/** The part of an answer that is compared: the rows of its endpoint's first table. */
export type PlacedRows = ReturnType<typeof placedRows>;

export function placedRows(
  endpoint: Endpoint,
  { slice, syncDay }: Pick<ArchivedAnswer, 'slice' | 'syncDay'>,
  { rows: [all], shiftedDay }: Pick<ValidatedAnswer, 'rows' | 'shiftedDay'>,
) {
  const [{ ordinal, volatile, ofPeriodBefore, key, ownedId }] = endpoint.outputs;
  const isSeries = slice.kind === 'series';
  const ids = ownedId === null ? null : (all.columns.get(ownedId) ?? []);
  return {
    /** Rows of finished days, or of the whole window or list. */
    rows: isSeries ? all.where('date', (date) => lastOf(String(date), slice.grain) < syncDay) : all,
    /** All its days, in order. */
    days: isSeries ? all.days().toSorted() : [],
    shiftedDay,
    /** Ids that belong to a single project; null for an endpoint that lists none. */
    ids: ids?.filter((id) => typeof id === 'string') ?? null,
    /** Columns other than figures; those of the preceding period depend on where the request begins. */
    ignored: new Set([...ordinal, ...volatile, ...ofPeriodBefore]),
    /** Key columns, without those that the request fixes. */
    key,
  };
}

const SEPARATOR = '\u0001';
/** Rows at either end of an answer that identify it. */
const ENDS = 3;

function textOf({ rows, ignored }: PlacedRows, index: number): string {
  let text = '';
  for (const [name, values] of rows.columns)
    if (!ignored.has(name)) text += `${String(values[index])}${SEPARATOR}`;
  return text;
}

/** Its rows as texts. */
export function textsOf(placed: PlacedRows): string[] {
  return Array.from({ length: placed.rows.count }, (_, index) => textOf(placed, index));
}

/** Non-zero figures of a row. */
function figuresIn({ rows, ignored }: PlacedRows, index: number): number[] {
  const figures: number[] = [];
  for (const [name, values] of rows.columns) {
    const value = values[index];
    if (typeof value === 'number' && value !== 0 && !ignored.has(name)) figures.push(value);
  }
  return figures;
}

/** A fingerprint, equal for equal rows and rarely for others: their number and those with figures at either end; of a list, its first ids. */
export function gistOf(placed: PlacedRows): string {
  const { ids, rows } = placed;
  if (ids !== null) return [String(ids.length), ...ids.slice(0, ENDS)].join('\n');
  const ends: number[] = [];
  const isTold = (index: number): boolean => figuresIn(placed, index).length > 0;
  for (let index = 0; index < rows.count && ends.length < ENDS; index += 1)
    if (isTold(index)) ends.push(index);
  for (let index = rows.count - 1; index >= 0 && ends.length < 2 * ENDS; index -= 1)
    if (isTold(index)) ends.push(index);
  const text = [String(rows.count), ...ends.map((index) => textOf(placed, index))].join('\n');
  // Kept for each answer of a run.
  return createHash('sha256').update(text).digest('base64');
}

/** Two different non-zero figures: a single one, or equal ones, may match by chance. */
export function areTelling(placed: PlacedRows): boolean {
  const seen = new Set<number>();
  for (let index = 0; index < placed.rows.count && seen.size < 2; index += 1)
    for (const figure of figuresIn(placed, index)) seen.add(figure);
  return seen.size > 1;
}

/** The same rows, in any order. */
export function areEqual(one: readonly string[], other: readonly string[]): boolean {
  const theirs = other.toSorted();
  return one.length === other.length && one.toSorted().every((text, index) => text === theirs[index]);
}

/** The same rows; for two lists, a common id. */
export function areSame(one: PlacedRows | null, other: PlacedRows): boolean {
  if (one === null) return false;
  if (one.ids === null || other.ids === null)
    return one.rows.count > 0 && areEqual(textsOf(one), textsOf(other));
  const ids = new Set(one.ids);
  return other.ids.some((id) => ids.has(id));
}

/** Whether two answers have equal rows on their common days; null if they have none. */
export function agreeOnDays(one: PlacedRows, other: PlacedRows): boolean | null {
  const theirs = new Set(other.rows.columns.get('date'));
  const common = new Set((one.rows.columns.get('date') ?? []).filter((date) => theirs.has(date)));
  if (common.size === 0) return null;
  const textsOn = ({ rows, ...placed }: PlacedRows): string[] =>
    textsOf({ ...placed, rows: rows.where('date', (date) => common.has(date)) });
  return areEqual(textsOn(one), textsOn(other));
}

/** Whether a separately requested part of an answer has the figures of that answer. */
export function confirms(part: PlacedRows, whole: PlacedRows): boolean {
  if (part.ids !== null) return areSame(part, whole);
  const byKey = ({ rows, ...placed }: PlacedRows): Map<string, string> => {
    const texts = textsOf({ rows, ...placed });
    const keyOf = (index: number): string =>
      JSON.stringify(part.key.map((column) => rows.columns.get(column)?.[index] ?? null));
    return new Map(texts.map((text, index) => [keyOf(index), text]));
  };
  const known = byKey(whole);
  const common = [...byKey(part)].filter(([key]) => known.has(key));
  return common.length > 0 && common.every(([key, text]) => known.get(key) === text);
}
