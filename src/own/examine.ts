import type { DayRange } from '../day.ts';
import { isObject, numberOf } from '../endpoints/field.ts';
import { suggestion } from '../errors.ts';
import {
  dayOfRow,
  isBeside,
  isAddress,
  isCutOff,
  keyOfRow,
  listsIn,
  missingRows,
  morePages,
  promiseOf,
  rowsIn,
} from './answer.ts';
import { columnNameOf, OWN_TYPES, readField, readValue, valueAt, type OwnType } from './columns.ts';
import { DAYS, isSharedName, type OwnDeclaration } from './declaration.ts';
import { counted } from '../quantity.ts';

/** A finding about an answer for a person, with the line to write. */
export interface Finding {
  text: string;
  /** A sync of the endpoint would be incomplete. */
  isProblem: boolean;
}

/** A field of the rows of an answer. */
export interface FoundField {
  path: string;
  /** Null without a value. */
  type: OwnType | null;
  /** Share of the rows, 0 to 1, in which it is absent or null. */
  nullShare: number;
  /** For a list inside a row: its entries' fields, empty for plain values; null for any other field. */
  entries: readonly FoundField[] | null;
  /** JSON of the first value, shortened; null without one. */
  sample: string | null;
}

const MAX_ROWS = 100;
const MAX_SAMPLE = 40;

/** The fields of the first rows, through objects; each with the narrowest type that fits all its values. */
export function fieldsOf(rows: readonly unknown[]): FoundField[] {
  const seen = rows.slice(0, MAX_ROWS);
  const paths = [...new Set(seen.flatMap((row) => [...pathsOf(row)]))];
  // An object that is empty in some rows may have fields in others.
  const leaves = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)));
  return leaves.map((path) => {
    const there = seen.flatMap((row) => {
      const value = valueAt(row, path) ?? null;
      return value === null ? [] : [value];
    });
    const isList = there.length > 0 && there.every(Array.isArray);
    const entries: readonly unknown[] = isList ? there.flat() : [];
    return {
      path,
      type: narrowed(path, typeOf(isList ? entries : there)),
      nullShare: 1 - there.length / Math.max(1, seen.length),
      entries: isList ? (entries.every(isObject) ? fieldsOf(entries) : []) : null,
      sample: there.length === 0 ? null : JSON.stringify(there[0]).slice(0, MAX_SAMPLE),
    };
  });
}

/** Dotted paths through objects; a name with a dot would be read as a step into an object. */
function* pathsOf(row: unknown, prefix = ''): Generator<string> {
  for (const [name, value] of isObject(row) ? Object.entries(row) : [])
    if (name.includes('.')) continue;
    else if (isObject(value) && Object.keys(value).length > 0) yield* pathsOf(value, `${prefix}${name}.`);
    else yield `${prefix}${name}`;
}

/** From the narrowest type to the widest. */
const BY_WIDTH = ['boolean', 'integer', 'double', 'date', 'timestamp', 'text', 'json'] as const;

function typeOf(values: readonly unknown[]): OwnType | null {
  if (values.length === 0) return null;
  const isText = values.every((value) => typeof value === 'string');
  // Numbers in texts are often ids.
  const types = BY_WIDTH.filter((type) => !isText || !['boolean', 'integer', 'double'].includes(type));
  const isDay = values.every((value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value));
  return (
    types.find(
      (type) => (type !== 'date' || isDay) && values.every((one) => readValue(one, type) !== undefined),
    ) ?? 'json'
  );
}

/** Whole numbers that are neither counts nor ids may be whole by chance. */
function narrowed(path: string, type: OwnType | null): OwnType | null {
  const isWhole =
    /count|total|number|rank|position|size|id$|mentions|responses|citations|requests|visits/i.test(path);
  return type === 'integer' && !isWhole ? 'double' : type;
}

