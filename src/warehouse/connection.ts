import type { DuckDBConnection, DuckDBMaterializedResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { z } from 'zod';
import { bugError, messageOf } from '../errors.ts';
import { appendColumns, type Append, type ColumnAppend } from './append.ts';
import { explainFailure } from './failure.ts';
import { dayFromNumber } from '../day.ts';
import { duckdb } from './duckdb.ts';

/** The open file that connections share. */
interface OpenFile {
  path: string;
  connect: () => Promise<Connection>;
  /** Open connections. */
  connections: Set<Connection>;
}

/** One connection to an open file. Failures of the file become a `WarehouseError` with path and remedy. */
export class Connection {
  readonly path: string;
  /** DuckDB's own connection, for features that this class lacks; its failures are not counted. */
  readonly raw: DuckDBConnection;
  readonly #file: OpenFile;
  /** Number of failed statements. */
  failures = 0;
  /** Whether a transaction is under way. */
  isInTransaction = false;
  /** Statements to run before the next one. */
  #waiting: string[] = [];

  constructor(file: OpenFile, raw: DuckDBConnection) {
    this.path = file.path;
    this.raw = raw;
    this.#file = file;
  }

  /** Opens another connection to the same file, for concurrent work. The caller closes it (`using`). */
  async another(): Promise<Connection> {
    return await this.#file.connect();
  }

  /** Runs one or several statements; returns the number of rows that the last one changed. */
  async run(sql: string, params: readonly Param[] = []): Promise<number> {
    return await this.#guard(async () => (await this.#materialized(sql, params)).rowsChanged);
  }

  /**
   * Leaves statements to the connection's next one, which runs them first and throws their failures: each round trip to DuckDB's
   * thread takes 10 to 25 ms while the event loop is busy with answers. Only within a transaction, whose COMMIT runs the remaining
   * ones.
   */
  runWithNext(sql: string): void {
    this.#waiting.push(sql);
  }

  /** Drops the statements that wait for the next one. */
  forgetWaiting(): void {
    this.#waiting = [];
  }

  /** All rows of a query as plain objects (see `PlainValue`), with whatever columns they have. */
  async rows(sql: string, params: readonly Param[] = []): Promise<PlainRow[]> {
    return await this.#guard(async () => readRows(await this.#materialized(sql, params)));
  }

  /** All rows of a query, parsed by a schema. @throws AnswerlakeError (bug) when a row does not fit it */
  async rowsAs<Read>(row: z.ZodType<Read>, sql: string, params: readonly Param[] = []): Promise<Read[]> {
    return (await this.rows(sql, params)).map((plain) => {
      const read = row.safeParse(plain);
      if (read.success) return read.data;
      throw bugError(
        `${this.path}: a row of "${sql.trim().slice(0, 80)}" does not fit its schema: ${z.prettifyError(read.error)}`,
        read.error,
      );
    });
  }

  /** The first value of each row. @throws as `rowsAs` */
  async values<Read>(schema: z.ZodType<Read>, sql: string, params: readonly Param[] = []): Promise<Read[]> {
    const rows = await this.rowsAs(z.record(z.string(), schema), sql, params);
    return rows.flatMap((row) => Object.values(row).slice(0, 1));
  }

  /** The first value of the first row; undefined if there is no row. @throws as `rowsAs` */
  async value<Read>(schema: z.ZodType<Read>, sql: string, params: readonly Param[] = []) {
    return (await this.values(schema, sql, params))[0];
  }

  /** The catalog whose tables have no prefix. */
  async currentDatabase(): Promise<string> {
    return (await this.value(z.string(), 'select current_database()')) ?? '';
  }

  /**
   * Appends plain values: strings, numbers, booleans, null, `YYYY-MM-DD` for DATE, epoch milliseconds or ISO text for
   * TIMESTAMP, string[] for VARCHAR[].
   * @throws AnswerlakeError (bug) when a value does not fit the type of its column
   */
  async appendRows({ rows, ...target }: Append): Promise<void> {
    const columns = new Map(Object.keys(rows[0] ?? {}).map((name) => [name, rows.map((row) => row[name])]));
    await this.appendColumns({ ...target, columns, count: rows.length });
  }

  /** Appends plain values column by column. @throws as `appendRows` */
  async appendColumns(append: ColumnAppend): Promise<void> {
    await this.#guard(async () => {
      await this.#runWaiting();
      await appendColumns(this.raw, append);
    });
  }

  close(): void {
    if (this.#file.connections.delete(this)) this.raw.closeSync();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #materialized(sql: string, params: readonly Param[]): Promise<DuckDBMaterializedResult> {
    if (params.length === 0) {
      const statements = [...this.#waiting, sql].join(';\n');
      this.forgetWaiting();
      return await this.raw.run(statements);
    }
    await this.#runWaiting();
    const { values, types } = bindable(params);
    return await this.raw.run(sql, values, types);
  }

  async #runWaiting(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const statements = this.#waiting.join(';\n');
    this.forgetWaiting();
    await this.raw.run(statements);
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.failures += 1;
      throw explainFailure(error, this.path);
    }
  }
}

