import type { Connection } from './connection.ts';
import { quoteIdentifier, quoteLiteral } from './sql.ts';

interface Attachment {
  path: string;
  alias: string;
  /** The `storage_version` of a file that is made; it is whole once it was checkpointed. Without it, the file is attached read-only. */
  storageVersion?: string;
}

/** Runs `work` with a file attached, then detaches it and restores the current database, whose name `work` is told. */
export async function withAttached<T>(
  connection: Connection,
  attachment: Attachment,
  work: (home: string) => Promise<T>,
): Promise<T> {
  const home = await connection.currentDatabase();
  const alias = quoteIdentifier(attachment.alias);
  const mode =
    attachment.storageVersion === undefined
      ? 'read_only'
      : // The file is useless until it is complete, so skip the write-ahead log.
        `recovery_mode 'no_wal_writes', storage_version ${quoteLiteral(attachment.storageVersion)}`;
  await connection.run(`attach ${quoteLiteral(attachment.path)} as ${alias} (${mode})`);
  try {
    return await work(home);
  } finally {
    await detach(connection, alias, home);
  }
}

async function detach(connection: Connection, alias: string, home: string): Promise<void> {
  const goHome = `use ${quoteIdentifier(home)}`;
  try {
    await connection.run(goHome);
  } catch {
    // After a failed checkpoint (a full disk) of the current database no statement runs until it is gone.
    using other = await connection.another();
    await other.run(`detach ${alias}`);
    await connection.run(goHome);
    return;
  }
  await connection.run(`detach ${alias}`);
}
