/** Whether two names are one to people: case does not count, and neither does how an accented letter is composed. */
export function isSameName(one: string | null | undefined, other: string): boolean {
  return one?.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

/** A project, and what people call it. */
export interface NamedProject {
  id: string;
  name?: string | null | undefined;
  slug?: string | null | undefined;
  /** False for one that no key lists any more. */
  isListed?: boolean;
}

/** The projects that a word means: that with this id, else those that the keys list under this name or slug, else those that they once listed so. Case does not count. */
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

/** The ids that words mean; one that fits no project, or several, is returned unchanged. */
export function idsMeant(words: readonly string[], projects: readonly NamedProject[]): string[] {
  const meant = words.map((word) => {
    const [id = word, ...others] = new Set(projectsCalled(word, projects).map((project) => project.id));
    return others.length === 0 ? id : word;
  });
  return [...new Set(meant)];
}
