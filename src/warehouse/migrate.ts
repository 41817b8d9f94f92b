import { z } from 'zod';
import type { Message } from '../errors.ts';
import { type Connection, transaction } from './connection.ts';
import { WarehouseError, type StorageProblem } from './failure.ts';
import { declareTables, type DeclaredTable } from './declared-tables.ts';
import { readSqlFiles, type SqlFile } from './sql.ts';

/** Upgrades a file to this program: to its newest migration, then to the declared tables. @throws as `migrate` */
export async function upgrade(
  connection: Connection,
  {
    now,
    tables,
    recreated,
  }: { now: number; tables: readonly DeclaredTable[]; recreated?: readonly string[] | undefined },
): Promise<void> {
  await migrate(connection, { now });
  await declareTables(connection, tables, recreated);
}

interface MigrateOptions {
  /** Milliseconds since the epoch. */
  now: number;
  /** Default: the files of `sql/migrations`. */
  files?: readonly SqlFile[];
}

/**
 * Upgrades a file to the newest version, one transaction per migration, forward only.
 * @throws WarehouseError (storage) when the file is newer than the program, older than its first migration, or of another program
 */
export async function migrate(connection: Connection, options: MigrateOptions): Promise<void> {
  const files = options.files ?? readSqlFiles('migrations');
  const refusal = await versionRefusal(connection, { files, mayBeEmpty: true });
  if (refusal !== null) throw refusal;
  const from = (await schemaVersion(connection)) ?? 0;
  // A new file starts with all tables of the baseline; an old one reaches the same state through the earlier migrations.
  const start = from === 0 ? files.find(isBaseline) : undefined;
  const later = files.filter((file) => file.number > (start?.number ?? from) && !isBaseline(file));
  for (const file of start === undefined ? later : [start, ...later]) {
    await transaction(connection, async () => {
      await connection.run(file.sql);
      const rows = [{ version: file.number, name: file.name, applied_at: options.now }];
      await connection.appendRows({ schema: 'meta', table: 'migrations', rows });
    });
  }
}

/** The migration that creates all tables of `meta` at once. */
function isBaseline({ name }: SqlFile): boolean {
  return name === 'baseline';
}

/** Why this program cannot use a file: it belongs to another program, or its version is too new or no longer supported; null if it can. */
export async function versionRefusal(
  connection: Connection,
  { files, mayBeEmpty }: { files?: readonly SqlFile[]; mayBeEmpty?: boolean } = {},
): Promise<WarehouseError | null> {
  const numbers = (files ?? readSqlFiles('migrations')).map(({ number }) => number);
  const [oldest, newest] = [(numbers[0] ?? 1) - 1, numbers.at(-1) ?? 0];
  const refusal = (problem: StorageProblem, why: Message): WarehouseError =>
    new WarehouseError(why, { problem, path: connection.path });
  const version = await schemaVersion(connection);
  if (version === undefined || (version === 0 && mayBeEmpty !== true))
    return refusal('foreign', [
      'is a DuckDB database of another program;',
      'move it away or configure another path',
    ]);
  const versions = `has schema version ${version}, this answerlake knows ${newest}`;
  if (version > newest) return refusal('newer format', [`${versions};`, 'update answerlake']);
  const todo = 'move the working and the published file away, and the next sync begins new ones';
  return version > 0 && version < oldest
    ? refusal('older format', ['was written by answerlake 0.1;', todo])
    : null;
}

/** The file's newest migration; 0 if it is empty, undefined if it has tables of another program. */
export async function schemaVersion(connection: Connection): Promise<number | undefined> {
  const [found] = await connection.rowsAs(
    z.object({ tables: z.number(), ledger: z.number() }),
    `select count(*) as tables, count(*) filter (schema_name = 'meta' and table_name = 'migrations') as ledger
     from duckdb_tables() where database_name = current_database() and not internal and not temporary`,
  );
  if (found === undefined || found.tables === 0) return 0;
  if (found.ledger === 0) return undefined;
  return (await connection.value(z.number().nullable(), 'select max(version) from meta.migrations')) ?? 0;
}
