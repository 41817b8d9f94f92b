import { z } from 'zod';
import { addDays, parseDay } from '../day.ts';
import * as column from '../endpoints/column.ts';
import {
  defineEndpoint,
  type Ask,
  type Endpoint,
  type Paging,
  type Parameter,
} from '../endpoints/endpoint.ts';
import { isObject, misfits, numberOf } from '../endpoints/field.ts';
import type { Item } from '../endpoints/item.ts';
import { each, type Column, type Columns, type PartTable, type RowContext } from '../endpoints/table.ts';
import { digestOf, readField, restOf, SQL_TYPES, valueAt, without, type OwnField } from './columns.ts';
import {
  answerSchema,
  dayOfRow,
  isAddress,
  isBeside,
  isCutOff,
  keyOfRow,
  midnightOf,
  misfitsOf,
  rowsIn,
  SECOND_MS,
} from './answer.ts';
import { cutOffName, DAYS, type OwnDeclaration, type OwnPart } from './declaration.ts';

/** A row of an answer, with its day if it has one; in the table of a list inside it, also an entry of the list. */
interface OwnItem {
  row: unknown;
  date?: unknown;
  entry?: unknown;
  /** From 1; 0: the list itself arrived and is complete. */
  position?: number;
}

const SHAPES = { list: 'project', dated: 'dated', series: 'series', window: 'window' } as const;
const NOT_KNOWN = 'unit, scale and whether it adds up: not known here.';

/** The endpoint of a declaration: from here on it behaves like any other. */
export function defineOwn(declaration: OwnDeclaration): Endpoint {
  const { name, path, ask, pages, scopes, parents, limit, key } = declaration;
  const { leave_out: leftOut, query, end_date: endDate, days, instants, date } = declaration;
  const question = [query, days ?? null, instants ?? null, endDate ?? null, scopes ?? null];
  return defineEndpoint({
    name,
    path,
    cut: cutOf(declaration),
    scopes: parents === null ? { project: null, ...scopes } : { parent: null },
    isExtra: true,
    declared: JSON.stringify(declaration.written),
    askedAs: digestOf(question),
    readFrom: [
      ...(parents === null ? [] : [parents.of]),
      ...(date === null ? [] : [date]),
      ...key.map((one) => one.path),
    ],
    maxRequests: declaration.most_requests,
    held: {
      start: declaration.start_date ?? null,
      sinceDays: ask === 'dated' && declaration.start_date === undefined ? FIRST_DAYS : null,
      keepDays: ask === 'dated' ? (declaration.keep_days ?? KEEP_DAYS) : null,
      lookbackDays: declaration.lookback_days ?? null,
    },
    hasDailyKpis: false,
    paging: pagingOf(declaration),
    limit: limit?.rows ?? null,
    days: (asked) => dayParameters(declaration, asked),
    params: (asked) => [
      ...(limit === null || asked.limit === null ? [] : [[limit.parameter, String(asked.limit)] as const]),
      ...(pages?.by === 'cursor' && pages.size !== undefined ? [['limit', String(pages.size)] as const] : []),
      ...queryParameters(declaration, asked),
    ],
    leaveOut: (body) => leftOut.reduce((left, field) => cutOut(declaration, left, field), body),
    body: answerSchema(declaration),
    items: (rows: readonly unknown[], context) => itemsOf(declaration, rows, context),
    item: itemSchema(declaration),
    listed: (rows) => rows.length,
    ...(parents === null ? {} : { gone: { statuses: GONE, row: null } }),
    outputs: [
      {
        table: `own.${name}`,
        shape: SHAPES[ask],
        about: `Rows of ${path}, as endpoints/${name}.yaml declares them`,
        key: { ...parentColumn(declaration), ...columnsOf(declaration, key) },
        columns: {
          ...(ask === 'dated' ? { date: ownColumn('date', `UTC day of ${date ?? ''}.`, dayOf) } : {}),
          ...columnsOf(declaration, declaration.fields),
          ...cutOffColumns(declaration),
          ...endColumns(declaration, ({ row }) => restOf(row, takenOf(declaration, row))),
        },
        ...(ask === 'list' || ask === 'dated' ? { vanished: 'mark_removed' as const } : {}),
        volatile: volatileOf(declaration, [...key, ...declaration.fields]),
        digested: digestedOf(declaration),
        parent: parents?.column ?? null,
      },
      ...declaration.parts.map((part) => partTable(declaration, part)),
    ],
  });
}

