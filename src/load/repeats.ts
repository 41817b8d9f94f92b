import type { TableMerge } from './table-merge.ts';
import type { TableRows } from './prepare-answer.ts';

/** Whether two rows may have the same key, so that one of them has to win: none, rows of different slices, or of one slice too. `none` and `across` are certain. */
export type Repeats = 'none' | 'across' | 'within';

/** The rows of one slice. */
export interface Part {
  sliceNo: number;
  rows: TableRows;
  /** What the slice gives its rows. */
  flat: Readonly<Record<string, string | null>>;
}

/** The columns of some rows, and the slice of each. */
export interface Rows {
  /** Column → its values. */
  columns: ReadonlyMap<string, readonly unknown[]>;
  /** The slice of each row. */
  sliceNumbers: readonly number[];
}

const SEPARATOR = '\u0001';
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Looks for keys that come twice. Texts of different keys may be equal, those of equal keys never differ.
 * `identical`: rows that say the same as an earlier one of their answer, as the rows do by which pages of a moving list are proven to meet.
 */
export function findRepeats(
  { key, shape, shared }: TableMerge,
  parts: readonly Part[],
  rows: Rows,
): { repeats: Repeats; identical: ReadonlySet<number> } {
  // Slices of a series and windows never cover the same row; any other thing may come in several answers.
  const isApart = shape === 'series' || shape === 'window';
  const keyOf = keyNumbers([...rows.columns].filter(([name]) => key.includes(name)).map(([, own]) => own));
  const seen = new Map<number, number>();
  const identical = new Set<number>();
  let repeats: Repeats = 'none';
  let start = 0;
  for (const { flat, rows: own } of parts) {
    if (isApart) seen.clear();
    const given = isApart ? '' : shared.map((column) => flat[column]).join(SEPARATOR) + SEPARATOR;
    const end = start + own.count;
    const found = lookAtRows({ seen, identical, rows, keyOf: (row) => keyOf(given, row) }, start, end);
    if (found === 'within') return { repeats: found, identical: NONE };
    if (found === 'across') repeats = found;
    start = end;
  }
  return { repeats, identical };
}

const NONE: ReadonlySet<number> = new Set();

interface Look {
  /** Key → the row that has it. */
  seen: Map<number, number>;
  identical: Set<number>;
  rows: Rows;
  keyOf: (row: number) => number | null;
}

/** Looks at the rows of one answer. Apart from the rest, because the same code then meets the same kinds of values: it was optimized five times in a first sync. */
function lookAtRows({ seen, identical, rows, keyOf }: Look, start: number, end: number): Repeats {
  const { columns, sliceNumbers } = rows;
  let repeats: Repeats = 'none';
  for (let row = start; row < end; row += 1) {
    const key = keyOf(row);
    if (key === null) return 'within';
    const before = seen.get(key);
    if (before === undefined) seen.set(key, row);
    else if (sliceNumbers[before] !== sliceNumbers[row]) {
      repeats = 'across';
      seen.set(key, row);
    } else if (saysTheSame(columns, before, row)) identical.add(row);
    else return 'within';
  }
  return repeats;
}

/** More texts than a batch has. */
const MOST_TEXTS = 2 ** 26;

/**
 * A number for each key: texts of keys repeat from row to row, and one text of all of them would have to be made and hashed for every row. Null for
 * a text that DuckDB would not keep apart from others: it stores every lone surrogate as the same replacement character.
 */
function keyNumbers(columns: readonly (readonly unknown[])[]): (given: string, row: number) => number | null {
  const [first = [], second, ...others] = columns;
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const made = LONE_SURROGATE.test(text) ? Number.NaN : numbers.size;
    numbers.set(text, made);
    return made;
  };
  return (given, row) => {
    const lead = numberOf(given + String(first[row]));
    let rest = 0;
    if (second !== undefined) {
      let text = String(second[row]);
      for (const values of others) text += SEPARATOR + String(values[row]);
      rest = numberOf(text);
    }
    const number = lead * MOST_TEXTS + rest;
    return Number.isNaN(number) ? null : number;
  };
}

function saysTheSame(columns: Rows['columns'], one: number, other: number): boolean {
  for (const values of columns.values()) if (!Object.is(values[one], values[other])) return false;
  return true;
}
