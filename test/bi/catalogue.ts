import { readFileSync } from 'node:fs';
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
  const coreKeys = readCoreKeys();
  return relations.map((relation) => ({
    ...relation,
    key:
      relation.schema === 'main'
        ? (VIEW_KEYS[relation.name] ?? [])
        : (coreKeys.get(`${relation.schema}.${relation.name}`) ?? []),
    columns: columns
      .filter(({ schema, relation: name }) => schema === relation.schema && name === relation.name)
      .map(({ name, type, comment }) => ({ name, type, comment })),
  }));
}

// The check that runs after every sync is what makes a key true.
function readCoreKeys(): Map<string, string[]> {
  const sql = readFileSync(new URL('../../sql/checks/01_unique_keys.sql', import.meta.url), 'utf8');
  return new Map(
    [...sql.matchAll(/from (core\.\w+) group by ([\w, ]+) having/g)].map(([, table = '', columns = '']) => [
      table,
      columns.split(', '),
    ]),
  );
}
