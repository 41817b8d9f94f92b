import { createHash } from 'node:crypto';
import { z } from 'zod';
import { openDatabase } from '../../src/warehouse/database.ts';
import { nameRow } from '../../src/warehouse/values.ts';

const columnRow = z.object({ table: z.string(), column: z.string() });

/** Times are left out: a retry moves them, and the content is the same. */
const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['last_used_at'],
};

/** One digest for each core table: all rows in order, without the two columns that name the run. */
export async function contentHashes(path: string): Promise<Record<string, string>> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  const tables = await connection.rowsAs(
    nameRow,
    `select table_name as name from duckdb_tables()
     where database_name = current_database() and schema_name = 'core' order by name`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const left = ['_run_id', '_changed_at', ...(INSTANTS[name] ?? [])].join(', ');
    const removed = name === 'prompts' ? ' replace (removed_at is not null as removed_at)' : '';
    const rows = await connection.rows(`select * exclude (${left})${removed} from core.${name} order by all`);
    const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);
    hashes[name] = `${String(rows.length)} rows ${digest}`;
  }
  return hashes;
}

/** One digest for all core tables of a file. */
export async function contentHash(path: string): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(await contentHashes(path)))
    .digest('hex');
}

/** When and by which run something was written, and what a server said of itself; `sample` is any one of several. */
const OF_A_RUN =
  /^(_?run_id|last_run_id|_?changed_at|started_at|finished_at|fetched_at|rejected_at|replayed_at|first_seen|last_seen|sample|base_url)$/;
/** Limits are learned from a server's clock, settings name its address, migrations belong to a version. */
const LEFT_OUT: ReadonlySet<string> = new Set(['meta.quotas', 'meta.settings', 'meta.migrations']);

/** One digest for each table of `core` and `meta`, without what names a run or an instant: two ways of loading must agree on it. */
export async function warehouseHashes(path: string): Promise<Record<string, string>> {
  await using database = await openDatabase({ path, readOnly: true });
  const connection = await database.connect();
  const columns = await connection.rowsAs(
    columnRow,
    `select schema_name || '.' || table_name as "table", column_name as "column" from duckdb_columns()
     where database_name = current_database() and schema_name in ('core', 'meta') order by 1, column_index`,
  );
  const tables = new Set(columns.map(({ table }) => table));
  const hashes: Record<string, string> = {};
  for (const table of tables) {
    if (LEFT_OUT.has(table)) continue;
    const instants = INSTANTS[table.replace('core.', '')] ?? [];
    const kept = columns
      .filter((column) => column.table === table)
      .map(({ column }) => column)
      .filter((column) => !OF_A_RUN.test(column) && !instants.includes(column))
      .map((column) => (column === 'removed_at' ? 'removed_at is not null' : column));
    const rows = await connection.rows(`select ${kept.join(', ')} from ${table} order by all`);
    const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);
    hashes[table] = `${String(rows.length)} rows ${digest}`;
  }
  return hashes;
}
