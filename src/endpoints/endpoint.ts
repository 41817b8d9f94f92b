import type { z } from 'zod';
import type { Day, DayRange, Grain } from '../day.ts';
import type { Scope, Slice } from '../slice.ts';

/** A query parameter, sent in this order; arrays repeat the name. */
export type Parameter = readonly [name: string, value: string];

/** A value that a column of the warehouse takes. Instants are epoch milliseconds. */
export type Value = string | number | boolean | null | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** One thing of an answer that is refused or loaded on its own. */
export interface Item {
  /** Where it stands in the body, e.g. `series[3].data[12]`. */
  path: string;
  value: unknown;
  /** Set when the item cannot be read at all; `value` is then what was refused. */
  problem?: string;
}

/** What the rows of a table hang on; decides the shared columns and what a slice may delete. */
export type TableShape = 'series' | 'window' | 'dated' | 'project' | 'account';

/** One table that an endpoint's rows go to. */
export interface Output {
  table: string;
  shape: TableShape;
  /** Key columns after the shared ones. */
  key: readonly string[];
  /** The columns this endpoint owns, key excluded; other columns of the row stay as they are. */
  columns: readonly string[];
  /** What happens to rows that the answer no longer has. */
  vanished: 'delete' | 'mark_removed' | 'keep';
  /** Columns that change on every call: written along, never a reason to write. */
  volatile?: readonly string[];
  /** Columns where a null keeps the last known value. */
  lastKnown?: readonly string[];
  /** Another endpoint fills the other columns of the same rows: its row is there first, our columns are new in it. */
  isShared?: boolean;
}

/** A row on its way to a table, shared columns not yet added. */
export interface OutputRow {
  table: string;
  values: Row;
}

/** What `rows` may look at besides the item. */
export interface RowContext {
  slice: Slice;
  syncDay: Day;
  /** When the page was answered, epoch milliseconds. */
  fetchedAt: number;
  status: number;
}

/** Everything a request is built from. */
export interface Ask {
  slice: Slice;
  asked: DayRange | null;
  limit: number | null;
  timezone: string;
}

/** How the answer is spread over requests. */
export type Paging =
  | { kind: 'none' }
  /** By page number; `pages` reads the number of pages from a body. */
  | { kind: 'number'; size: number; pages: (body: unknown) => PageCount }
  /** By limit and offset, until a page is short. */
  | { kind: 'offset'; list: (body: unknown) => readonly unknown[] };

export interface PageCount {
  totalPages: number;
  /** Items that the whole list has, as the server says. */
  total: number;
  /** Ids of the counted items on this page; null for one that cannot be read. */
  ids: readonly (string | null)[];
}

/** How a series or window endpoint is cut. */
export type Cut =
  | { kind: 'list' }
  /** Looked up one by one by id (the slice's scopeId). */
  | { kind: 'lookup' }
  | { kind: 'series'; grains: readonly Grain[]; leadPeriods: 0 | 1 }
  /** Series without grain: days hold any number of things. */
  | { kind: 'dated' }
  | { kind: 'window' };

/** What an endpoint is asked once for: a project, a key, a run; the validation of keys once for each key and project. */
export type AskedPer = 'project' | 'key' | 'run' | 'key_and_project';

/** WHAT the API offers at one path: declarations only, no flow. */
export interface Endpoint {
  /** Name in configuration, ledger and logs. */
  name: string;
  /** Path after the base URL; `{id}` is the slice's scopeId. */
  path: string;
  askedPer: AskedPer;
  cut: Cut;
  /** Scope → parameter that carries its value; `project` carries none. */
  scopes: Readonly<Partial<Record<Scope, string | null>>>;
  /** False only where the key must not be sent. */
  withKey: boolean;
  paging: Paging;
  /** Largest list the API allows to ask for; null when the endpoint has no limit. */
  limit: number | null;
  params: (ask: Ask) => readonly Parameter[];
  /** The envelope; a body that does not fit fails the slice. */
  body: z.ZodType;
  /** Splits a body that fits the envelope. */
  items: (body: unknown) => Iterable<Item>;
  /** The whole body as documented, where items are put together anew; only for noticing drift. */
  documented?: z.ZodType;
  /** One item; an item that does not fit is a reject. */
  item: z.ZodType;
  rows: (item: never, context: RowContext) => readonly OutputRow[];
  /** The first is what the endpoint is about: its row count decides what is suspicious. */
  outputs: readonly [Output, ...Output[]];
  /** True for a body that says the project does not use this at all. */
  notEnabled?: (body: unknown) => boolean;
  /** Number of listed things that `limit` bounds, for the `truncated` flag. */
  listed?: (body: unknown) => number;
  /** Statuses besides 200 whose answers are loaded (a prompt that is gone). */
  answeredStatuses?: readonly number[];
  /** The rows that such a status stands for. */
  goneRows?: (context: RowContext) => readonly OutputRow[];
  /** Last word over the rows of all pages (a group that stands on several pages). */
  combine?: (rows: readonly OutputRow[]) => readonly OutputRow[];
}

/** An endpoint as its author writes it: `rows` knows the item's type. */
export interface EndpointDeclaration<Body extends z.ZodType, ItemType extends z.ZodType> extends Omit<
  Endpoint,
  'askedPer' | 'body' | 'item' | 'items' | 'rows' | 'withKey' | 'paging' | 'limit' | 'empty'
> {
  body: Body;
  items: (body: z.output<Body>) => Iterable<Item>;
  item: ItemType;
  rows: (item: z.output<ItemType>, context: RowContext) => readonly OutputRow[];
  /** Left out: `project`. */
  askedPer?: AskedPer;
  withKey?: boolean;
  paging?: Paging;
  limit?: number;
}

/** Fills in what most endpoints share. */
export function defineEndpoint<Body extends z.ZodType, ItemType extends z.ZodType>(
  declaration: EndpointDeclaration<Body, ItemType>,
): Endpoint {
  return {
    askedPer: 'project',
    withKey: true,
    paging: { kind: 'none' },
    ...declaration,
    limit: declaration.limit ?? null,
    items: declaration.items as Endpoint['items'],
    rows: declaration.rows,
  };
}
