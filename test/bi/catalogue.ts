import { coreKeys } from '../../src/endpoints/catalogue.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { VIEW_KEYS } from './view-keys.ts';

export interface Column {
  name: string;
  type: string;
  comment: string;
}

/** One table or view as the published file shows it. */
export interface Relation {
  schema: 'main' | 'core' | 'meta';
  name: string;
  kind: 'table' | 'view';
  comment: string;
  /** Columns that no two rows share; empty where there is none. */
  key: readonly string[];
  columns: readonly Column[];
}

/** Every table and view with its columns, in the order people read them: views, core, meta. */
export async function readCatalogue(connection: Connection): Promise<Relation[]> {
  const relations = await connection.rows<Omit<Relation, 'columns' | 'key'>>(
    `from (
       select schema_name as "schema", view_name as name, 'view' as kind, comment from duckdb_views() where not internal
       union all
       select schema_name, table_name, 'table', comment from duckdb_tables() where not internal)
     order by "schema" = 'main' desc, "schema", name`,
  );
  const columns = await connection.rows<Column & { schema: string; relation: string }>(
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
