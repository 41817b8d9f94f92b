import { z } from 'zod';
import type { Message } from '../errors.ts';
import { type Connection, transaction } from './connection.ts';
import { WarehouseError, type StorageProblem } from './failure.ts';
import { declareTables, type DeclaredTable } from './declared-tables.ts';
import { readSqlFiles, type SqlFile } from './sql.ts';

export interface UpgradeOptions {
  /** Milliseconds since the epoch. */
  now: number;
  /** The declared tables. */
  tables: readonly DeclaredTable[];
  /** Own endpoints whose tables are recreated if their key or types have changed. */
  recreated?: readonly string[];
}

/** Upgrades a file to this program: to its newest migration, then to the declared tables. @throws as `migrate` */
export async function upgrade(connection: Connection, options: UpgradeOptions): Promise<void> {
  await migrate(connection, options.now);
  await declareTables(connection, options.tables, options.recreated);
}

/**
 * Upgrades a file to the newest version, one transaction per migration, forward only.
 * @param now milliseconds since the epoch @throws WarehouseError (storage) when the file is newer than the program, older than its first migration, or of another program
 */
export async function migrate(
  connection: Connection,
  now: number,
  files: readonly SqlFile[] = readSqlFiles('migrations'),
): Promise<void> {
  const from = await schemaVersion(connection);
  const refusal = from === 0 ? null : refusalOf(connection.path, from, files);
  if (refusal !== null) throw refusal;
  // A new file starts with all tables of the baseline; an old one reaches the same state through the earlier migrations.
  const start = from === 0 ? files.find(isBaseline) : undefined;
  const later = files.filter((file) => file.number > (start?.number ?? from ?? 0) && !isBaseline(file));
  for (const file of start === undefined ? later : [start, ...later]) {
    await transaction(connection, async () => {
      await connection.run(file.sql);
      const rows = [{ version: file.number, name: file.name, applied_at: now }];
      await connection.appendRows({ schema: 'meta', table: 'migrations', rows });
    });
  }
}

/** The migration that creates all tables of `meta` at once. */
function isBaseline({ name }: SqlFile): boolean {
  return name === 'baseline';
}

/** Why this program cannot use a file: it belongs to another program, or its version is too new or no longer supported; null if it can. */
export async function versionRefusal(connection: Connection): Promise<WarehouseError | null> {
  return refusalOf(connection.path, await schemaVersion(connection), readSqlFiles('migrations'));
}

function refusalOf(path: string, version: number | undefined, files: readonly SqlFile[]) {
  const numbers = files.map(({ number }) => number);
  const [oldest, newest] = [(numbers[0] ?? 1) - 1, numbers.at(-1) ?? 0];
  const refusal = (problem: StorageProblem, why: Message): WarehouseError =>
    new WarehouseError(why, { problem, path });
  const foreign = ['is a DuckDB database of another program;', 'move it away or configure another path'];
  if (version === undefined || version === 0) return refusal('foreign', foreign);
  const versions = `has schema version ${version}, this answerlake knows ${newest}`;
  if (version > newest) return refusal('newer format', [`${versions};`, 'update answerlake']);
  const todo = 'move the working and the published file away, and the next sync begins new ones';
  return version < oldest ? refusal('older format', ['was written by answerlake 0.1;', todo]) : null;
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
