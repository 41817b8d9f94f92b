import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { isObject } from '../endpoints/field.ts';
import { messageOf } from '../errors.ts';
import { decodeText, filesIn } from '../files.ts';
import { transaction, type Connection } from '../warehouse/connection.ts';
import { openDatabase } from '../warehouse/database.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import { readSetting, writeSettings } from '../warehouse/tables.ts';

/** A user's own view: `views/NAME.sql`. */
type OwnView = ReturnType<typeof readOwnViews>[number];

/** The views of a folder, by name; empty without a folder. */
export function readOwnViews(folder: string | undefined) {
  return filesIn(folder, '.sql').map((found) => ({ ...found, sql: decodeText(readFileSync(found.path)) }));
}

/** The setting with the digest of the views that a file was published with. */
export const OWN_VIEWS_SETTING = 'published_own_views';
/** The setting with the views that could not be created. */
const LEFT_OUT_SETTING = 'published_own_views_left_out';

/** Changes with every name and text; '' without views. */
export function ownViewsDigest(views: readonly OwnView[]): string {
  if (views.length === 0) return '';
  const texts = JSON.stringify(views.map(({ name, sql }) => [name, sql]));
  return createHash('sha256').update(texts).digest('hex');
}

export const leftOutRow = z.object({
  file: z.string(),
  line: z.number(),
  message: z.string(),
  /** The target that keeps its last rows; left out: no file has the view. */
  target: z.string().optional(),
});

/** A view that could not be created or computed, with DuckDB's reason; `line` is 1-based. */
export type LeftOutView = z.output<typeof leftOutRow>;

/** The views that the newest publish left out, of the file and of the target. */
export async function readLeftOut(connection: Connection): Promise<LeftOutView[]> {
  const text = await readSetting(connection, LEFT_OUT_SETTING);
  return z.array(leftOutRow).parse(JSON.parse(text ?? '[]'));
}

/** One line for people. */
export function leftOutText({ file, line, message, target }: LeftOutView): string {
  const what = target === undefined ? 'was left out' : `keeps its last rows in ${target}`;
  return `${file}:${String(line)}: the view ${what}: ${message}`;
}

/** Stores the views that a target left out in addition to those missing in the file. */
export async function noteLeftOut(
  connection: Connection,
  { target, failures, folder }: { target: string; failures: OwnFailures; folder: string | undefined },
): Promise<LeftOutView[]> {
  const files = new Map(readOwnViews(folder).map(({ name, file }) => [`own.${name}`, file]));
  const found = [...failures].map(([name, words]): LeftOutView => {
    const [message] = placed(words);
    return { file: files.get(name) ?? name, line: 1, message, target };
  });
  const ofFile = (await readLeftOut(connection)).filter((view) => view.target === undefined);
  await writeSettings(connection, leftOutSetting([...ofFile, ...found]));
  return found;
}

/** Why views could not be computed, by name. */
export type OwnFailures = ReadonlyMap<string, string>;

export function leftOutSetting(leftOut: readonly LeftOutView[]): Record<string, string> {
  return { [LEFT_OUT_SETTING]: JSON.stringify(leftOut) };
}

/** DuckDB needs little memory to bind a view, and the working file has the rest. */
const LIMITS = { memory_limit: '128MiB', threads: 1, temp_directory: '' };

/**
 * Creates the views in a file that no other connection has open, where they reach no other file, database or address; repeats until
 * no further view binds. Returns those that are left out.
 * @param onLeftOut called with their number and a connection to the file @throws WarehouseError (storage)
 */
export async function createOwnViews(
  path: string,
  views: readonly OwnView[],
  onLeftOut?: (file: Connection, count: number) => Promise<void>,
): Promise<LeftOutView[]> {
  if (views.length === 0) return [];
  const database = await openDatabase({ path, settings: LIMITS });
  await using _ = database;
  const connection = await database.connect();
  await connection.run('set enable_external_access = false; set lock_configuration = true');
  await connection.run('create schema if not exists own');
  let failures: LeftOutView[] = [];
  for (let [waiting, before] = [views, Infinity]; waiting.length > 0 && waiting.length < before;) {
    before = waiting.length;
    failures = [];
    for (const view of waiting) failures.push(...(await createView(connection, view)));
    waiting = views.filter(({ file }) => failures.some((failure) => failure.file === file));
  }
  await writeSettings(connection, leftOutSetting(failures));
  await onLeftOut?.(connection, failures.length);
  return failures;
}

