import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRows } from './append.ts';
import type { Append } from './append.ts';
import { explainFailure } from './failure.ts';
import { bindable, plainValue } from './values.ts';
import type { Param, Row } from './values.ts';

/** One connection to an open file. Failures about the file come as `WarehouseError` with path and remedy. */
export class Connection {
  readonly path: string;
  /** DuckDB's own connection, for what is not offered here; its failures are not counted. */
  readonly raw: DuckDBConnection;
  #failures = 0;

  constructor(path: string, raw: DuckDBConnection) {
    this.path = path;
    this.raw = raw;
  }

  /** Statements that failed so far. */
  get failures(): number {
    return this.#failures;
  }

  /** Runs one or several statements; the number of rows that the last one changed. */
  async run(sql: string, params: readonly Param[] = []): Promise<number> {
    return await this.#guard(async () => {
      if (params.length === 0) return (await this.raw.run(sql)).rowsChanged;
      const { values, types } = bindable(params);
      return (await this.raw.run(sql, values, types as Parameters<DuckDBConnection['run']>[2])).rowsChanged;
    });
  }

  /** All rows of a query as plain objects (see `Value`); `R` is the caller's word for their shape. */
  async rows<R extends object = Row>(sql: string, params: readonly Param[] = []): Promise<R[]> {
    return await this.#guard(async () => {
      const { values, types } = bindable(params);
      const reader =
        params.length === 0
          ? await this.raw.runAndReadAll(sql)
          : await this.raw.runAndReadAll(sql, values, types as Parameters<DuckDBConnection['run']>[2]);
      return reader.convertRowObjects(plainValue) as R[];
    });
  }

  /**
   * Appends plain values: strings, numbers, booleans, null, `YYYY-MM-DD` for DATE, epoch milliseconds or ISO text for
   * TIMESTAMP, string[] for VARCHAR[].
   * @throws AnswerlakeError (bug) when a value has not the type of its column
   */
  async appendRows(append: Append): Promise<void> {
    await this.#guard(() => appendRows(this.raw, append));
  }

  close(): void {
    this.raw.closeSync();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failures += 1;
      throw explainFailure(error, this.path);
    }
  }
}
