import { z } from 'zod';
import { quoteLiteral } from '../../warehouse/quote.ts';
import { nameOf } from '../parts.ts';
import type { PublishedSource } from '../target.ts';

/** A column of the published file, with its type in DuckDB. */
export interface Column {
  name: string;
  type: string;
  comment: string | null;
}

/** A table or view of the published file. */
export interface Relation {
  schema: string;
  name: string;
  comment: string | null;
  columns: readonly Column[];
}

/** What the published file consists of, from its own catalog. */
export interface Picture {
  tables: readonly Relation[];
  views: readonly Relation[];
}

const columnRow = z.object({
  schema: z.string(),
  relation: z.string(),
  is_view: z.boolean(),
  relation_comment: z.string().nullable(),
  name: z.string(),
  type: z.string(),
  comment: z.string().nullable(),
});

export async function readPicture({ connection, catalog }: PublishedSource): Promise<Picture> {
  const relations = (kind: 'table' | 'view'): string =>
    `select database_name, schema_name, ${kind}_name as table_name, comment, ${String(kind === 'view')} as is_view
     from duckdb_${kind}s() where database_name = ${quoteLiteral(catalog)} and not internal`;
  const rows = await connection.rowsAs(
    columnRow,
    `select c.schema_name as schema, c.table_name as relation, r.is_view, r.comment as relation_comment,
       c.column_name as name, c.data_type as type, c.comment
     from (${relations('table')} union all ${relations('view')}) r
     join duckdb_columns() c using (database_name, schema_name, table_name)
     order by schema_name, table_name, column_index`,
  );
  const found = new Map<string, Relation & { isView: boolean; columns: Column[] }>();
  for (const { schema, relation, is_view: isView, relation_comment: of, name, type, comment } of rows) {
    const key = nameOf({ schema, name: relation });
    const known = found.get(key) ?? { schema, name: relation, comment: of, isView, columns: [] };
    known.columns.push({ name, type, comment });
    found.set(key, known);
  }
  const all = [...found.values()];
  return { tables: all.filter(({ isView }) => !isView), views: all.filter(({ isView }) => isView) };
}
