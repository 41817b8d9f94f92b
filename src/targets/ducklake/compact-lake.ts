import { z } from 'zod';
import type { Connection } from '../../warehouse/connection.ts';
import { LAKE } from './with-lake.ts';

/** Each night leaves a file or two in each table that it changes; reading slows down with their number. */
const MOST_FILES = 20;
/** Readers that look at an earlier state may go on for so long. */
const KEPT = `interval '7 days'`;
/** Share of deleted rows from which on a file is written anew. */
const MOST_DELETED = 0.05;

/**
 * Makes few files of many where a table has too many, forgets states that are older than a week, and removes files that nothing needs.
 * A file that is still part of a state that readers may look at is never removed.
 */
export async function compactLake(connection: Connection, mostFiles: number = MOST_FILES): Promise<void> {
  const [found] = await connection.rowsAs(
    z.object({ files: z.number().nullable() }),
    `select max(file_count + delete_file_count) as files from ducklake_table_info('${LAKE}')`,
  );
  if ((found?.files ?? 0) > mostFiles) {
    await connection.run(`call ducklake_rewrite_data_files('${LAKE}', delete_threshold => ${MOST_DELETED})`);
    await connection.run(`call ducklake_merge_adjacent_files('${LAKE}')`);
  }
  await connection.run(`call ducklake_expire_snapshots('${LAKE}', older_than => now() - ${KEPT})`);
  await connection.run(`call ducklake_cleanup_old_files('${LAKE}', older_than => now() - ${KEPT})`);
  // Of writers that were killed: nobody else writes, and no state names them.
  await connection.run(`call ducklake_delete_orphaned_files('${LAKE}', cleanup_all => true)`);
}
