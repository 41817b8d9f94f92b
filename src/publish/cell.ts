import type { DuckDBValue } from '@duckdb/node-api';
import type { Cell } from '../query-result.ts';
import { duckdb } from '../warehouse/duckdb.ts';

/** Days and instants are written as DuckDB writes them (UTC, no offset). */
export function cellOf(value: DuckDBValue): Cell {
  if (value === null) return { text: null, json: 'null' };
  if (typeof value === 'string') return { text: value, json: JSON.stringify(value) };
  return { text: String(value), json: jsonOf(value) };
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
