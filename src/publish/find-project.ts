import { z } from 'zod';
import { usageError } from '../errors.ts';
import { projectsCalled, type NamedProject } from '../project-names.ts';

const MAX_NAMED = 20;

/** A project of the published file, with its names. */
export const knownProject = z.object({
  project_id: z.string(),
  project_name: z.string().nullable(),
  slug: z.string().nullable(),
  /** A key listed it at the last validation. */
  is_listed: z.boolean(),
});

/** The project with this name, id or slug. @throws AnswerlakeError (configuration) if none or several match */
export function findProject<Project extends z.output<typeof knownProject>>(
  known: readonly Project[],
  called: string,
): Project {
  const found = projectsCalled(called, known.map(namedProject));
  const named = known.filter(({ project_id: id }) => found.some((one) => one.id === id));
  const [first, ...others] = named;
  if (first !== undefined && others.length === 0) return first;
  const name = JSON.stringify(called);
  const linesOf = (projects: readonly Project[]): string[] =>
    projects.slice(0, MAX_NAMED).map((one) => `  ${one.project_id}  ${one.project_name ?? ''}`);
  if (first === undefined)
    throw usageError([`The published file has no project ${name}. It has:`, ...linesOf(known)].join('\n'));
  const todo = ['Name the id of one of them:', ...linesOf(named)].join('\n');
  throw usageError([`More than one project is called ${name}.`, todo]);
}

/** The columns for looking up names. */
export function namedProject(row: z.output<typeof knownProject>): NamedProject {
  return { id: row.project_id, name: row.project_name, slug: row.slug, isListed: row.is_listed };
}