function dayOf({ date }: OwnItem): string | null {
  return typeof date === 'string' ? date : null;
}

/** Days before the first request of a dated endpoint. */
const FIRST_DAYS = 28;
const KEEP_DAYS = 400;
/** A parent that is gone has no rows. */
const GONE = [404, 410];

function cutOf({ ask, parents, limit, instants }: OwnDeclaration): Endpoint['cut'] {
  const isExact = instants !== undefined;
  const cuts: Record<typeof ask, Endpoint['cut']> = {
    list: { kind: 'list', parents },
    dated: { kind: 'dated', isExact },
    series: { kind: 'series', grains: ['day'], leadPeriods: 0, isExact, isHalved: limit !== null },
    window: { kind: 'window', series: 'response_sentiment' },
  };
  return cuts[ask];
}

/** How the pages are requested. */
function pagingOf(declaration: OwnDeclaration): Paging {
  const { pages } = declaration;
  if (pages === undefined) return { kind: 'none' };
  const rowsOf = (body: unknown): readonly unknown[] => rowsIn(declaration, body) ?? [];
  const ids = (body: unknown) => rowsOf(body).map((row) => digestOf(keyOfRow(declaration, row)));
  switch (pages.by) {
    case 'number': {
      const { page, size, total, totalPages } = pages.names;
      return {
        kind: 'number',
        size: pages.size,
        names: [page, size],
        pages: (body) => {
          const [count, countOfPages] = [wholeAt(body, total), wholeAt(body, totalPages)];
          return {
            // A list that states one of the two need not state the other.
            total: count ?? (countOfPages === null ? null : undefined),
            totalPages: countOfPages ?? (count === null ? null : undefined),
            size: null,
            ids: ids(body),
            unknown: [],
          };
        },
      };
    }
    case 'offset': {
      const { offset, limit, total } = pages.names;
      return {
        kind: 'offset',
        size: pages.size,
        names: [offset, limit],
        list: (body) =>
          rowsIn(declaration, body) === null
            ? null
            : { count: rowsOf(body).length, ids: () => ids(body), total: wholeAt(body, total) },
      };
    }
    case 'cursor': {
      const { next, cursor } = pages.names;
      const nextOf = (body: unknown): string | null => {
        const found = valueAt(body, next) ?? false;
        if (typeof found === 'string' || typeof found === 'number')
          return isAddress(found) ? null : String(found);
        return found === false ? '' : null;
      };
      return { kind: 'cursor', parameter: cursor, next: nextOf, ids };
    }
    default:
      return pages satisfies never;
  }
}

function wholeAt(body: unknown, path: string): number | null {
  const number = numberOf(valueAt(body, path));
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function dayParameters(
  { days, instants, end_date: endDate }: OwnDeclaration,
  ask: Ask,
): readonly Parameter[] {
  const { asked } = ask;
  if (asked === null) return [];
  if (instants === undefined) {
    const [start, end] = days ?? DAYS;
    return Object.entries({ [start]: asked.start, [end]: asked.end });
  }
  const [from, until] = instants;
  const { startedAt = Number.MAX_SAFE_INTEGER } = ask;
  // With `exclusive`, the request already includes the day after the last one.
  const midnight = midnightOf(endDate === 'exclusive' ? asked.end : addDays(asked.end, 1));
  const end = midnight + SECOND_MS - (endDate === 'exclusive' ? 0 : 1);
  return [
    [from, new Date(midnightOf(asked.start) - SECOND_MS).toISOString()],
    [until, new Date(Math.min(end, startedAt)).toISOString()],
  ];
}

function queryParameters({ query }: OwnDeclaration, { slice, firstDay }: Ask): Parameter[] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): Parameter => {
      const text = String(one).replaceAll('{first_day}', firstDay ?? '');
      return [name, text.replaceAll('{id}', () => slice.scopeId)];
    }),
  );
}

