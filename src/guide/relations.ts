import { z } from 'zod';
import type { PublishedFile } from '../publish/published-file.ts';
import { quoteLiteral } from '../warehouse/sql.ts';
import type { Node } from './statement.ts';
import { DETAIL_KEYS, VIEW_KEYS } from './view-keys.ts';

/** A column as a view or table of the file has it. */
export interface Origin {
  /** `detail.share_of_voice_trend`; of `main`, the name alone. */
  view: string;
  column: string;
  type: string;
  comment: string;
}

/** A view or table of the file. */
export interface BaseRelation {
  view: string;
  columns: ReadonlyMap<string, Origin>;
  /** Columns that no two rows share; null where they are not known. */
  key: readonly string[] | null;
}

/** The views and tables of the file, found as a query names them, and the functions that aggregate. */
export interface Catalogue {
  find: (schema: string, name: string) => BaseRelation | undefined;
  aggregates: ReadonlySet<string>;
}

const columnRow = z.object({
  schema: z.string(),
  view: z.string(),
  column: z.string(),
  type: z.string(),
  comment: z.string(),
});

/** Reads the views and tables that a statement names, with the comments of their columns. */
export async function readRelations(file: PublishedFile, tree: Node): Promise<Catalogue> {
  const named = JSON.stringify(tree).matchAll(/"table_name":"(\w+)"/g);
  const names = new Set([...named].map(([, name = '']) => quoteLiteral(name.toLowerCase())));
  if (names.size === 0) return { find: () => undefined, aggregates: new Set() };
  const rows = await file.rowsAs(
    columnRow,
    `select schema_name as "schema", table_name as view, column_name as "column", data_type as type, coalesce(comment, '') as comment
     from duckdb_columns() where schema_name in ('main', 'detail', 'core', 'meta') and lower(table_name) in (${[...names].join(', ')})
       and not internal order by column_index`,
  );
  const found = new Map<string, BaseRelation & { columns: Map<string, Origin> }>();
  for (const { schema, view: name, column, type, comment } of rows) {
    const view = schema === 'main' ? name : `${schema}.${name}`;
    const key = { main: VIEW_KEYS, detail: DETAIL_KEYS }[schema]?.[name] ?? null;
    const relation = found.get(`${schema}.${name}`) ?? { view, columns: new Map(), key };
    relation.columns.set(column.toLowerCase(), { view, column, type, comment });
    found.set(`${schema}.${name}`, relation);
  }
  const functions = await file.rowsAs(
    z.object({ name: z.string() }),
    "select distinct function_name as name from duckdb_functions() where function_type = 'aggregate'",
  );
  return {
    find: (schema, name) => found.get(`${schema === '' ? 'main' : schema}.${name}`.toLowerCase()),
    aggregates: new Set(functions.map(({ name }) => name)),
  };
}

/** Columns that tell apart what must not be mixed. */
export function isDivider({ view, column, comment }: Origin): boolean {
  if (column === 'is_whole_day' || column === 'is_whole_window') return view.startsWith('detail.');
  const isFact = view.startsWith('core.') && ['scope', 'grain', 'window_kind'].includes(column);
  return isFact || /filter on one|never add both up/i.test(comment);
}
