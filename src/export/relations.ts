import { z } from 'zod';
import { usageError, suggestion } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';

const relationRow = z.object({
  schema: z.string(),
  name: z.string(),
  /** Its name in an export: a table that shares its name with a view keeps its schema. */
  title: z.string(),
  /** In order; types are DuckDB's. */
  columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
});

/** A view of `main` or `detail`, a table of `core`, or either of `own`. */
export type ExportRelation = z.output<typeof relationRow>;

/** Its rows: all, or those of one project. */
export function relationRows(relation: ExportRelation, projectId: string | null): string {
  const chosen = projectId === null ? '' : ` where project_id = ${quoteLiteral(projectId)}`;
  return `${quoteIdentifier(relation.schema)}.${quoteIdentifier(relation.name)}${chosen}`;
}

function hasProject({ columns }: ExportRelation): boolean {
  return columns.some(({ name }) => name === 'project_id');
}

/** The sort columns of its rows. */
export function sortColumns({ columns }: ExportRelation): string[] {
  return ['project_id', 'date'].filter((column) => columns.some(({ name }) => name === column));
}

/** The schemas that are exported whole. */
export const VIEW_SCHEMAS = ['main', 'detail', 'own'] as const;

/** What is exported. */
export interface Choice {
  names: readonly string[] | null;
  /** The schema of the views if no names are given. */
  schema: (typeof VIEW_SCHEMAS)[number];
  /** Null: all projects, and rows without a project. */
  projectId: string | null;
}

/**
 * The relations with these names; without names, every view of the schema that has rows for the project.
 * @throws AnswerlakeError (configuration) on an unknown name
 */
export async function chooseRelations(file: Pick<Connection, 'rowsAs'>, choice: Choice) {
  const { names, schema, projectId } = choice;
  const relations = await file.rowsAs(relationRow, readSql('export/relations'));
  if (names === null) {
    const isChosen = (one: ExportRelation): boolean =>
      one.schema === schema && (projectId === null || hasProject(one));
    return relations.filter(isChosen).map((one) => ({ ...one, title: one.name }));
  }
  const chosen = new Map<string, ExportRelation>();
  for (const name of names) {
    // Views come first, so that a plain name means the view.
    const found = relations.find((one) => name === one.name || name === `${one.schema}.${one.name}`);
    if (found === undefined) {
      const known = relations.map((one) => (one.schema === 'main' ? one.name : `${one.schema}.${one.name}`));
      throw usageError(`--table: there is no view or table ${name}; ${suggestion(name, known)}`);
    }
    if (projectId !== null && !hasProject(found))
      throw usageError([`--table: ${name} belongs to no project;`, 'export it without --project.']);
    chosen.set(found.title, found);
  }
  return [...chosen.values()];
}
