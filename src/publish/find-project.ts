import { z } from 'zod';
import { usageError } from '../errors.ts';
import { isSameName } from '../text.ts';

const MAX_NAMED = 20;

/** A project of the published file, and what people call it. */
export const knownProject = z.object({
  project_id: z.string(),
  project_name: z.string().nullable(),
  slug: z.string().nullable(),
});

/** The project that is called so; an id outranks names and slugs, whose case does not count. @throws AnswerlakeError (configuration) */
export function findProject<Project extends z.output<typeof knownProject>>(
  known: readonly Project[],
  called: string,
): Project {
  const isCalled = (text: string | null): boolean => isSameName(text, called);
  const byId = known.filter(({ project_id: id }) => id === called);
  const byName = known.filter(({ project_name: name, slug }) => isCalled(name) || isCalled(slug));
  const [first, ...others] = byId.length > 0 ? byId : byName;
  if (first !== undefined && others.length === 0) return first;
  const problem =
    first === undefined
      ? `The published file has no project ${JSON.stringify(called)}. It has:`
      : `More than one project is called ${JSON.stringify(called)}. Name the id of one of them:`;
  const listed = (first === undefined ? known : byName).slice(0, MAX_NAMED);
  const lines = listed.map(({ project_id: id, project_name: name }) => `  ${id}  ${name ?? ''}`);
  throw usageError([problem, ...lines].join('\n'));
}
