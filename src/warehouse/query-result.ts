import type { DuckDBMaterializedResult, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import { duckdb } from './duckdb.ts';

/** The kind of a column's text; `approximate` is a binary floating-point number. */
export type ColumnKind = 'text' | 'boolean' | 'day' | 'instant' | 'number' | 'approximate';

/** One value of a result, ready to write. */
export interface Cell {
  /** As text; null for NULL. */
  text: string | null;
  /** As JSON text: whole numbers keep every digit. */
  json: string;
}

/** The result of a query, in its order. */
export interface QueryResult {
  columns: { name: string; kind: ColumnKind }[];
  rows: Cell[][];
  /** Rows of the whole result; `rows` has fewer if only the first ones were requested. */
  count: number;
}

/** The result of a query while it is read: only part of its rows is in memory. */
export interface ResultStream extends Pick<QueryResult, 'columns' | 'count'> {
  /** All rows in order, in batches; can be read once. */
  parts: AsyncIterable<Cell[][]>;
}

/** By the names of DuckDB's types. */
const KINDS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^BOOLEAN$/, 'boolean'],
  [/^DATE$/, 'day'],
  [/^TIMESTAMP(?:_M?S)?$/, 'instant'],
  [/^(?:FLOAT|DOUBLE)$/, 'approximate'],
  [/^U?(?:TINY|SMALL|BIG|HUGE)INT$|^U?INTEGER$|^DECIMAL\(\d+,\d+\)$/, 'number'],
];

/** A result while it is read. */
export function streamOf(result: DuckDBMaterializedResult, signal: AbortSignal | undefined): ResultStream {
  const types = result.columnTypes();
  const kindOf = (index: number): ColumnKind =>
    KINDS.find(([names]) => names.test(String(types[index])))?.[1] ?? 'text';
  return {
    columns: result.deduplicatedColumnNames().map((name, index) => ({ name, kind: kindOf(index) })),
    count: result.rowCount,
    parts: partsOf(result, signal),
  };
}

async function* partsOf(result: DuckDBResult, signal: AbortSignal | undefined): AsyncGenerator<Cell[][]> {
  for await (const rows of result.yieldRows()) {
    signal?.throwIfAborted();
    yield rows.map((row) => row.map(cellOf));
  }
}

/** Days and instants are written as DuckDB writes them (UTC, no offset). */
function cellOf(value: DuckDBValue): Cell {
  return { text: value === null ? null : String(value), json: jsonOf(value) };
}

function jsonOf(value: DuckDBValue): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof duckdb.DuckDBDecimalValue) return value.toString();
  if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) {
    return `[${value.items.map(jsonOf).join(',')}]`;
  }
  if (value instanceof duckdb.DuckDBStructValue) return jsonObject(Object.entries(value.entries));
  if (value instanceof duckdb.DuckDBMapValue) {
    return jsonObject(value.entries.map((entry) => [String(entry.key), entry.value]));
  }
  if (value instanceof duckdb.DuckDBUnionValue) return jsonOf(value.value);
  return JSON.stringify(value.toString());
}

function jsonObject(entries: readonly (readonly [string, DuckDBValue])[]): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`).join(',')}}`;
}
