import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { storageProblem } from '../warehouse/failure.ts';
import { schemaVersion } from '../warehouse/migrate.ts';
import { quoteLiteral, quoteIdentifier, readSqlFiles } from '../warehouse/sql.ts';
import { haveSameTables, inCatalog, nameOf, readSetting, readTables } from '../warehouse/tables.ts';
import type { TableName } from '../warehouse/tables.ts';
import { inspectPublished, PUBLISHED, resolveTarget, type Published } from '../warehouse/published.ts';
import { OWN_VIEWS_SETTING, ownViewsDigest, readOwnViews } from './own-views.ts';
import { createViews, VIEWS_SETTING, viewsDigest } from './published-file.ts';
import { openCatalogue } from '../endpoints/catalogue.ts';

const PARTS = 'temp.publish_parts';

const changeRow = z.object({ table_name: z.string(), rows: z.number() });

/** Remembers the parts of tables until `dropPartitions`. */
export async function collectPartitions(
  connection: Connection,
  tables: readonly TableName[],
  catalog: string,
): Promise<void> {
  await connection.run(`create or replace temp table publish_parts as ${selectPartitions(tables, catalog)}`);
}

/** Compares tables of another file with the parts that were collected; the parts that differ are in `CHANGED_PARTITIONS` afterwards. Returns the tables that differ, and the number of rows in these parts. */
export async function findChanges(connection: Connection, tables: readonly TableName[], catalog: string) {
  const names = tables.map((table) => quoteLiteral(nameOf(table))).join(', ');
  await connection.run(
    `create or replace temp table publish_changes as
     select table_name, part, any_value(day) as day, coalesce(max(row_count) filter (is_ours), 0) as row_count
     from (select *, true as is_ours from ${PARTS} where table_name in (${names}) union all select *, false from (${selectPartitions(tables, catalog)}))
     group by table_name, part
     having count(*) = 1 or min(row_count) <> max(row_count) or min(digest) <> max(digest)`,
  );
  const changed = await connection.rowsAs(
    changeRow,
    `select table_name, cast(sum(row_count) as bigint) as rows from ${CHANGED_PARTITIONS} group by table_name`,
  );
  const differing = new Set(changed.map(({ table_name: name }) => name));
  return {
    tables: tables.filter((table) => differing.has(nameOf(table))),
    rows: changed.reduce((sum, { rows }) => sum + rows, 0),
  };
}

export async function dropPartitions(connection: Connection): Promise<void> {
  await connection.run(`drop table if exists ${PARTS}; drop table if exists ${CHANGED_PARTITIONS}`);
}

/**
 * Why the working file has to be published; undefined when the published file already says the same. A run that changed no row of `core`,
 * covered no new day and left every slice as it was needs no publish, although `meta.runs` has grown. A damaged file is one to replace.
 * @throws WarehouseError (storage) when the target is not a file, or answerlake did not publish it
 */
export async function whyPublish(
  connection: Connection,
  { path, storageVersion, viewsDir }: { path: string; storageVersion: string; viewsDir?: string | undefined },
): Promise<string | undefined> {
  const version = await schemaVersion(connection);
  const compare = async (published: Published, home: string): Promise<string | null> => {
    const { settings } = published;
    if (published.schemaVersion !== version) return 'the schema changed';
    if (settings.get(VIEWS_SETTING) !== viewsDigest()) return 'the views changed';
    if ((settings.get(OWN_VIEWS_SETTING) ?? '') !== ownViewsDigest(readOwnViews(viewsDir)))
      return 'views of your own changed';
    if (settings.get('published_storage_version') !== storageVersion) return 'the storage version changed';
    // A working file that was built again has none yet.
    await createViews(connection);
    if (!(await haveSameTables(connection, home, PUBLISHED))) return 'the tables changed';
    return (await haveSameRows(connection, home)) ? null : 'the data changed';
  };
  try {
    const compared = await inspectPublished(connection, resolveTarget(path), compare);
    return compared === undefined ? 'nothing is published yet' : (compared ?? undefined);
  } catch (error) {
    if (await isDamaged(connection, error)) return 'the published file is damaged';
    throw error;
  }
}

/** Whether a failure to read the target means that a file of an earlier publish is damaged. */
export async function isDamaged(connection: Connection, error: unknown): Promise<boolean> {
  if (storageProblem(error) !== 'corrupt') return false;
  return (await readSetting(connection, 'published_at')) !== null;
}

