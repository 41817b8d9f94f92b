import type { z } from 'zod';
import type { DayRange, Grain } from '../day.ts';
import type { Scope, Slice } from '../slice.ts';
import type { OutputRow, Row, RowContext } from './row.ts';
import { bareRow, partTable, type Output, type PartTable, type Table } from './table.ts';

/** A query parameter, sent in this order; arrays repeat the name. */
export type Parameter = readonly [name: string, value: string];

/** One thing of an answer that is refused or loaded on its own. */
export interface Item {
  /** Where it stands in the body, e.g. `series[3].data[12]`. */
  path: string;
  value: unknown;
  /** Set when the item cannot be read at all; `value` is then what was refused. */
  problem?: string;
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

/** A value that fits its schema, or why it does not. */
export type Reading<Found> = { success: true; data: Found } | { success: false; error: z.ZodError };

/** What a body holds. */
export interface BodyContent {
  items: Iterable<Item>;
  /** Number of listed things that `limit` bounds; null where nothing can be cut off. */
  listed: number | null;
  /** The body says that the project does not use this at all. */
  isNotEnabled: boolean;
}

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
  /** The first is what the endpoint is about: its row count decides what is suspicious. */
  outputs: readonly [Output, ...Output[]];
  /** A body that does not fit fails the slice. */
  readBody: (body: unknown) => Reading<BodyContent>;
  /** An item that does not fit is a reject. */
  readItem: (value: unknown, context: RowContext) => Reading<readonly OutputRow[]>;
  /** What the documents say, only for noticing drift; `item` is null where `body` says it all. */
  documented: { body: z.ZodType; item: z.ZodType | null };
  /** Statuses besides 200 whose answers are loaded (a prompt that is gone). */
  answeredStatuses: readonly number[];
  /** The rows that such a status stands for. */
  goneRows: (context: RowContext) => readonly OutputRow[];
  /** Last word over the rows of all pages (a group that stands on several pages). */
  combine: (rows: readonly OutputRow[]) => readonly OutputRow[];
}

/** An endpoint as its author writes it: columns know the item's type. */
export interface EndpointDeclaration<Body extends z.ZodType, ItemType extends z.ZodType>
  extends
    Pick<Endpoint, 'name' | 'path' | 'cut' | 'scopes' | 'params'>,
    Partial<Pick<Endpoint, 'withKey' | 'paging' | 'combine'>> {
  /** Left out: `project`. */
  askedPer?: AskedPer;
  limit?: number;
  /** The envelope of the items. */
  body: Body;
  items: (body: z.output<Body>) => Iterable<Item>;
  item: ItemType;
  outputs: readonly [TableOf<ItemType>, ...TableOf<ItemType>[]];
  /** The whole body as documented, where items are put together anew. */
  documented?: z.ZodType;
  notEnabled?: (body: z.output<Body>) => boolean;
  listed?: (body: z.output<Body>) => number;
  /** Statuses that say that the thing is gone, and what is then known of its row in the first table. */
  gone?: { statuses: readonly number[]; row: (context: RowContext) => Row };
}

type TableOf<ItemType extends z.ZodType> = Table<z.output<ItemType>> | PartTable<z.output<ItemType>>;

/** Fills in what most endpoints share, and closes over the schemas. */
export function defineEndpoint<Body extends z.ZodType, ItemType extends z.ZodType>(
  declaration: EndpointDeclaration<Body, ItemType>,
): Endpoint {
  const { body, items, item, outputs, documented, notEnabled, listed, gone, limit, ...rest } = declaration;
  const [first, ...others] = outputs;
  const about = partTable(first);
  const tables = [about, ...others.map((output) => partTable(output))];
  return {
    askedPer: 'project',
    withKey: true,
    paging: { kind: 'none' },
    combine: (rows) => rows,
    ...rest,
    limit: limit ?? null,
    outputs: [about.output, ...tables.slice(1).map(({ output }) => output)],
    readBody: (value) => {
      const parsed = body.safeParse(value);
      if (!parsed.success) return parsed;
      const { data } = parsed;
      const isNotEnabled = notEnabled?.(data) ?? false;
      return { success: true, data: { items: items(data), listed: listed?.(data) ?? null, isNotEnabled } };
    },
    readItem: (value, context) => {
      const parsed = item.safeParse(value);
      if (!parsed.success) return parsed;
      return { success: true, data: tables.flatMap(({ rows }) => rows(parsed.data, context)) };
    },
    documented: { body: documented ?? body, item: documented === undefined ? item : null },
    answeredStatuses: gone?.statuses ?? [],
    goneRows: (context) => (gone === undefined ? [] : [bareRow(about.output, gone.row(context))]),
  };
}