/** A body without one of its fields, or one of its rows' fields. */
function cutOut({ rows }: OwnDeclaration, body: unknown, field: string): unknown {
  const path = field.split('.');
  return without(without(body, path), rows === undefined ? path : [...rows.split('.'), ...path]);
}

function* itemsOf(
  declaration: OwnDeclaration,
  rows: readonly unknown[],
  { slice }: RowContext,
): Generator<Item> {
  const { ask, rows: place = '', date, instants } = declaration;
  for (const [index, row] of rows.entries()) {
    const written = date === null ? undefined : valueAt(row, date);
    if (instants !== undefined && slice.kind !== 'list' && isBeside(written, slice.window)) continue;
    const day = ask === 'dated' ? dayOfRow(declaration, row) : undefined;
    const path = (): string => `${place}[${String(index)}]`;
    yield { path, value: { row, date: day ?? written }, shown: row };
  }
}

function itemSchema(declaration: OwnDeclaration) {
  const { key, fields, parts, ask } = declaration;
  const schema = z.transform((value: unknown, context): OwnItem => {
    const { row, date } = isObject(value) ? value : {};
    if (!isObject(row)) context.addIssue('expected an object');
    for (const field of isObject(row) ? key : []) {
      const found = readField(row, field) ?? null;
      const isMissing = (valueAt(row, field.path) ?? null) === null;
      const message = isMissing
        ? 'is missing, but the key needs it'
        : `is no ${field.type}, and the key needs it`;
      if (found === null) context.issues.push({ code: 'custom', input: row, path: [field.path], message });
    }
    const day = typeof date === 'string' ? parseDay(date) : undefined;
    if (ask === 'series' && day === undefined) context.addIssue('its day cannot be read');
    return { row, date: day };
  });
  return schema.register(misfits, {
    of: (value) => {
      const row = isObject(value) ? value['row'] : undefined;
      const odd = fields.filter((field) => readField(row, field) === undefined).map(({ path }) => path);
      const lists = parts.map(({ field }) => field).filter((field) => !Array.isArray(valueAt(row, field)));
      return [
        ...[...odd, ...lists].map((path) => ({ path, value: valueAt(row, path) ?? null })),
        ...parts.flatMap((part) => misfitsOf(part, valueAt(row, part.field))),
      ];
    },
  });
}

/** The parts of a row that its columns and lists contain. */
function takenOf({ key, fields, parts, date }: OwnDeclaration, row: unknown): string[] {
  const lists = parts.map(({ field }) => field).filter((field) => Array.isArray(valueAt(row, field)));
  return [...fitting([...key, ...fields], row), ...lists, ...(date === null ? [] : [date])];
}

/** The paths of values of the right type: others stay in `rest`. */
function fitting(fields: readonly OwnField[], row: unknown): string[] {
  return fields.filter((field) => readField(row, field) !== undefined).map(({ path }) => path);
}

/** Columns of the fields of a row, or of the entries of a list in it. */
function columnsOf(
  { notes }: OwnDeclaration,
  fields: readonly OwnField[],
  part: OwnPart | null = null,
): Columns<OwnItem> {
  return Object.fromEntries(
    fields.map((field) => {
      const place = placeOf(field, part);
      const note = notes[place];
      const text = note === undefined ? `; ${NOT_KNOWN}` : `: ${note.replace(/\.?$/, '.')}`;
      const read = ({ row, entry }: OwnItem) => readField(part === null ? row : entry, field) ?? null;
      return [field.name, ownColumn(SQL_TYPES[field.type], `Field ${place}${text}`, read)];
    }),
  );
}

