import type { DuckDBMaterializedResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { AnswerlakeError } from '../errors.ts';
import { dayFromNumber } from '../day.ts';
import { z } from 'zod';
import { duckdb } from './duckdb.ts';

/** What a query gives: days as `YYYY-MM-DD`, instants as ISO text with `Z`, whole numbers as bigint only when not safe. */
export type Value = string | number | bigint | boolean | null | Value[] | { [name: string]: Value };
export type Row = Record<string, Value>;

/** What a statement takes: `$1`, `$2`, … */
export type Param = string | number | bigint | boolean | null | readonly string[];

/** The plain value of what DuckDB gave. */
function plainValue(value: DuckDBValue): Value {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value;
  }
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof duckdb.DuckDBDateValue) return dayFromNumber(value.days);
  // 1000 microseconds are one millisecond; a JavaScript date holds no more.
  if (value instanceof duckdb.DuckDBTimestampValue)
    return new Date(Number(value.micros / 1000n)).toISOString();
  if (value instanceof duckdb.DuckDBListValue) return value.items.map((item) => plainValue(item));
  if (value instanceof duckdb.DuckDBDecimalValue) return value.toDouble();
  if (value instanceof duckdb.DuckDBStructValue) {
    return Object.fromEntries(
      Object.entries(value.entries).map(([name, entry]) => [name, plainValue(entry)]),
    );
  }
  return String(value);
}

/**
 * The rows of a result, read at once: the client's own readers go to another thread and back for each chunk and once more for the end, which
 * costs 10 to 25 ms a trip while the event loop is busy with answers.
 */
export function readRows(result: DuckDBMaterializedResult): Row[] {
  const names = result.deduplicatedColumnNames();
  const { chunkCount } = result;
  const rows: Row[] = [];
  for (let index = 0; index < chunkCount; index += 1) {
    const chunk = result.getChunk(index);
    const columns = chunk.convertColumns(plainValue);
    for (let row = 0; row < chunk.rowCount; row += 1) {
      rows.push(Object.fromEntries(names.map((name, place) => [name, columns[place]?.[row] ?? null])));
    }
  }
  return rows;
}

/** Statement parameters by number, with the types that their values do not show. @throws AnswerlakeError (bug) on undefined, NaN and infinity */
export function bindable(params: readonly Param[]): {
  values: Record<string, DuckDBValue>;
  types: Record<string, DuckDBType>;
} {
  const values: Record<string, DuckDBValue> = {};
  const types: Record<string, DuckDBType> = {};
  for (const [index, param] of params.entries()) {
    const name = String(index + 1);
    if (param === undefined || (typeof param === 'number' && !Number.isFinite(param)))
      throw new AnswerlakeError(`parameter $${name} is ${String(param)}`, { class: 'bug' });
    const isList = typeof param === 'object' && param !== null;
    values[name] = isList ? new duckdb.DuckDBListValue([...param]) : param;
    // An empty list does not show what it is a list of.
    if (isList) types[name] = duckdb.LIST(duckdb.VARCHAR);
  }
  return { values, types };
}

/** A row with nothing but a name. */
export const nameRow = z.object({ name: z.string() });