/** The findings about an answer to a declaration. @param asked the requested days; null for a list */
export function* examine(
  declaration: OwnDeclaration,
  body: unknown,
  asked: DayRange | null,
): Generator<Finding> {
  const { limit } = declaration;
  const rows = rowsIn(declaration, body);
  if (rows === null || rows.length === 0) {
    const none = 'the answer has no rows: try a project and days that have some';
    yield problem(rows === null ? missingRows(declaration, body) : none);
    return;
  }
  const more = promiseOf(declaration, body, rows.length);
  if (more !== null) yield problem(more);
  yield* ofPages(declaration, body);
  yield* ofKey(declaration, rows);
  if (asked !== null) yield* ofDays(declaration, rows, asked);
  yield* ofFields(declaration, rows);
  yield* ofParts(declaration, rows);
  if (limit !== null && rows.length >= limit.rows)
    yield remark(
      `the answer has as many rows as limit allows (${limit.rows}): ${declaration.ask === 'series' ? 'a sync asks in halves, down to one day' : 'further rows are not stored'}`,
    );
}

export function problem(text: string): Finding {
  return { text, isProblem: true };
}

function remark(text: string): Finding {
  return { text, isProblem: false };
}

function* ofPages({ pages }: OwnDeclaration, body: unknown): Generator<Finding> {
  if (pages?.by !== 'number') return;
  const { total, totalPages } = pages.names;
  if ([total, totalPages].some((path) => numberOf(valueAt(body, path)) !== undefined)) return;
  yield problem(
    `the answer has neither ${total} nor ${totalPages}: write the field with either as pages.names.total or pages.names.totalPages`,
  );
}

function* ofKey(declaration: OwnDeclaration, rows: readonly unknown[]): Generator<Finding> {
  const { key, ask, date } = declaration;
  const empty = key.find((field) => rows.some((row) => (readField(row, field) ?? null) === null));
  if (empty !== undefined) {
    yield problem(
      `${empty.path} of the key is null, absent or no ${empty.type} in some rows, which are refused: write another key`,
    );
    return;
  }
  const ids = new Set(rows.map((row) => JSON.stringify(keyOfRow(declaration, row))));
  if (ids.size === rows.length) return;
  const names = key.length === 0 ? '' : ` (${key.map(({ path }) => path).join(', ')})`;
  const better = keyOf(rows, ask === 'series' && date !== null ? [date] : []);
  const write =
    better === null
      ? 'add a field that distinguishes them'
      : `write key: [${better.map(flowText).join(', ')}]`;
  yield problem(
    `${rows.length - ids.size} of ${rows.length} rows have the key${names} of another row: ${write}`,
  );
}

/** One or two fields that, with `others`, form a key; empty if `others` are enough, null if no two fields suffice. */
export function keyOf(rows: readonly unknown[], others: readonly string[] = []): readonly string[] | null {
  const isUnique = (paths: readonly string[]): boolean =>
    new Set(rows.map((row) => JSON.stringify([...others, ...paths].map((path) => valueAt(row, path)))))
      .size === rows.length;
  const candidates = fieldsOf(rows).filter(({ nullShare, entries }) => nullShare === 0 && entries === null);
  const keysOf = (types: readonly OwnType[]): string[][] => {
    const names = candidates
      .filter(({ type }) => type !== null && types.includes(type))
      .map(({ path }) => path);
    names.sort((a, b) => rankOf(a) - rankOf(b));
    return [
      ...names.map((name) => [name]),
      ...names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other])),
    ];
  };
  // Rows without an id may have an instant.
  const ids: readonly OwnType[] = ['text', 'integer'];
  const keys = [...(others.length > 0 ? [[]] : []), ...keysOf(ids), ...keysOf([...ids, 'timestamp'])];
  return keys.find(isUnique) ?? null;
}

/** Prefers ids. */
function rankOf(path: string): number {
  return path === 'id' ? 0 : /(?:^|[._])id$|Id$/.test(path) ? 1 : 2;
}

