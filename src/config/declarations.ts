import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Day } from '../day.ts';
import { openCatalogue } from '../endpoints/catalogue.ts';
import { messageOf } from '../errors.ts';
import { decodeText, readSqlData, shortPath } from '../files.ts';
import { declarationSchema, type OwnDeclaration } from '../own/declaration.ts';
import { SCHEMAS } from './rules.ts';
import { checkYaml, parseYaml, type YamlProblem, type YamlSource } from './yaml.ts';

const ENDING = '.yaml';
const YAML_FILE = /\.ya?ml$/i;

/** The declarations of a folder. */
export interface Declarations {
  /** Valid ones, by name. */
  declarations: readonly OwnDeclaration[];
  problems: readonly YamlProblem[];
}

/** Reads the user's own endpoints in a folder; a missing folder declares none. Touches nothing. @param views own views, which share the names */
export function readDeclarations(
  folder: string,
  { views = [], today }: { views?: readonly OwnName[]; today?: Day } = {},
): Declarations {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => YAML_FILE.test(file)) : [];
  const read = files.toSorted().map((file) => {
    return { ...readDeclaration(join(folder, file), today), file: shortPath(join(folder, file)) };
  });
  const found = read.flatMap(({ declaration, file, source }) =>
    declaration === null ? [] : [{ declaration, file, source }],
  );
  const tables = found.flatMap(({ declaration: { name, parts }, file }) =>
    parts.map((part) => ({ name: `${name}_${part.name}`, file })),
  );
  const endpoints = found.map(({ declaration: { name }, file }) => ({ name, file }));
  const names = [...endpoints, ...tables, ...views];
  const problems = [
    ...read.flatMap((one) => one.problems),
    ...(names.length === 0 ? [] : problemsOfNames(names)),
    ...problemsOfParents(found),
  ];
  const wrong = new Set(problems.map(({ file }) => file));
  const right = found.filter(({ file }) => !wrong.has(file));
  return { declarations: right.map(({ declaration }) => declaration), problems };
}

interface ReadFile {
  declaration: OwnDeclaration | null;
  problems: readonly YamlProblem[];
  source?: YamlSource;
}

/** Reads one file; reports only the problems of that file. */
export function readDeclaration(path: string, today?: Day): ReadFile {
  const file = shortPath(path);
  const name = basename(path).replace(YAML_FILE, '');
  const refused = (message: string) => ({ declaration: null, problems: [problemOf(file, message)] });
  if (!path.endsWith(ENDING)) return refused(`is not read: call it ${name}${ENDING}`);
  try {
    const source = parseYaml(decodeText(readFileSync(path)), file);
    const checked = checkYaml(source, declarationSchema(name, today));
    if ('problems' in checked) return { declaration: null, problems: checked.problems };
    return { declaration: checked.value, problems: [], source };
  } catch (error) {
    return refused(`cannot be read: ${messageOf(error)}`);
  }
}

interface Found {
  declaration: OwnDeclaration;
  file: string;
  source: YamlSource | undefined;
}

/** Parent lists that no file declares. */
function problemsOfParents(found: readonly Found[]): YamlProblem[] {
  return found.flatMap(({ declaration, file, source }): YamlProblem[] => {
    const of = declaration.parents?.of;
    if (of === undefined || of === 'prompts') return [];
    const lists = found.flatMap(({ declaration: { name, ask, parents, key } }) =>
      ask === 'list' && parents === null && key.length === 1 ? [name] : [],
    );
    if (lists.includes(of)) return [];
    const message = `${of} is not a list with one field in its key; lists: ${['prompts', ...lists].join(', ')}`;
    return [{ ...problemOf(file, message, 'for'), ...source?.positionOf(['for']) }];
  });
}

/** A problem of a file as a whole, or of a word of it whose place is added. */
function problemOf(file: string, message: string, path = ''): YamlProblem {
  return { file, line: 1, column: 1, path, message };
}

/** A name that a user's own file gives to an endpoint, a table or a view. */
interface OwnName {
  name: string;
  file: string;
}

/** Names of one's own share one list: each has to be a name, stand once, and be no built-in endpoint, table or view. */
function problemsOfNames(names: readonly OwnName[]): YamlProblem[] {
  const taken = builtInNames();
  return names.flatMap(({ name, file }) => {
    const problem = /^[a-z][a-z0-9_]*$/.test(name)
      ? taken.get(name)
      : 'not a valid name (lower-case letters, digits and _, a letter first)';
    if (!taken.has(name)) taken.set(name, `taken by ${file}`);
    return problem === undefined ? [] : [problemOf(file, `${name} is ${problem}: rename the file`)];
  });
}

const byName = z.record(z.string(), z.unknown());
const viewKeys = z.record(z.string(), byName);
const metaColumns = z.looseObject({ relations: byName });

/** What has a name already. */
function builtInNames(): Map<string, string> {
  const { asked, tables } = openCatalogue();
  const views = Object.values(viewKeys.parse(readSqlData('view-keys')));
  const { relations } = metaColumns.parse(readSqlData('columns/meta'));
  const named: [what: string, names: string[]][] = [
    ['a word of answerlake', ['all', ...SCHEMAS]],
    ['a built-in endpoint', asked.map(({ name }) => name)],
    ['a built-in table', [...tables.map(({ name }) => name), ...Object.keys(relations)]],
    ['a built-in view', views.flatMap((of) => Object.keys(of))],
  ];
  return new Map(named.flatMap(([what, all]) => all.map((name) => [name, what] as const)));
}
