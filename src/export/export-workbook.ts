import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { columnKind } from '../warehouse/query-result.ts';
import { chooseRelations, openPublished, quotedName, type Relation } from './relations.ts';
import { assertFitsSheet, writeWorkbook, type Sheet } from './workbook.ts';

export interface WorkbookRequest {
  /** The published file. */
  source: string;
  path: string;
  /** Null: every view of `main`. */
  names: readonly string[] | null;
  signal: AbortSignal;
}

/**
 * Writes views and core tables as one XLSX file, a sheet each.
 * @throws AnswerlakeError configuration on an unknown name, and where a sheet would lose rows; storage
 */
export async function exportWorkbook(request: WorkbookRequest): Promise<{ name: string; rows: number }[]> {
  await using published = await openPublished(request.source, { signal: request.signal });
  const { connection } = published;
  const tables: { name: string; rows: number }[] = [];
  async function* sheets(): AsyncGenerator<Sheet> {
    for (const relation of await chooseRelations(connection, request.names)) {
      request.signal.throwIfAborted();
      const rows = await countRows(connection, relation);
      assertFitsSheet(relation.title, rows);
      tables.push({ name: relation.title, rows });
      yield await readSheet(connection, relation);
    }
  }
  await writeWorkbook(request.path, sheets());
  return tables;
}

async function countRows(connection: Connection, relation: Relation): Promise<number> {
  // Kept, so that a view is computed once.
  await connection.run(`create or replace temp table export_rows as from ${quotedName(relation)}`);
  return (await connection.value(z.number(), 'select count(*) from export_rows')) ?? 0;
}

async function readSheet(connection: Connection, { title: name, columns: known }: Relation): Promise<Sheet> {
  const order = ['project_id', 'date'].filter((column) => known.some((one) => one.name === column));
  const result = await connection.raw.stream(
    `from export_rows${order.length === 0 ? '' : ` order by ${order.join(', ')}`}`,
  );
  const columns = result
    .columnNames()
    .map((column, index) => ({ name: column, kind: columnKind(result.columnTypeId(index)) }));
  async function* rows(): AsyncGenerator<(string | null)[]> {
    for await (const chunk of result.yieldRows()) {
      for (const row of chunk) yield row.map((value) => (value === null ? null : String(value)));
    }
  }
  return { name, columns, rows: rows() };
}
