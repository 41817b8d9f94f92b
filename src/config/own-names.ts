import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Catalogue } from '../endpoints/catalogue.ts';
import { PACKAGE_ROOT } from '../files.ts';

/** A name that a file of somebody's own gives to an endpoint, a table or a view. */
export interface OwnName {
  name: string;
  file: string;
}

const SCHEMAS = ['all', 'own', 'main', 'detail', 'core', 'meta', 'raw', 'temp', 'system'];
const viewNames = z.record(z.string(), z.record(z.string(), z.unknown()));

function readSqlYaml(file: string): unknown {
  return parse(readFileSync(join(PACKAGE_ROOT, 'sql', file), 'utf8'));
}

/**
 * What is wrong with names of one's own, which all share one list: each has to be a name, stand once, and be no built-in endpoint, table or
 * view. @param catalogue the built-in endpoints
 */
export function refuseOwnNames(names: readonly OwnName[], catalogue: Pick<Catalogue, 'asked' | 'tables'>) {
  if (names.length === 0) return [];
  const views = viewNames.parse(readSqlYaml('view-keys.yaml'));
  const { relations } = z
    .looseObject({ relations: z.record(z.string(), z.unknown()) })
    .parse(readSqlYaml('columns/meta.yaml'));
  const builtIn = new Map<string, string>([
    ...SCHEMAS.map((name) => [name, 'a word of answerlake'] as const),
    ...catalogue.asked.map(({ name }) => [name, 'a built-in endpoint'] as const),
    ...[...catalogue.tables.map(({ name }) => name), ...Object.keys(relations)].map(
      (name) => [name, 'a built-in table'] as const,
    ),
    ...Object.values(views).flatMap((of) =>
      Object.keys(of).map((name) => [name, 'a built-in view'] as const),
    ),
  ]);
  const taken = new Map<string, string>();
  return names.flatMap(({ name, file }) => {
    const owner = taken.get(name);
    taken.set(name, file);
    const problem = /^[a-z][a-z0-9_]*$/.test(name)
      ? (builtIn.get(name) ?? (owner === undefined ? undefined : `taken by ${owner}`))
      : 'no name (small letters, digits and _, a letter first)';
    const message = `${name} is ${problem ?? ''}: rename the file`;
    return problem === undefined ? [] : [{ file, line: 1, column: 1, path: '', message }];
  });
}
