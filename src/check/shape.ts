import { z } from 'zod';
import { catalogue } from '../endpoints/catalogue.ts';
import { isObject } from '../endpoints/field.ts';

/** Path of a field → the types of its values. */
export type Shape = Readonly<Record<string, readonly string[]>>;

/** Names of fields that the documents have; every other key of an object may be a name of the account. */
function documentedNames(): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (schema: unknown): void => {
    if (Array.isArray(schema)) for (const one of schema) collect(one);
    if (!isObject(schema)) return;
    if (isObject(schema['properties'])) for (const name of Object.keys(schema['properties'])) names.add(name);
    for (const value of Object.values(schema)) collect(value);
  };
  for (const { documented } of catalogue) {
    for (const schema of [documented.body, documented.item]) {
      if (schema !== null) collect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    }
  }
  return names;
}

/** The fields and types of a body, without any value; an undocumented key is `*`. */
export function shapeOf(body: unknown): Shape {
  const known = documentedNames();
  const types = new Map<string, Set<string>>();
  const visit = (path: string, value: unknown): void => {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    types.set(path, (types.get(path) ?? new Set()).add(type));
    if (Array.isArray(value)) for (const one of value as readonly unknown[]) visit(`${path}[]`, one);
    if (!isObject(value)) return;
    for (const [name, one] of Object.entries(value)) visit(`${path}.${known.has(name) ? name : '*'}`, one);
  };
  visit('$', body);
  return Object.fromEntries([...types].map(([path, found]) => [path, [...found].toSorted()]));
}
