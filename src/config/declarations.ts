import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openCatalogue } from '../endpoints/catalogue.ts';
import { messageOf } from '../errors.ts';
import { decodeText, shortPath } from '../files.ts';
import { declarationSchema, type OwnDeclaration } from '../own/declaration.ts';
import { type OwnName, refuseOwnNames } from './own-names.ts';
import { checkYaml, parseYaml, type YamlProblem } from './yaml.ts';

const ENDING = '.yaml';

/** What a folder declares. */
export interface Declarations {
  /** Those that are right, by name. */
  declarations: readonly OwnDeclaration[];
  problems: readonly YamlProblem[];
}

/** Reads the endpoints of one's own in a folder; one that is not there declares none. Touches nothing. @param views which share their names */
export function readDeclarations(folder: string, views: readonly OwnName[] = []): Declarations {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /\.ya?ml$/.test(file)) : [];
  const read = files.toSorted().map((file) => {
    return { ...readDeclaration(join(folder, file)), file: shortPath(join(folder, file)) };
  });
  const found = read.flatMap(({ declaration, file }) =>
    declaration === null ? [] : [{ declaration, file }],
  );
  const tables = found.flatMap(({ declaration: { name, parts }, file }) =>
    parts.map((part) => ({ name: `${name}_${part.name}`, file })),
  );
  const endpoints = found.map(({ declaration: { name }, file }) => ({ name, file }));
  const names = [...endpoints, ...tables, ...views];
  const problems = [
    ...read.flatMap((one) => one.problems),
    ...(names.length === 0 ? [] : refuseOwnNames(names, openCatalogue())),
    ...problemsOfParents(found),
  ];
  const wrong = new Set(problems.map(({ file }) => file));
  const right = found.filter(({ file }) => !wrong.has(file));
  return { declarations: right.map(({ declaration }) => declaration), problems };
}

/** Reads one file; its problems are those that it has without any other file. */
export function readDeclaration(path: string): {
  declaration: OwnDeclaration | null;
  problems: readonly YamlProblem[];
} {
  const file = shortPath(path);
  const name = basename(path).replace(/\.ya?ml$/, '');
  const refused = (message: string) => {
    return { declaration: null, problems: [{ file, line: 1, column: 1, path: '', message }] };
  };
  if (!path.endsWith(ENDING)) return refused(`is not read: call it ${name}${ENDING}`);
  try {
    const checked = checkYaml(parseYaml(decodeText(readFileSync(path)), file), declarationSchema(name));
    if ('problems' in checked) return { declaration: null, problems: checked.problems };
    return { declaration: checked.value, problems: [] };
  } catch (error) {
    return refused(`cannot be read: ${messageOf(error)}`);
  }
}

interface Found {
  declaration: OwnDeclaration;
  file: string;
}

/** Lists that are asked for one by one and that no file declares. */
function problemsOfParents(found: readonly Found[]): YamlProblem[] {
  return found.flatMap(({ declaration, file }): YamlProblem[] => {
    const of = declaration.parents?.of;
    if (of === undefined || of === 'prompts') return [];
    const lists = found.flatMap(({ declaration: { name, ask, parents, key } }) =>
      ask === 'list' && parents === null && key.length === 1 ? [name] : [],
    );
    if (lists.includes(of)) return [];
    const message = `${of} is no list with one field in its key; there is: ${['prompts', ...lists].join(', ')}`;
    return [{ file, line: 1, column: 1, path: 'for', message }];
  });
}
