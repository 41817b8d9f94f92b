import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { toRun, usageError } from '../errors.ts';
import { type Connection, transaction } from './connection.ts';
import { commentOf, type Meaning } from './meaning.ts';
import { quoteIdentifier, quoteLiteral, quoteTable } from './sql.ts';
import { nameOf, readRelations, readSetting, writeSettings } from './tables.ts';
import type { Column, Relation, TableColumns, TableName } from './tables.ts';

/** A table that a declaration owns. */
export interface DeclaredTable extends TableName {
  /** Columns that form the key, in order. */
  key: readonly string[];
  shape: string;
  /** The first endpoint that fills it. */
  endpoint: string;
  /** Answer fields of its date and key; null if its columns name them. */
  readFrom: readonly string[] | null;
  comment: string;
  columns: readonly { name: string; type: string; meaning: Meaning; isRequired: boolean }[];
}

/** The setting with the digest of a file's declared tables: reading its catalogue takes 40 ms of processor time. */
const DIGEST = 'declared_tables';

/**
 * Brings a file's tables to their declarations: creates missing tables, adds missing columns and renews comments. `meta.tables`
 * lists them with their keys for readers, checks and scripts.
 */
export async function declareTables(
  connection: Connection,
  tables: readonly DeclaredTable[],
  recreated: readonly string[] = [],
): Promise<void> {
  const made = tables.map((table) => ({ ...table, columns: table.columns.map(columnOf) }));
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex');
  if ((await readSetting(connection, DIGEST)) === digest) return;
  const home = await connection.currentDatabase();
  const reshaped = await reshapedTables(connection, home, tables);
  const isRecreated = ({ endpoint }: DeclaredTable): boolean => recreated.includes(endpoint);
  refuse(reshaped.find((table) => !isRecreated(table)));
  for (const table of reshaped)
    await connection.run(`drop table ${quoteTable({ ...table, table: table.name })}`);
  const known = await knownTables(connection, home);
  const changes = made.flatMap((table) => changesOf(table, known.get(nameOf(table))));
  const rows = tables.map(({ schema, name, key, shape, endpoint, readFrom }) => {
    return { schema_name: schema, table_name: name, key, shape, endpoint, read_from: readFrom };
  });
  await transaction(connection, async () => {
    // A user's own table stays when its declaration is gone.
    const names = rows.map((row) => quoteLiteral(`${row.schema_name}.${row.table_name}`)).join(', ');
    const forget = `delete from meta.tables where schema_name <> 'own' or 'own.' || table_name in (${names})`;
    await connection.run([...changes, forget].join(';\n'));
    await connection.appendRows({ schema: 'meta', table: 'tables', rows });
    await writeSettings(connection, { [DIGEST]: digest });
  });
}

const keyRow = z.object({
  table_name: z.string(),
  key: z.array(z.string()),
  shape: z.string(),
  // Older versions leave these out.
  read_from: z.array(z.string()).nullish(),
});

async function knownTables(connection: Connection, catalog: string): Promise<Map<string, Relation>> {
  return new Map((await readRelations(connection, catalog)).map((table) => [nameOf(table), table]));
}

/** A user's own tables whose key, shape or column types differ from the file's. */
async function reshapedTables(connection: Connection, catalog: string, tables: readonly DeclaredTable[]) {
  const own = tables.filter(({ schema }) => schema === 'own');
  if (own.length === 0) return [];
  const sql = `select * from ${quoteTable({ catalog, schema: 'meta', table: 'tables' })} where schema_name = 'own'`;
  const keys = new Map((await connection.rowsAs(keyRow, sql)).map((row) => [row.table_name, row]));
  const known = await knownTables(connection, catalog);
  return own.filter((table) => {
    const before = keys.get(table.name);
    const types = new Map(
      known.get(nameOf(table))?.columns.map(({ name, type }) => [name, type.toLowerCase()]),
    );
    const isOther = table.columns.some(({ name, type }) => (types.get(name) ?? type) !== type);
    if (before === undefined) return false;
    const isReadElsewhere = !isDeepStrictEqual(before.read_from ?? table.readFrom, table.readFrom);
    const isOfOtherKey = before.shape !== table.shape || !isDeepStrictEqual(before.key, table.key);
    return isOther || isReadElsewhere || isOfOtherKey;
  });
}

/** @throws AnswerlakeError (configuration) if stored rows do not fit the declaration */
export async function refuseReshaped(
  connection: Connection,
  catalog: string,
  tables: readonly DeclaredTable[],
): Promise<void> {
  refuse((await reshapedTables(connection, catalog, tables))[0]);
}

function refuse(reshaped: DeclaredTable | undefined): void {
  if (reshaped === undefined) return;
  const { name, endpoint } = reshaped;
  throw usageError([
    `endpoints/${endpoint}.yaml: own.${name} has another key or date, or a column of another type; nothing was touched.`,
    toRun`Run ${`answerlake replay --endpoint ${endpoint} --recreate`}, or give the file another name`,
  ]);
}

/** The statements that bring a file's table to its declaration. */
function changesOf(table: TableColumns, known: TableColumns | undefined): string[] {
  const name = quoteTable({ schema: table.schema, table: table.name });
  const names = table.columns.map((column) => column.name);
  const found = known?.columns ?? [];
  // A column that is no longer declared keeps its values.
  const kept = found.filter((column) => !names.includes(column.name));
  const isWhole = isDeepStrictEqual(
    found.filter((column) => !kept.includes(column)).map((column) => column.name),
    names,
  );
  const columns = isWhole ? table.columns : table.columns.toSpliced(-2, 0, ...kept);
  const statements = isWhole ? [] : [createSql(name, columns)];
  if (!isWhole && known !== undefined) {
    // The audit columns stay last, which DuckDB cannot arrange in a table that has rows. No declared name begins with _.
    const before = `_${table.name}`;
    const old = quoteTable({ schema: table.schema, table: before });
    statements.unshift(`alter table ${name} rename to ${quoteIdentifier(before)}`);
    const added = names.filter((column) => found.every((one) => one.name !== column));
    statements.push(
      `insert into ${name} by name from ${old}`,
      ...added.map((column) => noteAdded(`${ADDED}${nameOf(table)}.${column}`, old)),
      `drop table ${old}`,
    );
  }
  // A new table has no comments.
  const commented = isWhole ? known : undefined;
  if (commented?.comment !== table.comment)
    statements.push(`comment on table ${name} is ${quoteLiteral(table.comment ?? '')}`);
  for (const column of columns) {
    const { comment } = column;
    if (commented?.columns.find((one) => one.name === column.name)?.comment === comment) continue;
    statements.push(
      `comment on column ${name}.${quoteIdentifier(column.name)} is ${quoteLiteral(comment ?? '')}`,
    );
  }
  return statements;
}

/** Settings with the newest change of a table's rows before a column was added: filling it in such rows is not a restatement. */
export const ADDED = 'added ';

function noteAdded(setting: string, old: string): string {
  const name = quoteLiteral(setting);
  return `delete from meta.settings where name = ${name};
    insert into meta.settings (name, value) select ${name}, cast(max(_changed_at) as varchar) from ${old} having count(*) > 0`;
}

function columnOf({ meaning, isRequired, ...column }: DeclaredTable['columns'][number]): Column {
  return { ...column, isNullable: !isRequired, comment: commentOf(meaning) };
}

function createSql(name: string, columns: readonly Column[]): string {
  const list = columns.map((column) => {
    return `${quoteIdentifier(column.name)} ${column.type}${column.isNullable ? '' : ' not null'}`;
  });
  return `create table ${name} (${list.join(', ')})`;
}
