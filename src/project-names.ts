/** Whether two names are the same for people: ignores case and the composition of accented letters. */
export function isSameName(one: string | null | undefined, other: string): boolean {
  return one?.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

/** A project with its names. */
export interface NamedProject {
  id: string;
  name?: string | null | undefined;
  slug?: string | null | undefined;
  /** False if no key lists it any longer. */
  isListed?: boolean;
}

/** The projects that a word refers to: the one with this id, else listed ones with this name or slug, else formerly listed ones. Ignores case. */
export function projectsCalled<Project extends NamedProject>(
  word: string,
  projects: readonly Project[],
): readonly Project[] {
  const byId = projects.filter(({ id }) => id === word);
  if (byId.length > 0) return byId;
  const called = projects.filter(({ name, slug }) => isSameName(name, word) || isSameName(slug, word));
  const listed = called.filter(({ isListed }) => isListed !== false);
  return listed.length > 0 ? listed : called;
}

/** The ids that words refer to; a word that matches no project, or several, is returned unchanged. */
export function idsMeant(words: readonly string[], projects: readonly NamedProject[]): string[] {
  const meant = words.map((word) => {
    const [id = word, ...others] = new Set(projectsCalled(word, projects).map((project) => project.id));
    return others.length === 0 ? id : word;
  });
  return [...new Set(meant)];
}
