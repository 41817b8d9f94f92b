import { createHash } from 'node:crypto';
import { openDatabase } from '../../src/warehouse/database.ts';
import { nameRow } from '../../src/warehouse/connection.ts';

/** Times are left out: a retry moves them, and the content is the same. */
const INSTANTS: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['last_used_at'],
  prompt_snapshots: ['seen_at'],
};

/** One digest for each core table: all rows in order; `isWhole`: with run and time of change. */
export async function contentHashes(path: string, isWhole = false): Promise<Record<string, string>> {
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
    const columns = isWhole ? '*' : `* exclude (${left})${removed}`;
    const rows = await connection.rows(`select ${columns} from core.${name} order by all`);
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
