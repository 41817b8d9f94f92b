import { z } from 'zod';
import type { Catalogue } from '../endpoints/catalogue.ts';
import { idsMeant, type NamedProject } from '../project-names.ts';

/** `PROJECT` or `PROJECT/ENDPOINT`, which is no longer asked for. */
export function exceptionIn({ namesMeant }: Catalogue) {
  return z
    .string()
    .min(1)
    .transform((written) => {
      const at = written.lastIndexOf('/');
      const endpoints = at < 0 ? [] : namesMeant(written.slice(at + 1));
      // A project may have a slash in its name.
      return endpoints.length === 0
        ? { project: written, endpoints: null }
        : { project: written.slice(0, at), endpoints };
    });
}
export type Exception = z.output<ReturnType<typeof exceptionIn>>;

/** Which projects an account asks for. */
export interface ProjectChoice {
  projects: 'all' | readonly string[];
  except: readonly Exception[];
}

/** The ids of the projects that an account asks for, of those that are known; a named one that is not known is returned unchanged. */
export function chosenIds({ projects, except }: ProjectChoice, known: readonly NamedProject[]): string[] {
  const wanted = projects === 'all' ? known.map(({ id }) => id) : idsMeant(projects, known);
  const left = exceptedIds(except, known);
  return wanted.filter((id) => !left.has(id));
}

function exceptedIds(except: readonly Exception[], known: readonly NamedProject[]): ReadonlySet<string> {
  const words = except.flatMap(({ project, endpoints }) => (endpoints === null ? [project] : []));
  return new Set(idsMeant(words, known));
}

/** The endpoints of a project that are not asked for. */
export function exceptedEndpoints(
  except: readonly Exception[],
  known: readonly NamedProject[],
  projectId: string,
): readonly string[] {
  return except.flatMap(({ project, endpoints }) =>
    endpoints !== null && idsMeant([project], known).includes(projectId) ? endpoints : [],
  );
}

/** Says which exceptions name no project that is known: a typing mistake leaves nothing out. */
export function unknownExceptions(
  accounts: readonly Pick<ProjectChoice, 'except'>[],
  known: readonly NamedProject[],
): string[] {
  const words = accounts.flatMap(({ except }) => except.map(({ project }) => project));
  const unknown = idsMeant(words, known).filter((id) => known.every((project) => project.id !== id));
  return unknown.map(
    (word) => `accounts[].except: ${word} is no project, and no PROJECT/ENDPOINT, so it leaves nothing out`,
  );
}

/** Whether some account asks for an endpoint of a project that is known. */
export function isAskedFor(
  accounts: readonly ProjectChoice[],
  known: readonly NamedProject[],
): (projectId: string, endpoint?: string) => boolean {
  const choices = accounts.map((account) => ({ ...account, ids: new Set(chosenIds(account, known)) }));
  return (projectId, endpoint = '') =>
    choices.some(
      ({ ids, except }) =>
        ids.has(projectId) && !exceptedEndpoints(except, known, projectId).includes(endpoint),
    );
}
