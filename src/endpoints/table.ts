import type { Day } from '../day.ts';
import type { Slice } from '../slice.ts';

/** A value that a column of the warehouse takes. Instants are epoch milliseconds. */
export type Value = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** What the value of a column may depend on besides the item. */
export interface RowContext {
  slice: Slice;
  syncDay: Day;
  /** When the page was answered, epoch milliseconds. */
  fetchedAt: number;
  status: number;
  /** 1-based. */
  page: number;
}

/** What a row belongs to; decides the shared columns and which rows a slice may delete. */
export type TableShape = 'series' | 'window' | 'dated' | 'project' | 'account';

/** What happens to stored rows that the answer no longer contains. */
export type Vanished = 'delete' | 'mark_removed' | 'keep';

/** The key columns that all tables of a shape have; their values come from the slice, a series' day from the item. */
const SHARED_KEYS = {
  series: ['project_id', 'grain', 'date', 'scope', 'scope_id'],
  window: ['project_id', 'window_kind', 'window_start', 'scope', 'scope_id'],
  dated: ['project_id'],
  project: ['project_id'],
  account: [],
} as const satisfies Record<TableShape, readonly string[]>;

const VANISHED = {
  series: 'delete',
  window: 'delete',
  dated: 'delete',
  project: 'keep',
  account: 'keep',
} as const satisfies Record<TableShape, Vanished>;

/** True where the period alone tells the rows of a series apart. */
export function isOnePerPeriod({ shape, key }: Output): boolean {
  return shape === 'series' && key.length === SHARED_KEYS.series.length;
}

/** One table that an endpoint's rows go to. */
export interface Output {
  table: string;
  shape: TableShape;
  /** All key columns, shared ones first. */
  key: readonly string[];
  /** The columns that this endpoint owns, without the key; it leaves other columns of a row alone. */
  columns: readonly string[];
  /** Default: `delete` for series, window and dated tables, `keep` for the others. */
  vanished: Vanished;
  /** Columns that change with every call: never a reason to write a row, but written with it. */
  volatile: readonly string[];
  /** A row that is there stays as the first answer of its key wrote it. */
  isFirst: boolean;
  /** Columns in which null keeps the last known value. */
  lastKnown: readonly string[];
  /** Columns that another endpoint knows better; null: all are known best here. */
  secondHand: SecondHand | null;
  /** Columns about the period before: in the first row of an answer, which may lack that period, null keeps the stored value of a row that is otherwise the same. */
  ofPeriodBefore: readonly string[];
  /** Column that is set for rows whose day may be corrected: such a row goes only when the whole synced range lacks it. Null: no row's day may. */
  movable: string | null;
  /** Column with ids that belong to one project only; null: none does. */
  ownedId: string | null;
  /** Columns that number the rows, so their changes are not changes of figures. */
  ordinal: readonly string[];
}

/** Columns that a row keeps while `table` of another endpoint has a row with its key that was not removed. */
export interface SecondHand {
  columns: readonly string[];
  table: string;
}

/** Column name → how its value is read from an item; undefined where it cannot be read. */
export type Columns<Item> = Readonly<Record<string, (item: Item, context: RowContext) => Value | undefined>>;

/** A table that gets one row per item, as its author writes it: each column is named once, with how it is read. */
export interface Table<Item>
  extends Pick<Output, 'table' | 'shape'>, Partial<Omit<Output, 'table' | 'shape' | 'key' | 'columns'>> {
  /** Key columns whose values come from the item. */
  key?: Columns<Item>;
  columns: Columns<Item>;
}

/** Columns with the values of the fields of the same name, which the API spells in camel case. */
export function fields<Name extends string>(
  ...names: readonly Name[]
): Columns<Readonly<Record<Name, Value | undefined>>> {
  return Object.fromEntries(
    names.map((name) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      (item: Readonly<Record<Name, Value | undefined>>) => item[name],
    ]),
  );
}

/** A table that gets any number of rows per item. */
export interface PartTable<Item> {
  output: Output;
  /** Columns whose values come from the item, the key first. */
  given: readonly string[];
  collect: Collect<Item>;
}

/** Adds the rows of an item: of each the values of the given columns, in their order. */
type Collect<Item> = (
  item: Item,
  context: RowContext,
  rows: { add: (row: readonly (Value | undefined)[]) => void },
) => void;

/** A table that gets one row for each part that `split` finds in an item. */
export function each<Item, Part>(
  split: (item: Item, context: RowContext) => readonly Part[],
  table: Table<Part>,
): PartTable<Item> {
  const { collect, ...part } = oneRow(table);
  return {
    ...part,
    collect: (item, context, rows) => {
      for (const part of split(item, context)) collect(part, context, rows);
    },
  };
}

/** A declared table, with what is derived from the declaration. */
export function partTable<Item>(table: Table<Item> | PartTable<Item>): PartTable<Item> {
  return 'output' in table ? table : oneRow(table);
}

function oneRow<Item>({ table, shape, key = {}, columns, ...rest }: Table<Item>): PartTable<Item> {
  const given = { ...key, ...columns };
  const reads = Object.values(given);
  return {
    given: Object.keys(given),
    output: {
      vanished: VANISHED[shape],
      volatile: [],
      isFirst: false,
      lastKnown: [],
      secondHand: null,
      ofPeriodBefore: [],
      movable: null,
      ownedId: null,
      ordinal: [],
      ...rest,
      table,
      shape,
      key: [...new Set([...SHARED_KEYS[shape], ...Object.keys(key)])],
      columns: Object.keys(columns),
    },
    collect: (item, context, rows) => {
      rows.add(reads.map((read) => read(item, context)));
    },
  };
}
