import { chmodSync, existsSync, statSync } from 'node:fs';
import type { Connection, PlainRow } from '../../src/warehouse/connection.ts';
import { openDatabase, type Database } from '../../src/warehouse/database.ts';

/** Reads a published file: opened at the first question, and again after another file took its place. */
export class FileReader {
  readonly #path: string;
  #open: { file: string; database: Database; connection: Connection } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  async rows(sql: string): Promise<PlainRow[]> {
    const file = identityOf(this.#path);
    if (this.#open?.file !== file) {
      this.close();
      const database = await openDatabase({ path: this.#path, readOnly: true });
      this.#open = { file, database, connection: await database.connect() };
    }
    return await this.#open.connection.rows(sql);
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }
}

function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${String(found.ino)} ${String(found.mtimeMs)}`;
}

/** Rows of a database file that nothing else has open for writing. */
export async function rowsOfFile(path: string, sql: string): Promise<PlainRow[]> {
  await using database = await openDatabase({ path, readOnly: true });
  return await (await database.connect()).rows(sql);
}

/** Changes a database file, a published one too; a new one is created. */
export async function changeFile(path: string, sql: string): Promise<void> {
  if (existsSync(path)) chmodSync(path, 0o644);
  await using database = await openDatabase({ path });
  await (await database.connect()).run(sql);
}
