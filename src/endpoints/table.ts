import { z } from 'zod';
import type { Day } from '../day.ts';
import type { Slice } from '../slice.ts';
import type { Meaning } from '../warehouse/meaning.ts';
import { day, isObject } from './field.ts';

/** A value of a warehouse column. Instants are epoch milliseconds. */
export type Value = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** The context of a column's value besides the item. */
export interface RowContext {
  slice: Slice;
  syncDay: Day;
  /** When the page was answered, epoch milliseconds. */
  fetchedAt: number;
  status: number;
  /** 1-based. */
  page: number;
}

/** The owner of a row; decides the shared columns and which rows a slice may delete. */
export type TableShape = 'series' | 'window' | 'dated' | 'project' | 'account';

/** The fate of stored rows that the answer no longer contains. */
export type Vanished = 'delete' | 'mark_removed' | 'keep';

/** The key columns that all tables of a shape share; their values come from the slice, a series' day from the item. */
const SHARED_KEYS = {
  series: ['project_id', 'grain', 'date', 'scope', 'scope_id'],
  window: ['project_id', 'window_kind', 'window_start', 'scope', 'scope_id'],
  dated: ['project_id'],
  project: ['project_id'],
  account: [],
} as const satisfies Record<TableShape, readonly string[]>;

/** True if the period alone identifies a row of the series. */
export function isOnePerPeriod({ shape, key }: Output): boolean {
  return shape === 'series' && key.length === SHARED_KEYS.series.length;
}

/** A column of a table: its warehouse type and its meaning; without `source`, it comes from its endpoint. */
export interface TableColumn {
  name: string;
  type: 'bigint' | 'boolean' | 'date' | 'double' | 'timestamp' | 'varchar' | 'varchar[]';
  meaning: Meaning;
  isRequired: boolean;
}

/** What a declared table may leave out. */
const DEFAULTS = {
  /** Its source requests, if there are others besides its first endpoint's. */
  source: null as readonly string[] | null,
  /** Meanings of shape columns that differ in this table. */
  meanings: {} as Readonly<Record<string, Meaning>>,
  /** Columns that change with every call: they never cause a write, but are written with one. */
  volatile: [] as readonly string[],
  /** An existing row keeps the values of the first answer with its key. */
  isFirst: false,
  /** Columns in which null keeps the last known value. */
  lastKnown: [] as readonly string[],
  /** Columns for which another endpoint is the better source; null: no such columns. */
  secondHand: null as SecondHand | null,
  /** Columns about the preceding period: in the first row of an answer, which may lack that period, null keeps the stored value of an otherwise unchanged row. */
  ofPeriodBefore: [] as readonly string[],
  /** Column that is set for rows whose day may be corrected: such a row is removed only if the whole synced range lacks it. Null: no row's day may change. */
  movable: null as string | null,
  /** Column with ids that belong to one project only; null: no such column. */
  ownedId: null as string | null,
  /** Columns that number the rows, so their changes are not changes of figures. */
  ordinal: [] as readonly string[],
  /** Column with the id of the parent in per-parent requests; null: there are no parents. */
  parent: null as string | null,
  /** Its rows are lists inside the rows of the first table, each replaced as a whole; a row at position 0 marks that its list arrived. */
  isPart: false,
  /** Columns that the log of restatements stores as a digest if they exceed this many characters. */
  digested: new Map() as ReadonlyMap<string, number>,
};

/** What a declared table always has. */
interface Named {
  /** Its name in `meta`: with its schema, unless that is `core`. */
  table: string;
  shape: TableShape;
  /** The content of its rows; the words of the shape follow in the comment of the table. */
  about: string;
}

/** One table that an endpoint fills. */
export interface Output extends Named, Readonly<typeof DEFAULTS> {
  /** Its columns without those of the shape. */
  declared: readonly TableColumn[];
  /** All key columns, shared ones first. */
  key: readonly string[];
  /** The columns that this endpoint owns, without the key; it leaves other columns of a row alone. */
  columns: readonly string[];
  /** Default: `delete` for series, window and dated tables, `keep` for the others. */
  vanished: Vanished;
}

/** Columns that a row keeps while `table` of another endpoint has an existing row with its key. */
export interface SecondHand {
  columns: readonly string[];
  table: string;
}

/** Reads a value from an item; undefined if unreadable. */
export type Read<Item> = (item: Item, context: RowContext) => Value | undefined;

/** A column as declared. */
export interface Column<Item> extends Omit<TableColumn, 'name'> {
  /** Reads the field of the same name, if the items are made of columns. */
  schema: z.ZodType;
  /** Left out: the value of the field of the same name. */
  read: Read<Item> | undefined;
}

/** Columns by name; the API spells some in camel case. */
export type Columns<Item> = Readonly<Record<string, Column<Item>>>;

/** A table with one row per item, as declared: each column is named once, with how it is read. */
export interface Table<Item> extends Named, Partial<typeof DEFAULTS & Pick<Output, 'vanished'>> {
  /** Key columns in addition to those of the shape. */
  key?: Columns<Item>;
  columns: Columns<Item>;
}

/** The items of a table whose columns are the fields of an item. */
export function itemOf({ shape, key = {}, columns }: Table<never>) {
  const schemas = Object.entries({ ...key, ...columns }).map(([name, { schema }]) => [name, schema] as const);
  return z.object({ ...(shape === 'series' ? { date: day } : {}), ...Object.fromEntries(schemas) });
}

function columnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isValue(value: unknown): value is Value | undefined {
  return typeof value !== 'object' || value === null || Array.isArray(value);
}

/** Reads a field. */
function fieldOf(name: string): (item: unknown) => Value | undefined {
  return (item) => {
    const value = isObject(item) ? item[name] : undefined;
    return isValue(value) ? value : undefined;
  };
}

/** A table with any number of rows per item. */
export interface PartTable<Item> {
  output: Output;
  /** Columns whose values come from the item, the key first. */
  given: readonly string[];
  collect: Collect<Item>;
}

/** Adds the rows of an item: for each, the values of the given columns, in order. */
type Collect<Item> = (
  item: Item,
  context: RowContext,
  rows: { add: (row: readonly (Value | undefined)[]) => void },
) => void;

/** A table with one row for each part that `split` finds in an item. */
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

/** A declared table, with the derived facts. */
export function partTable<Item>(table: Table<Item> | PartTable<Item>): PartTable<Item> {
  return 'output' in table ? table : oneRow(table);
}

function oneRow<Item>({ table, shape, key = {}, columns, ...rest }: Table<Item>): PartTable<Item> {
  const written = Object.entries({ ...key, ...columns });
  const declared = written.map(([field, { type, meaning, isRequired }]) => {
    return { name: columnName(field), type, meaning, isRequired: isRequired || field in key };
  });
  // The item carries the date of a period, and a list inside a dated row has the day of the row, by which rows of other days are removed.
  const dated = shape === 'series' || (shape === 'dated' && rest.isPart === true) ? ['date'] : [];
  const given = [...dated, ...declared.map(({ name }) => name)];
  const reads = [...dated.map(fieldOf), ...written.map(([field, { read }]) => read ?? fieldOf(field))];
  return {
    given,
    output: {
      ...DEFAULTS,
      vanished: shape === 'project' || shape === 'account' ? 'keep' : 'delete',
      ...rest,
      table,
      shape,
      key: [...SHARED_KEYS[shape], ...Object.keys(key).map(columnName)],
      columns: Object.keys(columns).map(columnName),
      declared,
    },
    collect: (item, context, rows) => {
      rows.add(reads.map((read) => read(item, context)));
    },
  };
}
