import type { DuckDBTypeId } from '@duckdb/node-api';
import type { ColumnKind } from '../query-result.ts';
import { duckdb } from './duckdb.ts';

const { DuckDBTypeId: Id } = duckdb;

const KINDS: ReadonlyMap<DuckDBTypeId, ColumnKind> = new Map([
  [Id.BOOLEAN, 'boolean'],
  [Id.DATE, 'day'],
  [Id.TIMESTAMP, 'instant'],
  [Id.TIMESTAMP_S, 'instant'],
  [Id.TIMESTAMP_MS, 'instant'],
  [Id.FLOAT, 'approximate'],
  [Id.DOUBLE, 'approximate'],
  ...[Id.TINYINT, Id.SMALLINT, Id.INTEGER, Id.BIGINT, Id.HUGEINT, Id.DECIMAL].map(
    (id) => [id, 'number'] as const,
  ),
  ...[Id.UTINYINT, Id.USMALLINT, Id.UINTEGER, Id.UBIGINT, Id.UHUGEINT].map((id) => [id, 'number'] as const),
]);

/** How the text of a column of this type is to be read. */
export function columnKind(typeId: DuckDBTypeId | undefined): ColumnKind {
  return (typeId === undefined ? undefined : KINDS.get(typeId)) ?? 'text';
}
