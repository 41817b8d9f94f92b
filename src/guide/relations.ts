import { z } from 'zod';
import type { PublishedFile } from '../publish/published-file.ts';
import { type Facts, meaningSchema } from '../warehouse/meaning.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import type { Node } from './statement.ts';
import { DETAIL_KEYS, VIEW_KEYS } from './view-keys.ts';

/** A column of a view or table in the file, with its facts from `meta.columns`. */
export interface Origin {
  /** `detail.share_of_voice_trend`; for `main`, only the name. */
  view: string;
  column: string;
  type: string;
  facts: Facts;
  /** Columns that, fixed or grouped by, allow an operation that the facts forbid. */
  of: readonly string[];
  /** The population of its answers. */
  endpoints: readonly string[];
}

/** A view or table of the file. */
export interface BaseRelation {
  view: string;
  columns: ReadonlyMap<string, Origin>;
  /** Key columns; null if unknown. */
  key: readonly string[] | null;
}

/** The views and tables of the file by the names in a query, and the aggregate functions. */
export interface Catalogue {
  find: (schema: string, name: string) => BaseRelation | undefined;
  aggregates: ReadonlySet<string>;
  /** False for a single project: rows then need not be separated by project. */
  hasProjects: boolean;
}

const given = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined);
const listed = z
  .string()
  .nullable()
  .transform((text) => text?.split(', ') ?? []);

/** A column with its meaning: a row of `sql/guide/columns.sql`. */
export const columnRow = z.object({
  schema: z.string(),
  relation: z.string(),
  name: z.string(),
  type: z.string(),
  comment: z.string(),
  meaning: z.string(),
  unit: given(z.string()),
  adds: given(meaningSchema.shape.adds),
  averages: given(z.boolean()),
  repeated: given(z.boolean()),
  divides: given(z.string()),
  weigh: given(z.string()),
  instead: given(z.string()),
  of: listed,
  source: listed,
  endpoints: listed,
});

/** Reads the views and tables that a statement names, with the meaning of their columns. */
export async function readRelations(file: PublishedFile, tree: Node): Promise<Catalogue> {
  const named = JSON.stringify(tree).matchAll(/"table_name":"(\w+)"/g);
  const names = new Set([...named].map(([, name = '']) => quoteLiteral(name.toLowerCase())));
  if (names.size === 0) return { find: () => undefined, aggregates: new Set(), hasProjects: false };
  const condition = `lower(c.table_name) in (${[...names].join(', ')})`;
  const rows = await file.rowsAs(columnRow, readSql('guide/columns', { condition }));
  const found = new Map<string, BaseRelation & { columns: Map<string, Origin> }>();
  for (const { schema, relation: name, name: column, type, of, endpoints, ...facts } of rows) {
    const view = schema === 'main' ? name : `${schema}.${name}`;
    const key = { main: VIEW_KEYS, detail: DETAIL_KEYS }[schema]?.[name] ?? null;
    const relation = found.get(`${schema}.${name}`) ?? { view, columns: new Map(), key };
    relation.columns.set(column.toLowerCase(), { view, column, type, of, endpoints, facts });
    found.set(`${schema}.${name}`, relation);
  }
  const functions = "select distinct function_name from duckdb_functions() where function_type = 'aggregate'";
  const [hasProjects = false] = await file.values(z.boolean(), 'select count(*) > 1 from main.projects');
  return {
    hasProjects,
    find: (schema, name) => found.get(`${schema === '' ? 'main' : schema}.${name}`.toLowerCase()),
    aggregates: new Set(await file.values(z.string(), functions)),
  };
}

/** Columns whose values must not be mixed. */
export function isDivider({ view, column, facts }: Origin): boolean {
  if (column === 'is_whole_day' || column === 'is_whole_window') return view.startsWith('detail.');
  return facts.divides !== undefined;
}
