import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import { type Connection, transaction } from '../../warehouse/connection.ts';
import { withNewFilesFor, openMemoryDatabase } from '../../warehouse/database.ts';
import { commentOn } from '../target.ts';
import { isStale, unnested, writeRows } from '../target-rows.ts';
import type { TargetChange, TargetContent, TargetStore } from '../target-rows.ts';
import type { PublishedSource, PublishTarget, TargetReport, TargetStatus } from '../target.ts';
import { catalogAddress, catalogName, LAKE, withExtensions, withLake } from './with-lake.ts';
import type { LakeSettings } from './with-lake.ts';
import * as tables from '../../warehouse/tables.ts';
import { existsSync } from 'node:fs';
import { quoteLiteral, quoteIdentifier } from '../../warehouse/sql.ts';
import { readViewFiles } from '../../publish/published-file.ts';

/** A lake of Parquet files with a catalog (https://ducklake.select), with the content of the published file. */
export function openDuckLake(settings: LakeSettings): PublishTarget {
  return {
    name: 'ducklake',
    inspect: () => inspectLake(settings),
    bringUpToDate: (source) =>
      withExtensions(source.connection, settings, () => bringUpToDate(source, settings)),
  };
}

async function bringUpToDate(
  { connection: home, ...source }: PublishedSource,
  settings: LakeSettings,
): Promise<TargetReport | null> {
  using connection = await home.another();
  let report: TargetReport | null = null;
  const now = Date.parse(source.settings.get('published_at') ?? '');
  await withLake(home, { ...settings, now }, () =>
    withNewFilesFor(settings.mode, async () => {
      const own = { ...source, connection };
      report = await transaction(connection, () => writeRows(storeOf(connection), own));
      if (report !== null) await compactLake(connection, settings.maxFiles);
      return report !== null;
    }),
  );
  return report;
}

const SETTINGS = `${LAKE}.meta.target_settings`;
const PARTS = `${LAKE}.meta.target_parts`;

function storeOf(connection: Connection): TargetStore {
  return {
    where: { setting: 'warehouse.lake', rid: 'remove that lake' },
    settings: async () => {
      const names = (await tables.readRelations(connection, LAKE)).map(tables.nameOf);
      if (names.includes('meta.target_settings')) return await tables.readSettings(connection, SETTINGS);
      // A lake of 0.3.0 kept no digests.
      return new Map(names.includes('meta.runs') ? [['structure', null]] : []);
    },
    rowsAs: (row, sql) => connection.rowsAs(row, sql.replaceAll('{target}', `${LAKE}.`)),
    isWhole: async ({ relations, viewNames }) => {
      const found = new Map(
        (await tables.readRelations(connection, LAKE)).map((one) => [tables.nameOf(one), shapeOf(one)]),
      );
      const isThere = (one: tables.TableColumns): boolean => found.get(tables.nameOf(one)) === shapeOf(one);
      return relations.every(isThere) && viewNames.every((name) => found.has(name));
    },
    changeStructure: (content) => changeStructure(connection, content),
    write: (change) => writeChange(connection, change),
    writeSettings: (settings) => tables.writeSettings(connection, settings, { table: SETTINGS }),
  };
}

function shapeOf({ columns }: tables.TableColumns): string {
  return columns.map(({ name, type }) => `${name} ${type}`).join();
}

async function writeChange(
  connection: Connection,
  { relation, stale, fresh, digests, freshRows }: TargetChange,
): Promise<number> {
  const name = quoteLiteral(tables.nameOf(relation));
  await connection.run(`create or replace temp table target_stale as from ${unnested('shard')}`, [
    stale.map(({ part }) => part),
    stale.map(({ shard }) => shard),
  ]);
  const kept = [[...digests.keys()], [...digests.values()]];
  await connection.run(`create or replace temp table target_digests as from ${unnested('digest')}`, kept);
  await connection.run(`delete from ${inLake(relation)} r where ${isStale(relation)};
    delete from ${PARTS} p where p.table_name = ${name} and exists (from temp.target_digests d where d.part is not distinct from p.part);
    insert into ${PARTS} select ${name}, part, digest from temp.target_digests where digest is not null`);
  if (fresh.length === 0) return 0;
  return await connection.run(`insert into ${inLake(relation)} select r.* ${freshRows}`);
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
    return (await storeOf(connection).settings()).get('published_at') ?? null;
  });
  return { what, publishedAt };
}

const inLake = (table: tables.TableName): string => tables.inCatalog(LAKE, table);
const COLUMN_COMMENT = /^comment on column [\w."]+ is\s+'(?:[^']|'')*';$/gm;

/** Creates everything again, empty: a lake has no schema of ours with something of others in it. */
async function changeStructure(
  connection: Connection,
  { relations, viewsSql }: TargetContent,
): Promise<void> {
  for (const { isView, ...one } of (await tables.readRelations(connection, LAKE)).toReversed())
    if (tables.SCHEMAS.some((schema) => schema === one.schema))
      await connection.run(`drop ${isView ? 'view' : 'table'} ${inLake(one)}`);
  for (const schema of tables.SCHEMAS)
    await connection.run(`create schema if not exists ${LAKE}.${quoteIdentifier(schema)}`);
  await connection.run(`create table ${SETTINGS} (name varchar, value varchar);
    create table ${PARTS} (table_name varchar, part varchar, digest varchar)`);
  for (const relation of relations) {
    const columns = relation.columns.map(
      ({ name, type, isNullable }) => `${quoteIdentifier(name)} ${type}${isNullable ? '' : ' not null'}`,
    );
    await connection.run(`create table ${inLake(relation)} (${columns.join(', ')})`);
    await connection.run(commentOn(relation, inLake(relation)));
  }
  const functions = readViewFiles().find(({ name }) => name === 'text_functions')?.sql ?? '';
  // DuckLake stores no comments on columns of views: `meta.columns` has them.
  await connection.run(`use ${LAKE};\n${functions}\n${viewsSql.replaceAll(COLUMN_COMMENT, '')}`);
}
