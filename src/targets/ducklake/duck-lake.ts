import { z } from 'zod';
import { messageOf, storageError } from '../../errors.ts';
import * as compare from '../../publish/compare.ts';
import { type Connection, transaction, nameRow } from '../../warehouse/connection.ts';
import { withNewFilesFor, openMemoryDatabase } from '../../warehouse/database.ts';
import { requireKnownRuns, commentOn } from '../target.ts';
import type { PublishedSource, PublishTarget, TargetReport, TargetStatus } from '../target.ts';
import { catalogAddress, catalogName, LAKE, withExtensions, withLake } from './with-lake.ts';
import type { LakeSettings } from './with-lake.ts';
import { haveSameTables, inCatalog, nameOf, readTables, type TableName } from '../../warehouse/tables.ts';
import { readSettings, writeSettings } from '../../warehouse/tables.ts';
import { existsSync } from 'node:fs';
import { quoteLiteral, quoteIdentifier, readSql } from '../../warehouse/sql.ts';
import { readViewFiles } from '../../publish/published-file.ts';

const SETTINGS = `${LAKE}.meta.settings`;

/** A lake of Parquet files with a catalog (https://ducklake.select), with the content of the published file. */
export function openDuckLake(settings: LakeSettings): PublishTarget {
  return {
    name: 'ducklake',
    inspect: () => inspectLake(settings),
    bringUpToDate: (source) =>
      withExtensions(source.connection, settings, () => bringUpToDate(source, settings)),
  };
}

async function bringUpToDate(source: PublishedSource, settings: LakeSettings): Promise<TargetReport | null> {
  const { connection } = source;
  let report: TargetReport | null = null;
  const now = Date.parse(source.settings.get('published_at') ?? '');
  try {
    await withLake(connection, { ...settings, now }, () =>
      withNewFilesFor(settings.mode, async () => {
        report = await transaction(connection, () => change(source));
        if (report !== null) await compactLake(connection, settings.maxFiles);
        return report !== null;
      }),
    );
  } finally {
    await compare.dropPartitions(connection);
  }
  return report;
}

/** Writes the parts that differ; null if none do. */
async function change(source: PublishedSource): Promise<TargetReport | null> {
  const { connection, catalog } = source;
  const published = [...source.settings].filter(([name]) => name.startsWith('published'));
  const hasTables = await haveSameTables(connection, catalog, LAKE);
  if (!hasTables) await createTables(connection, catalog);
  const settings = await readSettings(connection, SETTINGS);
  const hasPublish = published.every(([name, value]) => settings.get(name) === value);
  const hasViews = settings.get('published_views') === source.settings.get('published_views');
  if (hasTables) {
    const held = await connection.rowsAs(
      nameRow,
      `select run_id as name from ${LAKE}.meta.runs order by sequence nulls first, run_id`,
    );
    await requireKnownRuns(source, held, { setting: 'warehouse.lake', rid: 'remove that lake' });
  }
  if (hasPublish) return null;
  if (!hasViews) await createLakeViews(connection, catalog);
  const compared = await readTables(connection, catalog);
  await compare.collectPartitions(connection, compared, catalog);
  const changes = await compare.findChanges(connection, compared, LAKE);
  const parts =
    (await connection.value(z.number(), `select count(*) from ${compare.CHANGED_PARTITIONS}`)) ?? 0;
  await compare.replacePartitions(connection, { tables: changes.tables, from: catalog, to: LAKE });
  await writeSettings(connection, Object.fromEntries(published), SETTINGS);
  const left =
    changes.tables.length === 0 ? [] : (await compare.findChanges(connection, changes.tables, LAKE)).tables;
  if (left.length === 0) return { parts, rows: changes.rows };
  const names = left.map(nameOf).join(', ');
  throw storageError(
    `the lake: after the changes, ${names} still differ from the published file; it was left as it was`,
  );
}

/** Each night adds a file or two to each table that it changes, and reading slows down with their number. */
const MAX_FILES = 20;
/** Readers may use an earlier state for this long. */
const RETENTION = `interval '7 days'`;
/** A file with a larger share of deleted rows is rewritten. */
const MAX_DELETED_SHARE = 0.05;

/**
 * Merges the files of tables that have too many, removes states that are older than a week, and deletes files that no state uses.
 * A file that belongs to a state that readers may use is never deleted.
 */
