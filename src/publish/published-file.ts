import { existsSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { z } from 'zod';
import { AnswerlakeError, messageOf, usageError } from '../errors.ts';
import type { QueryResult } from '../query-result.ts';
import { columnKind } from '../warehouse/column-kind.ts';
import { openDatabase } from '../warehouse/database.ts';
import { explainFailure } from '../warehouse/failure.ts';
import { interruptOn } from '../warehouse/interrupt.ts';
import { cellOf } from './cell.ts';
import { noPublishedFile } from './no-published-file.ts';

/** The published file, open for reading. */
export interface PublishedFile extends AsyncDisposable {
  /**
   * What a person asks, one statement; `mostRows` bounds the rows that are kept.
   * @throws AnswerlakeError 'configuration' with DuckDB's own message when the SQL is wrong
   */
  query(sql: string, mostRows?: number): Promise<QueryResult>;
  /** What we ask ourselves, read by the schema of one row. @throws WarehouseError (storage) */
  rowsAs<Read>(row: z.ZodType<Read>, sql: string): Promise<Read[]>;
  /** Runs one or several of our own statements. @throws WarehouseError (storage) */
  run(sql: string): Promise<void>;
}

/**
 * Opens the published file for reading; queries reach no other file and no network. Close it soon: an open file stays
 * the old one when a new one is published.
 * @param options `signal` interrupts a query; `threads` as DuckDB chooses when left out
 * @throws AnswerlakeError 'storage' when there is none
 */
export async function openPublishedFile(
  path: string,
  options: { signal?: AbortSignal; threads?: number } = {},
): Promise<PublishedFile> {
  if (!existsSync(path)) throw noPublishedFile(path);
  const { signal, ...limits } = options;
  const database = await openDatabase({ path, readOnly: true, ...limits });
  const connection = await database.connect();
  const { raw } = connection;
  await raw.run('set enable_external_access = false; set lock_configuration = true');
  const interruption = interruptOn(signal, raw);
  return {
    query: async (sql, mostRows = Number.POSITIVE_INFINITY) => {
      signal?.throwIfAborted();
      try {
        return await readAll(raw, sql, mostRows);
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        const explained = explainFailure(error, path);
        if (explained instanceof AnswerlakeError) throw explained;
        throw new AnswerlakeError(`The query failed: ${messageOf(error)}`, {
          class: 'configuration',
          cause: error,
        });
      }
    },
    rowsAs: (row, sql) => connection.rowsAs(row, sql),
    run: async (sql) => {
      await connection.run(sql);
    },
    [Symbol.asyncDispose]: async () => {
      interruption[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function readAll(connection: DuckDBConnection, sql: string, mostRows: number): Promise<QueryResult> {
  // DuckDB's own answer to an empty text is "Error in native callback".
  const count = /^[\s;]*$/.test(sql) ? 0 : (await connection.extractStatements(sql)).count;
  if (count !== 1) {
    throw usageError(
      count === 0
        ? 'The SQL is empty. Write a statement, for example "show tables".'
        : `The SQL holds ${count} statements, and query runs exactly one; nothing was run. Ask them one by one.`,
    );
  }
  const reader = await connection.runAndReadAll(sql);
  const types = reader.columnTypes();
  const rows = reader.getRows();
  return {
    columns: reader.deduplicatedColumnNames().map((name, index) => ({
      name,
      kind: columnKind(types[index]?.typeId),
    })),
    rows: rows.slice(0, mostRows).map((row) => row.map(cellOf)),
    count: rows.length,
  };
}
