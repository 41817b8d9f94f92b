import type { Output, OutputRow, Row } from '../endpoints/table.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { lastOf } from './terms.ts';
import type { ArchivedAnswer } from '../slice.ts';

/** What an answer says about one day, or about its whole window. */
export interface DayFigures {
  /** Equal for equal rows in any order. */
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
  const days = new Map<string, Row[]>();
  const [first] = endpoint.outputs;
  const owned = new Map(endpoint.outputs.map(({ table, ownedId }) => [table, ownedId]));
  const isCompared = slice.kind === 'series' || slice.kind === 'window';
  for (const { table, values } of rows) {
    const id = values[owned.get(table) ?? ''];
    if (typeof id === 'string') add(ids, table, id);
    const date = slice.kind === 'series' ? values['date'] : WINDOW;
    if (isCompared && table === first.table && typeof date === 'string') add(days, date, values);
  }
  const closed = [...days].filter(([day]) => slice.kind !== 'series' || lastOf(day, slice.grain) < syncDay);
  return {
    ids,
    days: new Map(
      closed.map(([day, found]) => [
        day,
        {
          digest: hashOf(found.map((row) => Object.values(row).join(SEPARATOR))),
          numbers: numbersOf(found, first),
        },
      ]),
    ),
  };
}

/** Equal for equal days with equal figures, in any order. */
export function digestOf(days: Figures['days']): number {
  return hashOf([...days].map(([day, { digest }]) => `${day} ${String(digest)}`));
}

const SEPARATOR = '\u0001';
const FNV_PRIME = 0x01000193;

/** Equal for equal texts in any order: 53 bits of the sums of two FNV-1a hashes. */
function hashOf(texts: readonly string[]): number {
  let [high, low] = [0, 0];
  for (const text of texts) {
    let [one, other] = [0x811c9dc5, 0x9e3779b9];
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      one = Math.imul(one ^ code, FNV_PRIME);
      other = Math.imul(other ^ code, FNV_PRIME);
    }
    high += one;
    low += other;
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

function numbersOf(rows: readonly Row[], { ordinal }: Output): number[] {
  const numbers = new Set<number>();
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'number' && value !== 0 && !ordinal.includes(name)) numbers.add(value);
      if (numbers.size > 1) return [...numbers];
    }
  }
  return [...numbers];
}

function add<Found>(lists: Map<string, Found[]>, key: string, found: Found): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [found]);
  else list.push(found);
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
