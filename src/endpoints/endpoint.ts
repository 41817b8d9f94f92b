import type { z } from 'zod';
import type { Day, DayRange, Grain } from '../day.ts';
import { sliceGrain, type Scope, type Slice } from '../slice.ts';
import {
  itemOf,
  type Row,
  type RowContext,
  partTable,
  type Output,
  type PartTable,
  type Table,
} from './table.ts';
import { TableRows } from './table-rows.ts';
import type { Item } from './item.ts';

/** A query parameter, sent in this order; arrays repeat the name. */
export type Parameter = readonly [name: string, value: string];

/** Everything that a request is built from. */
export interface Ask {
  slice: Slice;
  asked: DayRange | null;
  limit: number | null;
  timezone: string;
  /** `sync.start_date`. */
  firstDay?: Day | undefined;
  /** When the run began, epoch milliseconds. */
  startedAt?: number | undefined;
}

/** How an answer is split into requests. */
export type Paging =
  | { kind: 'none' }
  /** By page number; `pages` reads a body's paging fields, `names` are the parameters of page and size. */
  | {
      kind: 'number';
      size: number;
      names: readonly [page: string, size: string];
      pages: (body: unknown) => PageCount;
    }
  /** By limit and offset, until a page is shorter than the limit: that of the request, or `size`, sent with each page. */
  | {
      kind: 'offset';
      size: number | null;
      names: readonly [offset: string, limit: string];
      list: (body: unknown) => OffsetPage | null;
    }
  /** Each page names the next one: '' on the last one, null if its cursor cannot be sent. */
  | {
      kind: 'cursor';
      parameter: string;
      next: (body: unknown) => string | null;
      ids: (body: unknown) => readonly string[];
    }
  /** One page; if it is cut off, a second one requests by name the wanted entries that it lacks. */
  | {
      kind: 'named';
      parameter: string;
      /** Column of the names in the rows. */
      column: string;
      names: (body: unknown) => readonly string[];
      /** Whether the body states that its list lacks entries, whatever the limit is. */
      isCutOff: (body: unknown) => boolean;
      wanted: Wanted;
    };

/** The source of the wanted names: `column` of the listed rows of `relation`, first listed first. */
export interface Wanted {
  table: string;
  column: string;
  relations: readonly string[];
}

/** Whether a list of so many entries may end at a limit of the server: limits are round numbers, and a shorter list is no sign of one. */
export const mayBeLimit = (count: number): boolean => count >= 10 && count % 5 === 0;

/** A page by offset: the number of its entries, their identity (read only when a second page follows) and, if stated, the length of the whole list; of a series, the days of its entries. */
export interface OffsetPage {
  count: number;
  ids: () => readonly string[];
  total: number | null;
  days?: () => readonly string[];
}

/** The paging fields of a page; null for an unreadable field, undefined for an optional missing one. */
export interface PageCount {
  totalPages: number | null | undefined;
  /** Number of items in the whole list. */
  total: number | null | undefined;
  /** Items that the server puts on a page. */
  size: number | null;
  /** Ids of the items on this page that the total counts; null for an unreadable id. */
  ids: readonly (string | null)[];
  /** Items of unknown kinds, as texts: the total may or may not count them. */
  unknown: readonly string[];
}

/** The source of the ids to look up. */
export interface Mentions {
  table: string;
  /** Column of the ids, in `table` and in the endpoint's own first table. */
  column: string;
  /** Column with the instant of the mention: the newest are looked up first. */
  newest: string;
  /** Endpoint that lists them; only ids that its list lacks are looked up. */
  list: string;
}

/** How an endpoint's answers are cut into slices. */
export type Cut =
  /** `parents`: one request for each parent, by id. */
  | { kind: 'list'; parents?: Parents | null }
  /** One request per id (the slice's scopeId); a run looks up ids that other answers mention. */
  | { kind: 'lookup'; mentions: Mentions | null }
  /** `isExact`: requests have no days beyond their own; `isHalved`: a cut-off answer is requested again in halves. */
  | { kind: 'series'; grains: readonly Grain[]; leadPeriods: 0 | 1; isExact?: boolean; isHalved?: boolean }
  /** A series without a grain: any number of rows a day. */
  | { kind: 'dated'; isExact?: boolean }
  /** `series`: the endpoint with the days of the same source, which shows whether the server still has a window. */
  | { kind: 'window'; series: WindowSeries };

/** The parents of lists that are requested one by one. */
export interface Parents {
  /** The list that contains them. */
  of: string;
  /** Column with their ids. */
  column: string;
  /** How many a run requests. */
  atMost: number;
}

/** The days that an endpoint holds; null: those of the run. */
export interface Held {
  start: Day | null;
  /** Days before its first request. */
  sinceDays: number | null;
  /** Older rows are removed. */
  keepDays: number | null;
  lookbackDays: number | null;
}