/** `list.field`, or the list itself for its plain values. */
function placeOf({ path }: OwnField, part: OwnPart | null): string {
  return [part?.field ?? '', path].filter((step) => step !== '').join('.');
}

/** A column whose value is read from the item alone. */
function ownColumn(
  type: (typeof SQL_TYPES)[keyof typeof SQL_TYPES],
  meaning: string,
  read: NonNullable<Column<OwnItem>['read']>,
): Column<OwnItem> {
  return column.column(type, z.unknown())(meaning, {}, read);
}

function parentColumn({ parents }: OwnDeclaration): Columns<OwnItem> {
  if (parents === null) return {};
  const meaning = `Id in ${parents.of} of what it was asked for.`;
  return { [parents.column]: ownColumn('varchar', meaning, (_item, { slice }) => slice.scopeId) };
}

function cutOffColumns({ parts }: OwnDeclaration): Columns<OwnItem> {
  return Object.fromEntries(
    parts.flatMap((part) => {
      if (part.count === null) return [];
      const meaning = `True when ${part.field} had fewer entries than ${part.count} states, so that the stored ones stayed.`;
      return [[cutOffName(part.name), ownColumn('boolean', meaning, ({ row }) => isCutOff(part, row))]];
    }),
  );
}

/** The last columns of a table. */
function endColumns({ ask, rest }: OwnDeclaration, read: (item: OwnItem) => string | null): Columns<OwnItem> {
  const left = 'JSON text of the undeclared fields; NULL where nothing is left.';
  const removed =
    'Instant (UTC) since which it is not in the list; NULL while it is. Leaving the list does not have to mean deletion.';
  return {
    ...(rest ? { rest: ownColumn('varchar', left, read) } : {}),
    ...(ask === 'list' || ask === 'dated' ? { removed_at: ownColumn('timestamp', removed, () => null) } : {}),
  };
}

function volatileOf(
  { volatile, rest }: OwnDeclaration,
  fields: readonly OwnField[],
  part: OwnPart | null = null,
): string[] {
  const named = fields.filter((field) => volatile.includes(placeOf(field, part))).map(({ name }) => name);
  return rest ? [...named, 'rest'] : named;
}

function digestedOf({ fields }: OwnDeclaration): Endpoint['outputs'][0]['digested'] {
  const long = fields.filter(({ type }) => type === 'text' || type === 'json');
  return new Map(long.map(({ name, type }) => [name, type === 'json' ? 0 : MAX_LOGGED]));
}

/** Characters of a text that the log of restatements keeps. */
const MAX_LOGGED = 200;

/** The table of a list inside the rows. */
function partTable(declaration: OwnDeclaration, part: OwnPart): PartTable<OwnItem> {
  const { name, ask, key } = declaration;
  return each((item: OwnItem) => entriesOf(part, item), {
    table: `own.${name}_${part.name}`,
    shape: SHAPES[ask],
    about: `Entries of ${part.field} in own.${name}, in their order`,
    key: {
      ...parentColumn(declaration),
      ...columnsOf(declaration, key),
      position: ownColumn('bigint', 'Place in the list, from 1.', ({ position = 0 }) => position),
    },
    columns: {
      ...columnsOf(declaration, part.fields, part),
      ...endColumns(declaration, ({ entry }) => restOf(entry, fitting(part.fields, entry))),
    },
    volatile: volatileOf(declaration, part.fields, part),
    isPart: true,
  });
}

/** A missing or cut-off list has no entries, so that the stored ones stay. */
function entriesOf(part: OwnPart, item: OwnItem): OwnItem[] {
  const list: unknown = valueAt(item.row, part.field);
  if (!Array.isArray(list) || isCutOff(part, item.row) === true) return [];
  const entries: readonly unknown[] = [undefined, ...list];
  return entries.map((entry, position) => ({ ...item, entry, position }));
}