/** Creates one view with its comments; returns the reason if that fails, else nothing. */
async function createView(connection: Connection, { name, file, sql }: OwnView): Promise<LeftOutView[]> {
  const refused = (message: string, line = 1): LeftOutView[] => [{ file, line, message }];
  const tree = serialized.parse(
    JSON.parse((await connection.value(z.string(), 'select json_serialize_sql($1::varchar)', [sql])) ?? ''),
  );
  if (tree.error) {
    const line = sql.slice(0, tree.position ?? 0).split('\n').length;
    const words = tree.position === undefined ? 'it does not select' : (tree.error_message ?? '');
    return refused(`${words}; write one select`, line);
  }
  const [statement, ...others] = tree.statements;
  if (statement === undefined || others.length > 0)
    return refused(`it has ${String(tree.statements.length)} statements; write one select`);
  const foreign = foreignFunction(statement.node);
  if (foreign !== null)
    return refused(`it calls ${foreign}; a view may read only tables and views of this file`);
  const view = `own.${quoteIdentifier(name)}`;
  try {
    const twice = repeatedName(await connection.rowsAs(describedRow, `describe\n${sql}`));
    if (twice !== null) {
      const line = sql.slice(0, placeOfColumn(statement.node, twice)).split('\n').length;
      return refused(`two columns are called ${twice}; give one of them another name (as NAME)`, line);
    }
    await transaction(connection, async () => {
      await connection.run(`create view ${view} as\n${sql}`);
      const comments = await passedComments(connection, { name, node: statement.node });
      const about = /^\s*--+ *(.*\S)/m.exec(sql)?.[1] ?? `A view of your own: ${basename(file)}.`;
      const ofColumns = [...comments].map(
        ([column, text]) =>
          `comment on column ${view}.${quoteIdentifier(column)} is ${quoteLiteral(text ?? COMPUTED)}`,
      );
      await connection.run([`comment on view ${view} is ${quoteLiteral(about)}`, ...ofColumns].join(';\n'));
    });
    return [];
  } catch (error) {
    return refused(...placed(messageOf(error)));
  }
}

const describedRow = z.object({ column_name: z.string() });

/** The name of a column that another one has too, in any case: DuckDB would create the view and then not find it. */
function repeatedName(columns: readonly z.output<typeof describedRow>[]): string | null {
  const names = columns.map(({ column_name: name }) => name.toLowerCase());
  return columns.find((_, index) => names.indexOf(names[index] ?? '') < index)?.column_name ?? null;
}

/** Where a select names a column last, or else its last star. */
function placeOfColumn(node: unknown, name: string): number {
  if (at(node, 'left') !== undefined) return placeOfColumn(at(node, 'left'), name);
  const parts = listOf(at(node, 'select_list'));
  const part = parts.findLast((one) => columnNameIn(one) === name.toLowerCase());
  const place = (part ?? parts.findLast(({ type }) => type === 'STAR'))?.['query_location'];
  return typeof place === 'number' ? place : 0;
}

/** The name of a selected column; '' if it is computed and has none. */
function columnNameIn(part: Readonly<Record<string, unknown>>): string {
  const path: unknown[] = Array.isArray(part['column_names']) ? part['column_names'] : [];
  return nameOf(part['alias']) || nameOf(path.at(-1));
}

const COMPUTED = 'Computed by a view of your own: unit, scale and whether it adds up are not known here.';

/** DuckDB's message on one line, and the line of the view that it refers to. */
function placed(message: string): [message: string, line: number] {
  const [, words = message, line = '2'] = /^([^]*?)\s*\n\s*LINE (\d+): [^]*$/.exec(message) ?? [];
  // The first line is ours: `create view`.
  return [words.replaceAll(/\s+/g, ' ').trim(), Math.max(1, Number(line) - 1)];
}

const serialized = z.object({
  error: z.boolean(),
  error_message: z.string().exactOptional(),
  position: z.string().transform(Number).exactOptional(),
  statements: z.array(z.object({ node: z.unknown() })).default([]),
});