/** The series that closed windows rely on, in order of preference among the enabled ones. */
export const WINDOW_SERIES = [
  'citation_ranks',
  'response_sentiment',
  'share_of_voice',
  'visibility',
  'crawler_requests',
] as const;
type WindowSeries = (typeof WINDOW_SERIES)[number];

/** An endpoint is requested once per project, per key or per run; the validation once per key and once per project. */
export type AskedPer = 'project' | 'key' | 'run' | 'key_and_project';

/** A value that fits its schema, or the reason why it does not. */
type Reading<Found> = { success: true; data: Found } | { success: false; error: z.ZodError };

/** The content of a body. */
export interface BodyContent {
  items: Iterable<Item>;
  /** Length of the list that `limit` bounds; null if no list can be cut off. */
  listed: number | null;
  /** The body reports that the project does not use this feature. */
  isNotEnabled: boolean;
  /** The periods of the body, if it lists them separately from its points. */
  dates: readonly unknown[];
}

/** The rows of an answer for each output, in the order of the outputs. */
export type AnswerRows = readonly [TableRows, ...TableRows[]];

/** What an author may leave out. */
const DEFAULTS = {
  askedPer: 'project' as AskedPer,
  /** False for daily figures that `main.daily_kpis` does not show, so that they keep none of its days open. */
  hasDailyKpis: true,
  /** True if it accepts the time zone in which days are cut. */
  hasTimezone: false,
  /** Requested after the others, none of which waits for it. */
  isExtra: false,
  /** Further settings that affect what an answer means, besides path, parameter names and zone; '' without further ones. */
  askedAs: '',
  /** Requests of one project in one run, after which the rest stays owed; null: any number. */
  maxRequests: null as number | null,
  held: { start: null, sinceDays: null, keepDays: null, lookbackDays: null } as Held,
  /** Fields of its date and key, and the list of its parents; null for a built-in one. */
  readFrom: null as readonly string[] | null,
  /** Its declaration as JSON text, archived with its answers; null for a built-in one. */
  declared: null as string | null,
  /** Removes the parts of a body that are never kept; null if all are. */
  leaveOut: null as ((body: unknown) => unknown) | null,
  /** False if the key must not be sent. */
  withKey: true,
  paging: { kind: 'none' } as Paging,
  /** Longest list that the API allows; null if the endpoint has no limit. */
  limit: null as number | null,
  /** Names whose history on the server precedes their first listing; null: an answer lists those of its own range. */
  backfilled: null as Wanted | null,
  /** Combines the rows of all pages (the same group may occur on several pages). */
  combine: (rows: AnswerRows): AnswerRows => rows,
};
type Optional = typeof DEFAULTS;

/** What the API offers at one path: a declaration without any flow. */
export interface Endpoint extends Optional {
  /** Name in configuration, ledger and logs. */
  name: string;
  /** Path after the base URL; `{id}` is the slice's scopeId. */
  path: string;
  cut: Cut;
  /** True if its answers are about single days: a series, or a list of dated things. */
  isDaily: boolean;
  /** Scope → the parameter that carries its value; `project` has none. */
  scopes: ScopeParameters;
  params: (ask: Ask) => readonly Parameter[];
  /** The first table is the endpoint's main one: its row count decides whether an answer is suspicious. */
  outputs: readonly [Output, ...Output[]];
  /** A body that does not fit fails the slice. */
  readBody: (body: unknown, context: RowContext) => Reading<BodyContent>;
  /** Collects the rows of an answer. */
  emptyRows: () => AnswerRows;
  /** Adds the rows of an item; an item that does not fit is a reject with the error as its reason. */
  readItem: (value: unknown, context: RowContext, rows: AnswerRows) => z.ZodError | null;
  /** Schemas of the documented answer, used only to find drift; `item` is null if `body` covers the items. */
  documented: { body: z.ZodType; item: z.ZodType | null };
  /** Statuses other than 200 whose answers are loaded (a prompt that is gone). */
  answeredStatuses: readonly number[];
  /** Adds the row that such an answer implies. */
  addGone: (context: RowContext, rows: AnswerRows) => void;
}

/** An endpoint as its author writes it. */
export interface EndpointDeclaration<Body extends z.ZodType, ItemType extends z.ZodType>
  extends Pick<Endpoint, 'name' | 'path' | 'cut' | 'scopes'>, Partial<Optional> {
  /** How requests carry their days. Default: `startDate` and `endDate`. */
  days?: (ask: Ask) => readonly Parameter[];
  /** Parameters between the days and the filter of a request. */
  params?: (ask: Ask, grain: Grain) => readonly Parameter[];
  /** The envelope of the items. */
  body: Body;
  items: (body: z.output<Body>, context: RowContext) => Iterable<Item>;
  item: ItemType;
  outputs: readonly [TableOf<ItemType>, ...TableOf<ItemType>[]];
  /** The documented body, if `item` is not a part of it. */
  documented?: z.ZodType;
  notEnabled?: (body: z.output<Body>) => boolean;
  listed?: (body: z.output<Body>) => number;
  /** The periods of a body that lists them separately from its points. */
  dates?: (body: z.output<Body>) => readonly unknown[];
  /** Statuses that mean the thing is gone, and the resulting row in the first table. */
  gone?: { statuses: readonly number[]; row: ((context: RowContext) => Row) | null };
}

