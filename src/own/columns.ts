import { createHash } from 'node:crypto';
import { parseDay, parseInstant } from '../day.ts';
import { isObject, numberOf, own } from '../endpoints/field.ts';
import type { TableColumn, Value } from '../endpoints/table.ts';

/** The types of a declared column. */
export const OWN_TYPES = ['text', 'integer', 'double', 'boolean', 'date', 'timestamp', 'json'] as const;
export type OwnType = (typeof OWN_TYPES)[number];

export const SQL_TYPES = {
  text: 'varchar',
  integer: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  json: 'varchar',
} as const satisfies Record<OwnType, TableColumn['type']>;

/** A declared field with its column. */
export interface OwnField {
  /** Dotted path through objects. */
  path: string;
  name: string;
  type: OwnType;
}

/** A field in its written form: a dotted path, and after ` as ` the name of its column. */
export function fieldOf(written: string, type: OwnType): OwnField {
  const [, path = written, name] = /^(.+?) as (\S+)$/.exec(written) ?? [];
  return { path, name: name ?? columnNameOf(path), type };
}

/** `prompt.llmMonitor.id` as `prompt_llm_monitor_id`, `pageURL` as `page_url`. */
export function columnNameOf(path: string): string {
  return path
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .toLowerCase();
}

/** The value at a dotted path, through objects only; undefined without one. The path '' is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const step of stepsOf(path)) found = own(found, step);
  return found;
}

/** Paths are those of declarations, read in every row. */
const STEPS = new Map([['', [] as readonly string[]]]);

function stepsOf(path: string): readonly string[] {
  const known = STEPS.get(path) ?? path.split('.');
  STEPS.set(path, known);
  return known;
}

/** A value without the part at a path; in lists, without that part of each entry. */
export function without(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (Array.isArray(value)) return value.map((entry) => without(entry, [first, ...rest]));
  if (!isObject(value) || !Object.hasOwn(value, first)) return value;
  const entries = Object.entries(value);
  // `fromEntries` keeps a field called `__proto__`.
  if (rest.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== first));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name === first ? without(part, rest) : part]),
  );
}

/** JSON text with sorted names, so that equal values have equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

const READ = {
  text: (value) => {
    if (typeof value === 'string' || typeof value === 'boolean') return String(value);
    // Beyond 2^53, two ids may have become one number.
    const isKnown = typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value));
    return isKnown ? String(value) : undefined;
  },
  integer: (value) => {
    const number = numberOf(value);
    return Number.isSafeInteger(number) ? number : undefined;
  },
  double: numberOf,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => (typeof value === 'string' ? parseDay(value) : undefined),
  timestamp: (value) => (typeof value === 'string' ? parseInstant(value) : undefined),
  json: sortedJson,
} as const satisfies Record<OwnType, (value: unknown) => Value | undefined>;

/** The value of a column: NULL for an absent or null one; undefined for one of the wrong type. */
export function readValue(value: unknown, type: OwnType): Value | undefined {
  return value === undefined || value === null ? null : READ[type](value);
}

/** The same for a field of a row. */
export function readField(row: unknown, { path, type }: Pick<OwnField, 'path' | 'type'>): Value | undefined {
  return readValue(valueAt(row, path), type);
}

/** A row without the parts at these paths, as JSON text; null if nothing is left. */
export function restOf(row: unknown, paths: readonly string[]): string | null {
  const left = withoutParts(row, paths.map(stepsOf));
  return isEmpty(left) ? null : sortedJson(left);
}

/** Like `without`, but for several paths in one copy, not in lists, and without objects that become empty. */
function withoutParts(value: unknown, paths: readonly (readonly string[])[], depth = 0): unknown {
  if (paths.some((steps) => steps.length === depth)) return undefined;
  if (paths.length === 0 || !isObject(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, part] of Object.entries(value)) {
    const inner = paths.filter((steps) => steps[depth] === name);
    const left = withoutParts(part, inner, depth + 1);
    if (inner.length === 0 || !isEmpty(left)) kept.push([name, left]);
  }
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.keys(value).length === 0);
}

const DIGEST_LENGTH = 16;

export function digestOf(value: unknown): string {
  return createHash('sha256').update(sortedJson(value)).digest('hex').slice(0, DIGEST_LENGTH);
}