/** Table functions that only generate rows, and that of this file; any other may read a file when it runs. */
const HARMLESS: ReadonlySet<string> = new Set([
  'unnest',
  'range',
  'generate_series',
  'generate_subscripts',
  'compare_periods',
]);

/** A table function that is not one of `HARMLESS`; null if there is no such call. */
function foreignFunction(node: unknown): string | null {
  const called = at(node, 'type') === 'TABLE_FUNCTION' ? at(node, 'function', 'function_name') : undefined;
  if (typeof called === 'string' && !HARMLESS.has(called)) return called;
  const parts: unknown[] = typeof node === 'object' && node !== null ? Object.values(node) : [];
  return parts.map(foreignFunction).find((found) => found !== null) ?? null;
}

/** Comments of columns by lower-case name; null: computed, or without a comment. */
type Comments = Map<string, string | null>;

const columnRow = z.object({ place: z.string(), name: z.string(), comment: z.string().nullable() });

/** The columns of a view of `own`, each with the comment of the column that it passes on unchanged. @param view its name, and its parsed text */
async function passedComments(
  connection: Connection,
  view: { name: string; node: unknown },
): Promise<Comments> {
  const rows = await connection.rowsAs(
    columnRow,
    `select lower(schema_name || '.' || table_name) as place, column_name as name, comment
     from duckdb_columns() where database_name = current_database() and not internal order by place, column_index`,
  );
  const catalog = new Map<string, Comments>();
  for (const { place, name, comment } of rows) {
    const columns: Comments = catalog.get(place) ?? new Map();
    catalog.set(place, columns.set(name.toLowerCase(), comment));
  }
  const passed = columnsOf(view.node, catalog);
  const own = rows.filter(({ place }) => place === `own.${view.name}`);
  return new Map(own.map(({ name }) => [name, passed.get(name.toLowerCase()) ?? null]));
}

/** The columns of a select; those of a union are its first part's. */
function columnsOf(node: unknown, known: ReadonlyMap<string, Comments>): Comments {
  const columns: Comments = new Map();
  if (!isObject(node)) return columns;
  const inner = new Map(known);
  for (const { key, value } of listOf(at(node, 'cte_map', 'map')))
    inner.set(nameOf(key), columnsOf(at(value, 'query', 'node'), inner));
  if (node['left'] !== undefined) return columnsOf(node['left'], inner);
  const sources = sourcesOf(node['from_table'], inner);
  for (const part of listOf(node['select_list'])) {
    if (part['type'] === 'STAR') {
      const from = nameOf(part['relation_name']);
      for (const source of sources)
        for (const [name, comment] of source.columns)
          if ((from === '' || from === source.name) && !columns.has(name)) columns.set(name, comment);
      for (const { key } of listOf(part['replace_list'])) columns.set(nameOf(key), null);
      continue;
    }
    const path = Array.isArray(part['column_names']) ? part['column_names'].map(nameOf) : [];
    const [column = '', from] = path.toReversed();
    const offered = sources.filter(({ name }) => from === undefined || from === name);
    const comment = offered.map((source) => source.columns.get(column)).find((text) => text !== undefined);
    columns.set(columnNameIn(part), comment ?? null);
  }
  return columns;
}

/** The sources of a `from`, under the names by which columns refer to them. */
function sourcesOf(
  from: unknown,
  known: ReadonlyMap<string, Comments>,
): { name: string; columns: Comments }[] {
  if (!isObject(from)) return [];
  const alias = nameOf(from['alias']);
  switch (from['type']) {
    case 'BASE_TABLE': {
      const [schema, table] = [nameOf(from['schema_name']), nameOf(from['table_name'])];
      const columns = known.get(schema === '' ? table : `${schema}.${table}`) ?? known.get(`main.${table}`);
      return [{ name: alias || table, columns: columns ?? new Map<string, null>() }];
    }
    case 'JOIN':
      return [...sourcesOf(from['left'], known), ...sourcesOf(from['right'], known)];
    case 'SUBQUERY':
      return [{ name: alias, columns: columnsOf(at(from, 'subquery', 'node'), known) }];
    default:
      return [];
  }
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((found: unknown, step) => (isObject(found) ? found[step] : undefined), value);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}
