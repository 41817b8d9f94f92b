import type { Output, OutputRow, Value } from '../endpoints/table.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { lastOf } from './terms.ts';
import type { ArchivedAnswer } from '../slice.ts';

/** What an answer says about one day, or about its whole window. */
export interface DayFigures {
  /** Equal for equal rows in any order: 53 bits. */
  digest: number;
  /** Up to two different figures other than 0. */
  numbers: readonly number[];
}

/** Figures of one answer, without what its question gives them. */
export interface Figures {
  /** Day → its figures, for a series; days that are not over are left out. A window has one entry. */
  days: ReadonlyMap<string, DayFigures>;
  /** Kind of thing → ids in the answer that belong to one project only. */
  ids: ReadonlyMap<string, readonly string[]>;
}

const WINDOW = 'window';

/** What an answer can be compared by with the other answers of its run. */
export function figuresOf(
  endpoint: Endpoint,
  { slice, syncDay }: Pick<ArchivedAnswer, 'slice' | 'syncDay'>,
  rows: readonly OutputRow[],
): Figures {
  const ids = new Map<string, string[]>();
  const days = new Map<string, Sum>();
  const [first] = endpoint.outputs;
  const owned = new Map(
    endpoint.outputs.flatMap(({ table, ownedId }) => (ownedId === null ? [] : [[table, ownedId] as const])),
  );
  const isCompared = slice.kind === 'series' || slice.kind === 'window';
  for (const { table, values } of rows) {
    const owner = owned.get(table);
    const id = owner === undefined ? null : values[owner];
    if (typeof id === 'string') add(ids, table, id);
    if (!isCompared || table !== first.table) continue;
    const date = slice.kind === 'series' ? values['date'] : WINDOW;
    if (typeof date !== 'string') continue;
    const sum = days.get(date) ?? { high: 0, low: 0, numbers: [] };
    days.set(date, sum);
    addRow(sum, first, values);
  }
  const closed = [...days].filter(([day]) => slice.kind !== 'series' || lastOf(day, slice.grain) < syncDay);
  return {
    ids,
    days: new Map(
      closed.map(([day, { high, low, numbers }]) => [day, { digest: joined(high, low), numbers }]),
    ),
  };
}

/** Equal for equal days with equal figures, in any order: 53 bits. */
export function digestOf(days: Figures['days']): number {
  let [high, low] = [0, 0];
  for (const [day, { digest }] of days) {
    const [one, other] = hashed(HIGH_SEED, LOW_SEED, `${day} ${String(digest)}`);
    high = (high + one) >>> 0;
    low = (low + other) >>> 0;
  }
  return joined(high, low);
}

function joined(high: number, low: number): number {
  return high * 2 ** 21 + (low >>> 11);
}

function add(ids: Map<string, string[]>, table: string, id: string): void {
  const known = ids.get(table);
  if (known === undefined) ids.set(table, [id]);
  else known.push(id);
}

/** Two figures that differ from each other: one alone, or equal ones, may be equal by chance. */
export function areTelling(found: Iterable<Pick<DayFigures, 'numbers'>>): boolean {
  const seen = new Set<number>();
  for (const { numbers } of found) {
    for (const number of numbers) seen.add(number);
    if (seen.size > 1) return true;
  }
  return false;
}

interface Sum {
  high: number;
  low: number;
  numbers: readonly number[];
}

const FNV_PRIME = 0x01000193;
const HIGH_SEED = 0x811c9dc5;
const LOW_SEED = 0x9e3779b9;

/** Goes on with two FNV-1a hashes. */
function hashed(high: number, low: number, text: string): [high: number, low: number] {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, FNV_PRIME);
    low = Math.imul(low ^ code, FNV_PRIME);
  }
  return [Math.imul(high ^ text.length, FNV_PRIME), Math.imul(low ^ text.length, FNV_PRIME)];
}

/** Adds the hashes of a row to the sums of its day: the order of rows does not count. */
function addRow(sum: Sum, { ordinal }: Output, values: OutputRow['values']): void {
  let [high, low] = [HIGH_SEED, LOW_SEED];
  for (const name in values) {
    if (name === 'date') continue;
    const value = values[name] ?? null;
    [high, low] = hashed(high, low, textOf(value));
    if (typeof value !== 'number' || value === 0 || ordinal.includes(name)) continue;
    if (sum.numbers.length < 2 && !sum.numbers.includes(value)) sum.numbers = [...sum.numbers, value];
  }
  sum.high = (sum.high + high) >>> 0;
  sum.low = (sum.low + low) >>> 0;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