async function compactLake(connection: Connection, maxFiles: number = MAX_FILES): Promise<void> {
  const files = await connection.value(
    z.number().nullable(),
    `select max(file_count + delete_file_count) from ducklake_table_info('${LAKE}')`,
  );
  const call = (name: string, ...options: readonly string[]): Promise<number> =>
    connection.run(`call ducklake_${name}(${[`'${LAKE}'`, ...options].join(', ')})`);
  if ((files ?? 0) > maxFiles) {
    await call('rewrite_data_files', `delete_threshold => ${MAX_DELETED_SHARE}`);
    await call('merge_adjacent_files');
  }
  await call('expire_snapshots', `older_than => now() - ${RETENTION}`);
  await call('cleanup_old_files', `older_than => now() - ${RETENTION}`);
  // Files of writers that were killed: there is no other writer, and no state uses them.
  await call('delete_orphaned_files', 'cleanup_all => true');
}

/** Reads the lake as a reader does. @throws AnswerlakeError that names the obstacle */
async function inspectLake(settings: LakeSettings): Promise<TargetStatus> {
  const what = `lake of Parquet files in ${settings.data}, ${catalogName(settings)}`;
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  const { catalog } = settings;
  const publishedAt = await withExtensions(connection, settings, async () => {
    if (typeof catalog === 'string' && !existsSync(catalog)) return null;
    try {
      await connection.run(`attach ${quoteLiteral(catalogAddress(catalog))} as ${LAKE} (read_only)`);
    } catch (error) {
      // PostgreSQL has no lake yet.
      if (typeof catalog === 'string' || !/explicitly disabled/.test(messageOf(error))) throw error;
      return null;
    }
    return (await readSettings(connection, SETTINGS)).get('published_at') ?? null;
  });
  return { what, publishedAt };
}

/** Replaces the tables of the lake by those of another catalog, empty, with their comments. */
async function createTables(connection: Connection, catalog: string): Promise<void> {
  await dropViews(connection);
  for (const table of await readTables(connection, LAKE)) await connection.run(`drop table ${inLake(table)}`);
  const tables = await readTables(connection, catalog);
  for (const schema of new Set(tables.map((table) => table.schema))) {
    await connection.run(`create schema if not exists ${LAKE}.${quoteIdentifier(schema)}`);
  }
  for (const table of tables) {
    const columns = table.columns.map(
      ({ name, type, isNullable }) => `${quoteIdentifier(name)} ${type}${isNullable ? '' : ' not null'}`,
    );
    await connection.run(`create table ${inLake(table)} (${columns.join(', ')})`);
    await connection.run(commentOn(table, inLake(table)));
  }
}

const inLake = (table: TableName): string => inCatalog(LAKE, table);

const COLUMN_COMMENT = /^comment on column [\w."]+ is\s+'(?:[^']|'')*';$/gm;
/** Creates every view of `sql/views`, with comments; the comments on their columns are read from another catalog. */
async function createLakeViews(connection: Connection, catalog: string): Promise<void> {
  const home = await connection.currentDatabase();
  await dropViews(connection);
  await connection.run(`use ${LAKE}`);
  for (const { sql } of readViewFiles('duckdb')) await connection.run(sql.replaceAll(COLUMN_COMMENT, ''));
  await connection.run(`use ${quoteIdentifier(home)}`);
  // DuckLake stores no comments on columns of views, so they become a view.
  const texts = z.record(z.string(), z.string());
  const comments = await connection.rowsAs(texts, readSql('ducklake/view-comments'), [catalog]);
  const rows = comments.map((row) => `(${Object.values(row).map(quoteLiteral).join(', ')})`);
  await connection.run(
    `create view ${LAKE}.meta.view_columns as select schema_name, view_name, column_name, comment from (values ${rows.join(', ')}) c(schema_name, view_name, column_name, comment);
     comment on view ${LAKE}.meta.view_columns is 'What the columns of the views mean: a lake keeps no comments on them. One row per view and column.'`,
  );
}

async function dropViews(connection: Connection): Promise<void> {
  const views = await connection.rowsAs(
    z.object({ schema: z.string(), name: z.string() }),
    `select schema_name as schema, view_name as name from duckdb_views() where database_name = $1 and not internal`,
    [LAKE],
  );
  for (const view of views) await connection.run(`drop view ${inLake(view)}`);
}
