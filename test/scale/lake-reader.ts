import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { openDuckLake } from '../../src/targets/ducklake/duck-lake.ts';
import {
  loadExtensions,
  createBucketSecret,
  isBucket,
  type LakePlace,
  type LakeSettings,
  catalogAddress,
} from '../../src/targets/ducklake/with-lake.ts';
import type { TargetReport } from '../../src/targets/target.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openMemoryDatabase, type Database } from '../../src/warehouse/database.ts';
import { quoteLiteral } from '../../src/warehouse/sql.ts';
import { bringTo, isHeld } from './target-content.ts';

/** The folder with the extensions; without it, the tests of lakes are skipped. */
export const EXTENSIONS = process.env['ANSWERLAKE_EXTENSIONS'] ?? '';

/** DuckLake asks its catalog for each table by small queries, which more threads make dearer. */
export const ONE_THREAD = 'set threads = 1';

if (EXTENSIONS === '') {
  console.log('skipped: no lake, because ANSWERLAKE_EXTENSIONS is not set (.ci/with-extensions sets it)');
}

export function placeIn(folder: string): LakePlace {
  return { catalog: join(folder, 'lake.ducklake'), data: join(folder, 'lake'), extensions: EXTENSIONS };
}

/** What a publish does to the lake. */
export async function bringUp(
  connection: Connection,
  published: string,
  settings: LakePlace & Partial<LakeSettings>,
): Promise<TargetReport | null> {
  await connection.run(ONE_THREAD);
  return await bringTo(openDuckLake({ mode: 0o444, ...settings }), connection, published);
}

/** A reader of the lake, which has it attached as `lake`. */
export class LakeReader implements AsyncDisposable {
  readonly connection: Connection;
  readonly #database: Database;

  private constructor(database: Database, connection: Connection) {
    this.#database = database;
    this.connection = connection;
  }

  static async open(place: LakePlace): Promise<LakeReader> {
    const database = await openMemoryDatabase();
    const connection = await database.connect();
    await connection.run(ONE_THREAD);
    await loadExtensions(connection, { ...place, mode: 0 });
    if (isBucket(place.data)) await createBucketSecret(connection);
    await connection.run(`attach ${quoteLiteral(catalogAddress(place.catalog))} as lake (read_only)`);
    return new LakeReader(database, connection);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }
}

const nameRow = z.object({ name: z.string() });
const columnRow = z.object({ relation: z.string(), name: z.string(), type: z.string() });

/** What of the tables, views, rows and comments of a published file is otherwise in the lake, a line each. */
export async function differences(
  published: string,
  place: LakePlace,
  { views: withViews = true } = {},
): Promise<string[]> {
  await using reader = await LakeReader.open(place);
  const { connection } = reader;
  await connection.run(`attach ${quoteLiteral(published)} as file (read_only)`);
  const found = await commentDifferences(connection);
  const columns = await connection.rowsAs(
    columnRow,
    `select schema_name || '.' || table_name as relation, column_name as name, data_type as type from duckdb_columns()
     where database_name = 'file' and not internal and ${isHeld('table_name', "'file'")} order by column_index`,
  );
  for (const relation of new Set(columns.map((column) => column.relation))) {
    const isView = /^(main|detail)\./.test(relation);
    if (isView && !withViews) continue;
    const list = columns
      // An age is told by the clock of the reader.
      .filter((column) => column.relation === relation && column.name !== 'age_hours')
      // In views, doubles are added up in another order.
      .map(({ name, type }) =>
        isView && type === 'DOUBLE' ? `round("${name}", 9) as "${name}"` : `"${name}"`,
      )
      .join(', ');
    const [row] = await connection.rows(
      `select (select count(*) + coalesce(sum(hash(t)), 0) from (select ${list} from file.${relation}) t)
         = (select count(*) + coalesce(sum(hash(t)), 0) from (select ${list} from lake.${relation}) t) as is_same`,
    );
    if (row?.['is_same'] !== true) found.push(`${relation}: rows differ`);
  }
  return found;
}

/** Relations, columns, types and comments; DuckLake keeps none on columns of views. */
async function commentDifferences(connection: Connection): Promise<string[]> {
  const where = (catalog: string, name: string): string =>
    `where database_name = '${catalog}' and not internal and ${isHeld(name, "'file'")} and ${name} not like 'target\\_%' escape '\\'`;
  const relations = (catalog: string): string =>
    `select schema_name, table_name as name, comment from duckdb_tables() ${where(catalog, 'table_name')}
     union all select schema_name, view_name, comment from duckdb_views() ${where(catalog, 'view_name')}`;
  const columns = (catalog: string): string =>
    `select schema_name, table_name, column_name, row_number() over (partition by schema_name, table_name order by column_index) as place, data_type,
       case when (schema_name, table_name) not in (select (v.schema_name, v.view_name) from duckdb_views() v where v.database_name = 'lake') then comment end as comment
     from duckdb_columns() ${where(catalog, 'table_name')}`;
  const found: string[] = [];
  for (const of of [relations, columns]) {
    const rows = await connection.rows(
      `with a as (${of('file')}), b as (${of('lake')}) (select 'file' as side, * from (from a except from b)) union all (select 'lake', * from (from b except from a))`,
    );
    found.push(...rows.map((row) => JSON.stringify(row)));
  }
  return found;
}

/** Parquet files of the lake, in all states that it keeps. */
export function parquetFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.parquet'),
  );
}

/** Parquet files that no state of the lake names and that do not wait for their removal, and those that are missing. */
export async function strayFiles(place: LakePlace): Promise<string[]> {
  await using reader = await LakeReader.open(place);
  const rows = await reader.connection.rowsAs(
    nameRow,
    ['ducklake_data_file', 'ducklake_delete_file', 'ducklake_files_scheduled_for_deletion']
      .map((table) => `select regexp_extract(path, '[^/]+$') as name from __ducklake_metadata_lake.${table}`)
      .join(' union '),
  );
  const known = new Set(rows.map(({ name }) => name));
  const found = new Set(parquetFiles(place.data).map((name) => basename(name)));
  return [...known, ...found].filter((name) => !known.has(name) || !found.has(name));
}
