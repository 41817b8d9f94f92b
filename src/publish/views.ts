import { createHash } from 'node:crypto';
import type { Connection } from '../warehouse/connection.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import { transaction } from '../warehouse/transaction.ts';

/** Creates every view of `sql/views`, with comments, in the current database; the files are in order of dependency. */
export async function createViews(connection: Connection): Promise<void> {
  // One transaction: hundreds of comments would each wait for the disk.
  await transaction(connection, async () => {
    for (const view of readSqlFiles('views')) await connection.run(view.sql);
  });
}

/** Changes when any view changes: a program with other views publishes anew although no row changed. */
export function viewsDigest(): string {
  const hash = createHash('sha256');
  for (const view of readSqlFiles('views')) hash.update(view.sql);
  return hash.digest('hex');
}
