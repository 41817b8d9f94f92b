import type { DuckDBConnection, DuckDBTimestampValue, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { dayNumber, isDay, parseInstant, remembering } from '../day.ts';
import { AnswerlakeError, bugError } from '../errors.ts';
import { quoteTable } from './sql.ts';
import { duckdb } from './duckdb.ts';

interface Target {
  /** `temp` for temporary tables; left out: the current database. */
  catalog?: string;
  schema?: string;
  table: string;
  /** Whether the given columns are all of the table, in its order; left out: its columns are looked up. */
  isWhole?: boolean;
}

/** Rows for one table: the first row names the columns, and missing columns become NULL. */
export interface Append extends Target {
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** Rows for one table, column by column. */
export interface ColumnAppend extends Target {
  columns: ReadonlyMap<string, readonly unknown[]>;
  /** Number of rows. */
  count: number;
}

const ROWS_PER_CHUNK = 2048;
const MAX_INTEGER = 2_147_483_647;
const REPEATING: ReadonlySet<string> = new Set(['DATE', 'TIMESTAMP']);

/** Appends columns with data chunks. @throws AnswerlakeError (bug) when a value does not fit the type of its column */
export async function appendColumns(connection: DuckDBConnection, append: ColumnAppend): Promise<void> {
  if (append.count === 0) return;
  const names =
    append.isWhole === true
      ? [...append.columns.keys()]
      : (await connection.run(`select * from ${quoteTable(append)} limit 0`)).columnNames();
  const unknown = [...append.columns.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) throw wrong(append, `has no column ${unknown.join(', ')}`);
  const appender = await connection.createAppender(append.table, append.schema, append.catalog);
  try {
    const types = names.map((_, place) => appender.columnType(place));
    const columns = types.map((type, place) => ({
      name: names[place] ?? '',
      /** Undefined: NULL in every row. */
      values: append.columns.get(names[place] ?? ''),
      convert: converter(type),
    }));
    // Reuse one chunk: separate ones would wait for the garbage collector, 16 MiB for 50,000 rows.
    const chunk = duckdb.DuckDBDataChunk.create(types);
    for (let start = 0; start < append.count; start += ROWS_PER_CHUNK) {
      chunk.reset();
      const count = Math.min(ROWS_PER_CHUNK, append.count - start);
      chunk.rowCount = count;
      for (const [place, { name, values, convert }] of columns.entries()) {
        const vector = chunk.getColumnVector(place);
        for (let index = 0; index < count; index += 1) {
          const value = values === undefined ? null : values[start + index];
          const converted = convert(value);
          if (converted === undefined)
            throw wrong(append, `${name} (${String(types[place])}) refuses ${show(value)}`);
          vector.setItem(index, converted);
        }
        vector.flush();
      }
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } catch (error) {
    // A bad value in the last row must not leave the earlier rows stored; closing would flush again, and its failure would hide this one.
    appender.clear();
    throw error;
  } finally {
    appender.closeSync();
  }
}

function wrong(append: Target, what: string): AnswerlakeError {
  return bugError(`append: ${quoteTable(append)} ${what}`);
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return `${typeof value} ${text.slice(0, 80)}`;
}

type Convert = (value: unknown) => DuckDBValue | undefined;

// Undefined means that the value does not fit the type. The chunk itself would convert it silently ("no" becomes true).
const CONVERT: Readonly<Record<string, Convert>> = {
  VARCHAR: (value) => (typeof value === 'string' ? value : undefined),
  BOOLEAN: (value) => (typeof value === 'boolean' ? value : undefined),
  DOUBLE: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  INTEGER: (value) => (isWhole(value) && Math.abs(value) <= MAX_INTEGER ? value : undefined),
  BIGINT: (value) => (isWhole(value) ? BigInt(value) : undefined),
  DATE: (value) =>
    typeof value === 'string' && isDay(value) ? new duckdb.DuckDBDateValue(dayNumber(value)) : undefined,
  TIMESTAMP: timestamp,
  'VARCHAR[]': (value) => (isTexts(value) ? new duckdb.DuckDBListValue(value) : undefined),
};

function converter(type: DuckDBType): Convert {
  const convert = CONVERT[type.toString()];
  if (convert === undefined) throw bugError(`append: columns of type ${type.toString()} are not supported`);
  const own = REPEATING.has(type.toString()) ? remembering(convert) : convert;
  return (value) => (value === null ? null : own(value));
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function timestamp(value: unknown): DuckDBTimestampValue | undefined {
  const instant = typeof value === 'string' ? parseInstant(value) : value;
  if (typeof instant !== 'number') return undefined;
  // Microseconds since 1970 exceed the safe integers before 1684 and after 2255.
  const milliseconds = Math.floor(instant);
  if (!isWhole(milliseconds)) return undefined;
  const microseconds = Math.round((instant - milliseconds) * 1000);
  return new duckdb.DuckDBTimestampValue(BigInt(milliseconds) * 1000n + BigInt(microseconds));
}