function* ofDays(declaration: OwnDeclaration, rows: readonly unknown[], asked: DayRange): Generator<Finding> {
  const { date, days = DAYS, instants } = declaration;
  if (date === null) return;
  if (rows.every((row) => dayOfRow(declaration, row) === undefined)) {
    const better = fieldsOf(rows).find(({ type }) => type === 'timestamp' || type === 'date')?.path;
    yield problem(`${date} is no day in any row: write date: ${better ?? 'FIELD'}`);
    return;
  }
  const outside = rows.filter((row) => {
    const day = dayOfRow(declaration, row);
    const isOutside = day !== undefined && (day < asked.start || day > asked.end);
    return isOutside && !(instants !== undefined && isBeside(valueAt(row, date), asked));
  }).length;
  const which = `${outside} of ${rows.length} rows lie outside the requested days`;
  if (outside > 0 && declaration.ask === 'dated' && outside * 2 <= rows.length)
    yield remark(`${which}: a sync refuses them`);
  else if (outside > 0)
    yield problem(
      `${which}, so ${(instants ?? days).join(', ')} are ignored: write the parameters that this path takes as days: [FIRST, LAST], or instants: [FROM, UNTIL]`,
    );
}

function* ofFields({ key, fields }: OwnDeclaration, rows: readonly unknown[]): Generator<Finding> {
  const paths = fieldsOf(rows).map(({ path }) => path);
  for (const field of [...key, ...fields]) {
    const values = rows.map((row) => valueAt(row, field.path) ?? null).filter((value) => value !== null);
    const misfits = rows.filter((row) => readField(row, field) === undefined).length;
    if (rows.every((row) => valueAt(row, field.path) === undefined))
      yield remark(`${field.path} is in no row: ${suggestion(field.path, paths)}`);
    else if (misfits > 0)
      yield problem(
        `${field.path} is no ${field.type} in ${misfits} of ${rows.length} rows: write it under ${typeOf(values) ?? 'json'}:`,
      );
  }
}

function* ofParts({ parts }: OwnDeclaration, rows: readonly unknown[]): Generator<Finding> {
  for (const part of parts) {
    const { field, count } = part;
    const absent = rows.filter((row) => !Array.isArray(valueAt(row, field))).length;
    const short = rows.filter((row) => isCutOff(part, row) === true).length;
    if (absent === rows.length) yield problem(`${field} is a list in no row: take it out of each`);
    else if (absent > 0)
      yield remark(`${field} is not a list in ${counted(absent, 'row')}: stored entries stay`);
    if (short > 0)
      yield remark(
        `${field} is shorter than ${count ?? ''} states in ${counted(short, 'row')}: stored entries stay`,
      );
  }
}

/** A `columns:` block, and an `each:` block if rows contain lists, from the fields of `found` outside the key. @param taken paths of other settings */
export function columnLines(
  found: readonly FoundField[],
  taken: readonly string[],
  key: readonly string[],
): string[] {
  const open = found.filter(({ path }) => ![...taken, ...key].includes(path));
  const known = open.filter(isKnown);
  const unknown = open.filter((field) => !known.includes(field)).map(({ path }) => path);
  const plain = known.filter(({ entries }) => entries === null);
  const lists = known.filter(({ entries, path }) => entries !== null && !path.includes('.'));
  const nested = lists.flatMap(({ path, entries, type }) => {
    if (entries === null || entries.length === 0) return [`  ${path}: ${type}`];
    return [
      `  ${path}:`,
      ...typeLines(
        entries.filter((one) => one.entries === null && isKnown(one)),
        key.map(columnNameOf),
      ).map((line) => `  ${line}`),
    ];
  });
  return [
    ...(plain.length === 0 ? [] : ['columns:', ...typeLines(plain)]),
    ...(nested.length === 0 ? [] : ['each:', ...nested]),
    // A guessed type would have to be changed with new tables.
    ...(unknown.length === 0
      ? []
      : [`# no value yet, so their type is not known: ${unknown.join(', ')}`, ADD_LATER]),
  ];
}

/** Whether a field, or a plain one of the entries of a list, has a value. */
function isKnown({ type, entries }: FoundField): boolean {
  const columns = (entries ?? []).filter((one) => one.entries === null);
  return (entries ?? []).length === 0 ? type !== null : columns.some(isKnown);
}

const ADD_LATER =
  '# add each one once it has a value; replay --endpoint then fills its column from the archive';