type TableOf<ItemType extends z.ZodType> = Table<z.output<ItemType>> | PartTable<z.output<ItemType>>;

/** An endpoint with the defaults filled in; its schemas stay private. */
export function defineEndpoint<Body extends z.ZodType, ItemType extends z.ZodType>(
  declaration: EndpointDeclaration<Body, ItemType>,
): Endpoint {
  const { body, items, item, outputs, documented, ...more } = declaration;
  const { notEnabled, listed, dates, gone, params, days = dayParameters, ...rest } = more;
  const hasDays = rest.cut.kind !== 'list' && rest.cut.kind !== 'lookup';
  const [first, ...others] = outputs;
  const about = partTable(first);
  const sides = others.map((output) => partTable(output));
  return {
    ...DEFAULTS,
    ...rest,
    isDaily: rest.cut.kind === 'series' || rest.cut.kind === 'dated',
    params: (ask) => [
      ...(hasDays ? days(ask) : []),
      // The API cuts days in the requested zone, so always send it.
      ...(rest.hasTimezone === true ? ([['timezone', ask.timezone]] as const) : []),
      ...(params?.(ask, sliceGrain(ask.slice) ?? 'day') ?? []),
      ...filter(ask, rest.scopes),
    ],
    outputs: [about.output, ...sides.map(({ output }) => output)],
    emptyRows: () => [emptyRows(about, false), ...sides.map((part) => emptyRows(part, true))],
    readBody: (value, context) => {
      const parsed = body.safeParse(value);
      if (!parsed.success) return parsed;
      const { data } = parsed;
      const content = {
        items: items(data, context),
        listed: listed?.(data) ?? null,
        isNotEnabled: notEnabled?.(data) ?? false,
        dates: dates?.(data) ?? [],
      };
      return { success: true, data: content };
    },
    readItem: (value, context, rows) => {
      const parsed = item.safeParse(value);
      if (!parsed.success) return parsed.error;
      about.collect(parsed.data, context, rows[0]);
      for (const [index, { collect }] of sides.entries()) {
        const to = rows[index + 1];
        if (to !== undefined) collect(parsed.data, context, to);
      }
      return null;
    },
    documented: { body: documented ?? body, item: documented === undefined ? item : null },
    answeredStatuses: gone?.statuses ?? [],
    addGone: (context, [rows]) => {
      const known = gone?.row?.(context);
      if (known !== undefined) rows.add(about.given.map((name) => known[name] ?? null));
    },
  };
}

/** An endpoint with one table whose columns are the fields of its items. */
export function defineFlatEndpoint<Body extends z.ZodType>(
  declaration: Omit<EndpointDeclaration<Body, z.ZodType<Fields>>, 'item' | 'outputs'> & {
    table: Table<Fields>;
  },
): Endpoint {
  const { table, ...rest } = declaration;
  return defineEndpoint({ ...rest, item: itemOf(table), outputs: [table] });
}

type Fields = Readonly<Record<string, unknown>>;

function emptyRows({ output, given }: PartTable<never>, isSide: boolean): TableRows {
  const { table, shape, vanished, lastKnown, columns, isPart } = output;
  return new TableRows(table, given, {
    keyColumns: given.length - columns.length,
    // An entry of a list may be null, and position 0 marks that the list arrived.
    isPoint: !isPart && vanished === 'delete' && (shape === 'series' || shape === 'window'),
    ...(isSide && vanished === 'keep' ? { lastKnown } : {}),
  });
}

/** Longest window of one request in days, both ends counted: legal under every reading of 90, 92, inclusive and exclusive. */
export const MAX_WINDOW_DAYS = 90;

type ScopeParameters = Readonly<Partial<Record<Scope, string | null>>>;

function dayParameters({ asked }: Ask): readonly Parameter[] {
  if (asked === null) return [];
  return Object.entries({ startDate: asked.start, endDate: asked.end });
}

/** The filter for the slice's scope. */
function filter({ slice }: Ask, scopes: ScopeParameters): readonly Parameter[] {
  const name = scopes[slice.scope] ?? null;
  return name === null ? [] : [[name, slice.scopeId]];
}

/** Requests the longest list allowed: the default limits cut lists off silently. */
export function limit(ask: Ask, name: string): readonly Parameter[] {
  return ask.limit === null ? [] : [[name, String(ask.limit)]];
}