/** Compares tables that are the same in both files. */
async function haveSameRows(connection: Connection, home: string): Promise<boolean> {
  try {
    const tables = (await readTables(connection, home)).filter(({ schema }) => schema === 'core');
    await collectPartitions(connection, tables, home);
    const changes = await findChanges(connection, tables, PUBLISHED);
    if (changes.tables.length > 0) return false;
    return (await fingerprint(connection, home)) === (await fingerprint(connection, PUBLISHED));
  } finally {
    await dropPartitions(connection);
  }
}

/** What a file says beyond the rows of `core`, as text: two files with the same one cover the same. */
async function fingerprint(connection: Connection, catalog: string): Promise<string> {
  const parts = readSqlFiles('publish').map(({ sql }) => sql.replace(/;\s*$/, ''));
  const current = await connection.currentDatabase();
  await connection.run(`use ${quoteIdentifier(catalog)}`);
  try {
    return JSON.stringify(await connection.rows(`from (${parts.join('\nunion all\n')}\n) order by part`));
  } finally {
    await connection.run(`use ${quoteIdentifier(current)}`);
  }
}

/** Temporary table with the parts that differ: `table_name`, `part`, `day`. */
export const CHANGED_PARTITIONS = 'temp.publish_changes';

/** Tables whose key has no day, and what cuts them into parts so that a night touches few and years do not make many. */
export const CUTS: ReadonlyMap<string, string> = new Map([
  ['core.events', 'date'],
  ['meta.slices', 'window_start'],
  ['meta.rejects', 'run_id'],
  ['meta.restatements', 'run_id'],
]);

/** Columns that stand for a whole row, where rows are long and never change. */
export const DIGESTED: ReadonlyMap<string, string> = new Map([
  ['meta.restatements', 'table_name, change, changed_at'],
]);

/*
 * The rows of a table fall into parts: one for each day, window or run where the table has such a column, and one for each row
 * elsewhere. Parts with the same number of rows and the same digest hold the same rows in two files.
 */

/** The column of days in the key of a table, which cuts it into parts; null when its key has none. */
export function dayColumn(table: TableName): 'date' | 'window_start' | null {
  const key = table.schema === 'core' ? (openCatalogue().keys.get(table.name) ?? []) : [];
  if (key.includes('date')) return 'date';
  return key.includes('window_start') ? 'window_start' : null;
}

/** Columns of days that cut tables into parts. */
const DAYS: ReadonlySet<string> = new Set(['date', 'window_start']);

/** One row for each part of each table: `table_name`, `part`, `day`, `row_count`, `digest`. */
function selectPartitions(tables: readonly TableName[], catalog: string): string {
  const queries = tables.map((table) => {
    const name = nameOf(table);
    const by = cutOf(table);
    const day = DAYS.has(by) ? by : 'null::date';
    return (
      `select ${quoteLiteral(name)} as table_name, hash(${by}) as part, ${day} as day, ` +
      `count(*) as row_count, bit_xor(hash(${DIGESTED.get(name) ?? 't'})) as digest ` +
      `from ${fromTable(table, catalog)} group by ${by === 't' ? 'part' : by}`
    );
  });
  return queries.join('\nunion all\n');
}

/** The column that cuts a table into parts; `t` where each row is a part of its own. */
function cutOf(table: TableName): string {
  return dayColumn(table) ?? CUTS.get(nameOf(table)) ?? 't';
}

/** The rows `t` of a table that say what the warehouse holds; the settings that a publish keeps about itself are left out. */
function fromTable(table: TableName, catalog: string): string {
  const own = nameOf(table) === 'meta.settings' ? "not starts_with(name, 'published')" : 'true';
  return `${inCatalog(catalog, table)} as t where ${own}`;
}

/** Replaces the parts in `CHANGED_PARTITIONS` of each table in the catalog `to` by those in the catalog `from`. */
export async function replacePartitions(
  connection: Connection,
  { tables, from, to }: { tables: readonly TableName[]; from: string; to: string },
): Promise<void> {
  for (const table of tables) {
    const changed = `from ${CHANGED_PARTITIONS} where table_name = ${quoteLiteral(nameOf(table))}`;
    const day = dayColumn(table);
    const rows =
      day === null
        ? `hash(${cutOf(table)}) in (select part ${changed})`
        : `t.${day} in (select day ${changed})`;
    await connection.run(`delete from ${fromTable(table, to)} and ${rows}`);
    await connection.run(
      `insert into ${inCatalog(to, table)} select t.* from ${fromTable(table, from)} and ${rows}`,
    );
  }
}
