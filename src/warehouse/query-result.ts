import type { DuckDBTypeId } from '@duckdb/node-api';
import { duckdb } from './duckdb.ts';

/** How a column's text is to be read; `approximate` is a number of binary floating point. */
export type ColumnKind = 'text' | 'boolean' | 'day' | 'instant' | 'number' | 'approximate';

/** One value of a result, ready to be written. */
export interface Cell {
  /** As text; null for NULL. */
  text: string | null;
  /** As JSON text: whole numbers keep every digit. */
  json: string;
}

export interface ResultColumn {
  name: string;
  kind: ColumnKind;
}

/** What a query gave, in the order it gave it. */
export interface QueryResult {
  columns: ResultColumn[];
  rows: Cell[][];
  /** Rows of the whole result; `rows` has fewer where only the first were wanted. */
  count: number;
}

/** What a query gave, while it is read: only a part of its rows is in memory at a time. */
export interface ResultStream extends Pick<QueryResult, 'columns' | 'count'> {
  /** All rows in their order, some at a time; for one reader, once. */
  parts: AsyncIterable<Cell[][]>;
}

/** Whether columns of a kind hold numbers. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === 'number' || kind === 'approximate';
}

const { DuckDBTypeId: Id } = duckdb;

const KINDS: ReadonlyMap<DuckDBTypeId | undefined, ColumnKind> = new Map([
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
  return KINDS.get(typeId) ?? 'text';
}