/** How long a user's own view may take to compute its rows. */
const MAX_OWN_MS = 60_000;

/** Runs a statement that computes a user's own view, for a minute at most; returns why it failed, or null. */
export async function computeOwnRows(connection: Connection, sql: string): Promise<string | null> {
  const timeout = AbortSignal.timeout(MAX_OWN_MS);
  using _ = interruptOn(timeout, connection.raw);
  try {
    await connection.run(sql);
    return null;
  } catch (error) {
    return timeout.aborted ? 'it takes more than a minute' : messageOf(error);
  }
}

/** DuckDB drops an interrupt that arrives between two statements. */
const AGAIN_MS = 50;

/** Once the signal is aborted, interrupts the connection's statements repeatedly until it is disposed of (`using`). */
export function interruptOn(signal: AbortSignal | undefined, connection: DuckDBConnection): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    connection.interrupt();
    timer = setInterval(() => connection.interrupt(), AGAIN_MS).unref();
  };
  if (signal?.aborted === true) begin();
  else signal?.addEventListener('abort', begin);
  return {
    [Symbol.dispose]: () => {
      signal?.removeEventListener('abort', begin);
      clearInterval(timer);
    },
  };
}

/**
 * Runs `work` in one transaction: everything is stored, or nothing. A transaction within `work` joins this one.
 * @throws what `work` throws, after ROLLBACK; AnswerlakeError (bug) when a statement failed and `work` went on
 */
export async function transaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  if (connection.isInTransaction) return await work();
  await connection.run('begin transaction');
  connection.isInTransaction = true;
  const failuresBefore = connection.failures;
  try {
    const result = await work();
    // DuckDB reports success for a COMMIT after a failed statement and stores nothing.
    if (connection.failures > failuresBefore) {
      throw bugError('a statement failed inside a transaction and the work went on');
    }
    await connection.run('commit');
    return result;
  } catch (error) {
    connection.forgetWaiting();
    // A failed COMMIT or a lost file has ended the transaction already; the first error has the cause.
    await connection.run('rollback').catch(() => undefined);
    throw error;
  } finally {
    connection.isInTransaction = false;
  }
}

/** A value from a query: days as `YYYY-MM-DD`, instants as ISO text with `Z`, whole numbers as bigint only if not safe. */
export type PlainValue =
  string | number | bigint | boolean | null | PlainValue[] | { [name: string]: PlainValue };
export type PlainRow = Record<string, PlainValue>;

/** A parameter of a statement: `$1`, `$2`, … */
type Param = string | number | bigint | boolean | null | readonly (string | null)[];

/** Converts a DuckDB value into a plain one. */
function plainValue(value: DuckDBValue): PlainValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof duckdb.DuckDBDateValue) return dayFromNumber(value.days);
  // 1000 microseconds are one millisecond, the precision of a JavaScript date.
  if (value instanceof duckdb.DuckDBTimestampValue)
    return new Date(Number(value.micros / 1000n)).toISOString();
  if (value instanceof duckdb.DuckDBListValue) return value.items.map(plainValue);
  if (value instanceof duckdb.DuckDBDecimalValue) return value.toDouble();
  if (value instanceof duckdb.DuckDBStructValue) {
    const entries = Object.entries(value.entries);
    return Object.fromEntries(entries.map(([name, entry]) => [name, plainValue(entry)]));
  }
  return String(value);
}

/**
 * The rows of a result, read at once: the client's own readers make a round trip to another thread for each chunk and one for the
 * end, 10 to 25 ms each while the event loop is busy with answers.
 */
export function readRows(result: DuckDBMaterializedResult): PlainRow[] {
  const names = result.deduplicatedColumnNames();
  const { chunkCount } = result;
  const rows: PlainRow[] = [];
  for (let index = 0; index < chunkCount; index += 1) {
    const chunk = result.getChunk(index);
    const columns = chunk.convertColumns(plainValue);
    for (let row = 0; row < chunk.rowCount; row += 1) {
      rows.push(Object.fromEntries(names.map((name, place) => [name, columns[place]?.[row] ?? null])));
    }
  }
  return rows;
}

/** Statement parameters by number, with types where the values do not imply them. @throws AnswerlakeError (bug) on undefined, NaN and infinity */
function bindable(params: readonly Param[]) {
  const values: Record<string, DuckDBValue> = {};
  const types: Record<string, DuckDBType> = {};
  for (const [index, param] of params.entries()) {
    const name = String(index + 1);
    if (param === undefined || (typeof param === 'number' && !Number.isFinite(param)))
      throw bugError(`parameter $${name} is ${String(param)}`);
    const isList = typeof param === 'object' && param !== null;
    values[name] = isList ? new duckdb.DuckDBListValue([...param]) : param;
    // An empty list does not imply its element type.
    if (isList) types[name] = duckdb.LIST(duckdb.VARCHAR);
  }
  return { values, types };
}

/** A row with only a name. */
export const nameRow = z.object({ name: z.string() });
