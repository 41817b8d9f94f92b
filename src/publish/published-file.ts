import { existsSync } from 'node:fs';
import { DuckDBTypeId, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { openDatabase } from '../warehouse/database.ts';
import { explainFailure } from '../warehouse/failure.ts';

export interface QueryResult {
  columns: { name: string; isNumber: boolean }[];
  rows: DuckDBValue[][];
}

/** The published file, open for reading. */
export interface PublishedFile extends AsyncDisposable {
  /** @throws AnswerlakeError 'configuration' with DuckDB's own message when the SQL is wrong */
  query(sql: string): Promise<QueryResult>;
}

/**
 * Opens the published file for reading; queries reach no other file and no network.
 * @throws AnswerlakeError 'storage' when there is none
 */
export async function openPublishedFile(path: string, signal: AbortSignal): Promise<PublishedFile> {
  if (!existsSync(path)) {
    throw new AnswerlakeError(
      `There is no published file at ${path} yet. Run answerlake sync, or name another configuration with --config FILE.`,
      { class: 'storage' },
    );
  }
  const database = await openDatabase({ path, readOnly: true });
  const { raw } = await database.connect();
  await raw.run('set enable_external_access = false; set lock_configuration = true');
  const interrupt = (): void => raw.interrupt();
  signal.addEventListener('abort', interrupt);
  return {
    query: async (sql) => {
      try {
        return await readAll(raw, sql);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const explained = explainFailure(error, path);
        if (explained instanceof AnswerlakeError) throw explained;
        throw new AnswerlakeError(`The query failed: ${messageOf(error)}`, {
          class: 'configuration',
          cause: error,
        });
      }
    },
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', interrupt);
      await database[Symbol.asyncDispose]();
    },
  };
}

async function readAll(connection: DuckDBConnection, sql: string): Promise<QueryResult> {
  const reader = await connection.runAndReadAll(sql);
  const types = reader.columnTypes();
  return {
    columns: reader.deduplicatedColumnNames().map((name, index) => ({
      name,
      isNumber: NUMBER_TYPES.has(types[index]?.typeId ?? DuckDBTypeId.INVALID),
    })),
    rows: reader.getRows(),
  };
}

const NUMBER_TYPES: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
]);
