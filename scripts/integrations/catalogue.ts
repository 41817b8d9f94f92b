import { z } from 'zod';
import type { Connection } from '../../src/warehouse/connection.ts';
import { columnRow } from '../../src/guide/relations.ts';
import { readSql } from '../../src/warehouse/sql.ts';
import { DETAIL_KEYS, VIEW_KEYS } from '../../src/guide/view-keys.ts';

export type Column = z.output<typeof columnRow>;

const relationRow = z.object({
  schema: z.enum(['main', 'detail', 'core', 'meta']),
  name: z.string(),
  kind: z.enum(['table', 'view']),
  comment: z.string(),
});

/** One table or view as the published file shows it. */
export interface Relation extends z.output<typeof relationRow> {
  /** Columns that no two rows share; empty where no key is known. */
  key: readonly string[];
  columns: readonly Column[];
}

const keyRow = z.object({ name: z.string(), key: z.array(z.string()) });

/** Every table and view with its columns, in the order people read them: main, detail, core, meta. */
export async function readCatalogue(connection: Connection): Promise<Relation[]> {
  const relations = await connection.rowsAs(
    relationRow,
    `from (
       select schema_name as "schema", view_name as name, 'view' as kind, comment from duckdb_views() where not internal
       union all
       select schema_name, table_name, 'table', comment from duckdb_tables() where not internal)
     order by list_position(['main', 'detail', 'core', 'meta'], "schema"), name`,
  );
  const columns = await connection.rowsAs(columnRow, readSql('guide/columns', { condition: 'true' }));
  const declared = await connection.rowsAs(keyRow, 'select table_name as name, key from meta.tables');
  const coreKeys = new Map(declared.map(({ name, key }) => [name, key]));
  return relations.map((relation) => ({
    ...relation,
    key: keyOf(relation, coreKeys),
    columns: columns.filter((one) => one.schema === relation.schema && one.relation === relation.name),
  }));
}

/** Every publish proves the keys of `core`; those of `meta` are internal. */
function keyOf(
  { schema, name }: Pick<Relation, 'schema' | 'name'>,
  coreKeys: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  switch (schema) {
    case 'main':
      return VIEW_KEYS[name] ?? [];
    case 'detail':
      return DETAIL_KEYS[name] ?? [];
    case 'core':
      return coreKeys.get(name) ?? [];
    case 'meta':
      return [];
    default:
      return schema satisfies never;
  }
}
