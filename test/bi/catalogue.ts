import { z } from 'zod';
import { coreKeys } from '../../src/endpoints/catalogue.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { VIEW_KEYS } from './view-keys.ts';

const columnRow = z.object({ name: z.string(), type: z.string(), comment: z.string() });
export type Column = z.output<typeof columnRow>;

const relationRow = z.object({
  schema: z.enum(['main', 'core', 'meta']),
  name: z.string(),
  kind: z.enum(['table', 'view']),
  comment: z.string(),
});

/** One table or view as the published file shows it. */
export interface Relation extends z.output<typeof relationRow> {
  /** Columns that no two rows share; empty where there is none. */
  key: readonly string[];
  columns: readonly Column[];
}

/** Every table and view with its columns, in the order people read them: views, core, meta. */
export async function readCatalogue(connection: Connection): Promise<Relation[]> {
  const relations = await connection.rowsAs(
    relationRow,
    `from (
       select schema_name as "schema", view_name as name, 'view' as kind, comment from duckdb_views() where not internal
       union all
       select schema_name, table_name, 'table', comment from duckdb_tables() where not internal)
     order by "schema" = 'main' desc, "schema", name`,
  );
  const columns = await connection.rowsAs(
    columnRow.extend({ schema: z.string(), relation: z.string() }),
    `select schema_name as "schema", table_name as relation, column_name as name, data_type as type, comment
     from duckdb_columns() where not internal order by column_index`,
  );
  return relations.map((relation) => ({
    ...relation,
    key: keyOf(relation),
    columns: columns
      .filter(({ schema, relation: name }) => schema === relation.schema && name === relation.name)
      .map(({ name, type, comment }) => ({ name, type, comment })),
  }));
}

/** Every publish proves the keys of `core`; those of `meta` are nobody's business but ours. */
function keyOf({ schema, name }: Pick<Relation, 'schema' | 'name'>): readonly string[] {
  switch (schema) {
    case 'main':
      return VIEW_KEYS[name] ?? [];
    case 'core':
      return coreKeys.get(name) ?? [];
    case 'meta':
      return [];
    default:
      return schema satisfies never;
  }
}
