import { z } from 'zod';
import { isObject } from '../endpoints/field.ts';
import type { Connection } from '../warehouse/connection.ts';

/** Comments of columns by lower-case name; null: computed, or without a comment. */
type Comments = Map<string, string | null>;

/** A source of a `from`, under the name by which columns refer to it. */
interface Source {
  name: string;
  columns: Comments;
}

const columnRow = z.object({ place: z.string(), name: z.string(), comment: z.string().nullable() });

/** The columns of a view of `own`, each with the comment of the column that it passes on unchanged. @param view its name, and its parsed text */
export async function passedComments(
  connection: Connection,
  view: { name: string; node: unknown },
): Promise<Comments> {
  const rows = await connection.rowsAs(
    columnRow,
    `select lower(schema_name || '.' || table_name) as place, column_name as name, comment
     from duckdb_columns() where database_name = current_database() and not internal order by place, column_index`,
  );
  const catalog = new Map<string, Comments>();
  for (const { place, name, comment } of rows)
    catalog.set(
      place,
      (catalog.get(place) ?? new Map<string, string | null>()).set(name.toLowerCase(), comment),
    );
  const passed = columnsOf(view.node, catalog);
  const own = rows.filter(({ place }) => place === `own.${view.name}`);
  return new Map(own.map(({ name }) => [name, passed.get(name.toLowerCase()) ?? null]));
}

/** The columns of a select; those of a union are its first part's. */
function columnsOf(node: unknown, known: ReadonlyMap<string, Comments>): Comments {
  const columns: Comments = new Map();
  if (!isObject(node)) return columns;
  const inner = new Map(known);
  for (const { key, value } of listOf(at(node, 'cte_map', 'map')))
    inner.set(nameOf(key), columnsOf(at(value, 'query', 'node'), inner));
  if (node['left'] !== undefined) return columnsOf(node['left'], inner);
  const sources = sourcesOf(node['from_table'], inner);
  for (const part of listOf(node['select_list'])) {
    if (part['type'] === 'STAR') {
      const from = nameOf(part['relation_name']);
      for (const source of sources)
        for (const [name, comment] of source.columns)
          if ((from === '' || from === source.name) && !columns.has(name)) columns.set(name, comment);
      for (const { key } of listOf(part['replace_list'])) columns.set(nameOf(key), null);
      continue;
    }
    const path = Array.isArray(part['column_names']) ? part['column_names'].map(nameOf) : [];
    const [column = '', from] = path.toReversed();
    const offered = sources.filter(({ name }) => from === undefined || from === name);
    const comment = offered.map((source) => source.columns.get(column)).find((text) => text !== undefined);
    columns.set(nameOf(part['alias']) || column, comment ?? null);
  }
  return columns;
}

function sourcesOf(from: unknown, known: ReadonlyMap<string, Comments>): Source[] {
  if (!isObject(from)) return [];
  const alias = nameOf(from['alias']);
  switch (from['type']) {
    case 'BASE_TABLE': {
      const [schema, table] = [nameOf(from['schema_name']), nameOf(from['table_name'])];
      const columns = known.get(schema === '' ? table : `${schema}.${table}`) ?? known.get(`main.${table}`);
      return [{ name: alias || table, columns: columns ?? new Map<string, null>() }];
    }
    case 'JOIN':
      return [...sourcesOf(from['left'], known), ...sourcesOf(from['right'], known)];
    case 'SUBQUERY':
      return [{ name: alias, columns: columnsOf(at(from, 'subquery', 'node'), known) }];
    default:
      return [];
  }
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((found: unknown, step) => (isObject(found) ? found[step] : undefined), value);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}