function typeLines(fields: readonly FoundField[], others: readonly string[] = []): string[] {
  const taken = new Set(others);
  return OWN_TYPES.flatMap((type) => {
    const names = fields.filter((field) => field.type === type).map(({ path }) => written(path, taken));
    return names.length === 0 ? [] : [`  ${type}: [${names.join(', ')}]`];
  });
}

/** A field as written under `columns`, renamed if every table may have a column of its name, or another field has it. */
function written(path: string, taken: Set<string>): string {
  const plain = columnNameOf(path);
  let name = isSharedName(plain) ? `reported_${plain}` : plain;
  while (taken.has(name)) name += '_2';
  taken.add(name);
  return flowText(name === plain ? path : `${path} as ${name}`);
}

/** A text in a list of YAML, quoted unless it is plain. */
function flowText(text: string): string {
  return /^[A-Za-z_][\w. ]*$/.test(text) ? text : JSON.stringify(text);
}

/** The proposed file, from an answer to a lone path. */
export function proposeFile(words: Readonly<Record<string, unknown>>, body: unknown): string[] {
  const place = longestList(body);
  const rows = rowsIn(place, body) ?? [];
  const found = fieldsOf(rows);
  const isDated = found.some(
    ({ path, type }) => path === 'date' && (type === 'date' || type === 'timestamp'),
  );
  const isSeries = isDated && !found.some(({ path }) => path === 'id');
  const key = keyOf(rows, isSeries ? ['date'] : []) ?? [];
  const more = morePages(place, body, rows.length);
  const instants = found.filter(({ type, nullShare }) => type === 'timestamp' && nullShare === 0);
  const dated = instants.find(({ path }) => !/updated|modified|changed/i.test(path));
  return [
    ...Object.entries(words).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    ...(isSeries ? ['ask: series'] : []),
    ...(isSeries || dated === undefined
      ? []
      : [`# if the path takes days: ask: dated, date: ${dated.path}, days: [FROM, TO] (or instants:)`]),
    ...(place.rows === undefined || 'rows' in words ? [] : [`rows: ${place.rows}`]),
    ...(key.length === 0 ? [] : [`key: [${key.map((path) => written(path, new Set())).join(', ')}]`]),
    ...(more === null ? [] : [`pages: ${pagesLine(more)}`]),
    ...columnLines(found, isSeries ? ['date'] : [], key),
  ];
}

/** The word that reads pages, with the name of its field unless it is the default. */
function pagesLine({ word, field, path, value }: NonNullable<ReturnType<typeof morePages>>): string {
  if (isAddress(value)) return 'number # or offset, for the parameters in the address';
  const isUsual = field === null || path === (field === 'next' ? 'nextCursor' : field);
  const line = isUsual ? word : `{ by: ${word}, names: { ${field}: ${path} } }`;
  return word === 'cursor' ? line : `${line} # or another word, for the parameters that the path takes`;
}

/** Where the longest list of an answer is; nothing if the answer is a list itself. */
export function longestList(body: unknown): { rows?: string } {
  const sizeAt = (rows: string): number => rowsIn({ rows }, body)?.length ?? 0;
  const [rows] = listsIn(body).toSorted((a, b) => sizeAt(b) - sizeAt(a));
  return rows === undefined ? {} : { rows };
}

/** Whether two answers to one request have the same rows in the same order. */
export function isSameOrder(declaration: OwnDeclaration, one: unknown, other: unknown): boolean {
  const idsIn = (body: unknown): string[] =>
    (rowsIn(declaration, body) ?? []).map((row) => JSON.stringify(keyOfRow(declaration, row)));
  return JSON.stringify(idsIn(one)) === JSON.stringify(idsIn(other));
}

/** Whether a declaration names a field, or an object that contains it. */
export function isDeclared({ key, fields, parts, date }: OwnDeclaration, path: string): boolean {
  const known = [...[...key, ...fields].map((one) => one.path), ...parts.map(({ field }) => field), date];
  return known.some((one) => one !== null && (path === one || path.startsWith(`${one}.`)));
}
