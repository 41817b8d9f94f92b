import type { OutputRow, Row, RowContext, Value } from './row.ts';

/** What the rows of a table hang on; decides the shared columns and what a slice may delete. */
export type TableShape = 'series' | 'window' | 'dated' | 'project' | 'account';

/** What happens to rows that the answer no longer has. */
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

/** One table that an endpoint's rows go to. */
export interface Output {
  table: string;
  shape: TableShape;
  /** All key columns, shared ones first. */
  key: readonly string[];
  /** The columns this endpoint owns, key excluded; other columns of the row stay as they are. */
  columns: readonly string[];
  vanished: Vanished;
  /** Columns that change on every call: written along, never a reason to write. */
  volatile: readonly string[];
  /** Columns where a null keeps the last known value. */
  lastKnown: readonly string[];
  /** Another endpoint fills the other columns of the same rows: its row is there first, our columns are new in it. */
  isShared: boolean;
}

/** Column name → how its value is read from an item. */
export type Columns<Item> = Readonly<Record<string, (item: Item, context: RowContext) => Value>>;

/** A table that gets one row an item, as its author writes it: a column is named once, with how it is read. */
export interface Table<Item> {
  table: string;
  shape: TableShape;
  /** Key columns that the slice does not give. */
  key?: Columns<Item>;
  columns: Columns<Item>;
  /** Left out: `delete` for series, window and dated tables, `keep` for the others. */
  vanished?: Vanished;
  volatile?: readonly string[];
  lastKnown?: readonly string[];
  isShared?: boolean;
}

/** A table that gets any number of rows an item. */
export interface PartTable<Item> {
  output: Output;
  rows: (item: Item, context: RowContext) => readonly OutputRow[];
}

/** A table that gets one row for each part that `split` finds in an item. */
export function each<Item, Part>(
  split: (item: Item, context: RowContext) => readonly Part[],
  table: Table<Part>,
): PartTable<Item> {
  const { output, rows } = oneRow(table);
  return {
    output,
    rows: (item, context) => split(item, context).flatMap((part) => rows(part, context)),
  };
}

/** A declared table with what is derived from it. */
export function partTable<Item>(table: Table<Item> | PartTable<Item>): PartTable<Item> {
  return 'output' in table ? table : oneRow(table);
}

function oneRow<Item>({ table, shape, key = {}, columns, ...rest }: Table<Item>): PartTable<Item> {
  const reads = Object.entries({ ...key, ...columns });
  return {
    output: {
      vanished: VANISHED[shape],
      volatile: [],
      lastKnown: [],
      isShared: false,
      ...rest,
      table,
      shape,
      key: [...new Set([...SHARED_KEYS[shape], ...Object.keys(key)])],
      columns: Object.keys(columns),
    },
    rows: (item, context) => {
      const values: Record<string, Value> = {};
      for (const [name, read] of reads) values[name] = read(item, context);
      return [{ table, values }];
    },
  };
}

/** A row of which nothing is known but `known`. */
export function bareRow({ table, columns }: Output, known: Row): OutputRow {
  return { table, values: { ...Object.fromEntries(columns.map((name) => [name, null])), ...known } };
}
