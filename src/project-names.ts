/** A name without what people ignore: case, and the composition of accented letters. */
function plainName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Whether two names are the same for people. */
export function isSameName(one: string | null | undefined, other: string): boolean {
  return typeof one === 'string' && plainName(one) === plainName(other);
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

/** Project id → name, with its slug or id if several projects share that name; nameless ones are left out. As in `detail.project_labels`. */
export function projectLabels(projects: readonly NamedProject[]): Map<string, string> {
  const known = [...new Map(projects.map((one) => [one.id, one])).values()];
  const keysOf = ({ name, slug }: NamedProject) => {
    const plain = plainName(name ?? '');
    return [plain, `${plain}\n${plainName(slug ?? '')}`] as const;
  };
  const counts = new Map<string, number>();
  for (const key of known.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const labelOf = (one: NamedProject, name: string): string => {
    const [sameName, sameBoth] = keysOf(one);
    if (counts.get(sameName) === 1) return name;
    return `${name} (${(counts.get(sameBoth) === 1 && one.slug) || one.id})`;
  };
  return new Map(known.flatMap((one) => (one.name ? [[one.id, labelOf(one, one.name)]] : [])));
}
