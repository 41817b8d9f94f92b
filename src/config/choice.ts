import { z } from 'zod';
import type { Catalogue } from '../endpoints/catalogue.ts';
import { idsMeant, type NamedProject } from '../project-names.ts';

/** `PROJECT` or `PROJECT/ENDPOINT`, which is no longer requested. */
export function exceptionIn({ namesMeant }: Catalogue) {
  return z
    .string()
    .min(1)
    .transform((written) => {
      const at = written.lastIndexOf('/');
      const endpoints = at < 0 ? [] : namesMeant(written.slice(at + 1));
      // A project name may contain a slash.
      return endpoints.length === 0
        ? { project: written, endpoints: null }
        : { project: written.slice(0, at), endpoints };
    });
}
export type Exception = z.output<ReturnType<typeof exceptionIn>>;

/** The projects that an account requests. */
export interface ProjectChoice {
  projects: 'all' | readonly string[];
  except: readonly Exception[];
}

/** The ids of the known projects that an account requests; a named project that is not known is returned unchanged. */
export function chosenIds({ projects, except }: ProjectChoice, known: readonly NamedProject[]): string[] {
  const wanted = projects === 'all' ? known.map(({ id }) => id) : idsMeant(projects, known);
  const left = except.filter(({ endpoints }) => endpoints === null).map(({ project }) => project);
  const leftIds = new Set(idsMeant(left, known));
  return wanted.filter((id) => !leftIds.has(id));
}

/** The excluded endpoints of a project. */
export function exceptedEndpoints(
  except: readonly Exception[],
  known: readonly NamedProject[],
  projectId: string,
): readonly string[] {
  return except.flatMap(({ project, endpoints }) =>
    endpoints !== null && idsMeant([project], known).includes(projectId) ? endpoints : [],
  );
}

/** Warns of exceptions that match no known project: a typing mistake excludes nothing. */
export function unknownExceptions(
  accounts: readonly Pick<ProjectChoice, 'except'>[],
  known: readonly NamedProject[],
): string[] {
  const words = accounts.flatMap(({ except }) => except.map(({ project }) => project));
  const unknown = idsMeant(words, known).filter((id) => known.every((project) => project.id !== id));
  return unknown.map(
    (word) =>
      `accounts[].except: ${word} matches no project, and no PROJECT/ENDPOINT, so it excludes nothing`,
  );
}

/** Whether some account requests an endpoint of a known project. */
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
