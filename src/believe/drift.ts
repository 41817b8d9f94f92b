import { z } from 'zod';
import { remembering } from '../day.ts';
import { jsonOf } from '../redact.ts';
import { expectedFields, figures, isObject, knownValues, misfits, own } from '../endpoints/field.ts';
import type { Item } from '../endpoints/item.ts';

/** A difference between an answer and the documentation. */
export interface Drift {
  /** JSON path with `[]` for every index, e.g. `events[].items[].action.owner`. */
  path: string;
  /** `unexpected_value`: stored as NULL, as the number in a text, as the nearest whole number, or unchanged for a score beyond 0 to 100. */
  kind: 'new_field' | 'missing_field' | 'new_enum_value' | 'unexpected_value';
  sample: string | null;
}

const MAX_SAMPLE_LENGTH = 200;
/** Findings per answer; a server that invents names would fill the memory. */
const MAX_FINDINGS = 200;

/** A position in a schema; created only for a finding. */
type Path = () => string;

/** The differences in one answer: one finding per path and kind. */
export class DriftFindings {
  readonly #found = new Map<string, Drift>();

  /** Compares a value with its documented schema; never an error. */
  compare(schema: z.core.$ZodType, value: unknown, path: Path = () => ''): void {
    checkOf(schema)?.(value, () => path().replaceAll(/\[\d+\]/g, '[]'), this);
  }

  add(drift: Drift): void {
    if (this.#found.size >= MAX_FINDINGS) return;
    const key = `${drift.kind} ${drift.path} ${drift.kind === 'new_enum_value' ? drift.sample : ''}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, { ...drift, sample: drift.sample?.slice(0, MAX_SAMPLE_LENGTH) ?? null });
  }

  list(): readonly Drift[] {
    return [...this.#found.values()];
  }
}

/** An item whose only fault is an undocumented kind: the API has something new, and the row is not bad. */
export function unknownKind(item: Item, error: z.ZodError): Drift | null {
  const [issue, ...others] = error.issues;
  if (issue?.code !== 'invalid_union' || issue.discriminator === undefined || others.length > 0) return null;
  let kind = item.value;
  for (const name of issue.path) kind = own(kind, String(name));
  if (typeof kind !== 'string') return null;
  const path = `${item.path()}.${String(issue.path.at(-1))}`.replaceAll(/\[\d+\]/g, '[]');
  return { path, kind: 'new_enum_value', sample: kind };
}

/** Adds the differences in a value. */
type Check = (value: unknown, path: Path, found: DriftFindings) => void;

// Cache each schema's parts, because most values of an answer cannot differ.
const checks = new WeakMap<z.core.$ZodType, Check | null>();

/** Null when no value can differ from the schema. */
function checkOf(schema: z.core.$ZodType): Check | null {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const check = makeCheck(bare(schema));
  checks.set(schema, check);
  return check;
}

function makeCheck(schema: z.core.$ZodType): Check | null {
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodArray) return arrayCheck(schema);
  if (schema instanceof z.ZodUnion) return unionCheck(schema);
  if (schema instanceof z.ZodCatch) return sideCheck(schema);
  const odd = misfits.get(schema);
  if (odd !== undefined)
    return (value, path, found) => {
      for (const { path: field, value: sample } of odd.of(value))
        found.add({ path: pathOf(path, field), kind: 'unexpected_value', sample: jsonOf(sample) });
    };
  const figure = figures.get(schema);
  if (figure !== undefined)
    return unexpected(
      (value) =>
        (value ?? null) === null ||
        (typeof value === 'number' && figure.isExpected(value) && isFinite(value)),
    );
  const known = knownValues.get(schema)?.values;
  if (known === undefined) return null;
  return (value, path, found) => {
    if (typeof value !== 'string' || known.includes(value)) return;
    found.add({ path: path(), kind: 'new_enum_value', sample: value });
  };
}

function unexpected(isExpected: (value: unknown) => boolean): Check {
  return (value, path, found) => {
    if (isExpected(value)) return;
    found.add({ path: path(), kind: 'unexpected_value', sample: jsonOf(value) });
  };
}

/** A field that becomes NULL if it cannot be read. */
function sideCheck(schema: z.ZodCatch): Check {
  const inner = schema.def.innerType;
  const deep = checkOf(inner);
  const fits = (value: unknown): boolean => z.safeParse(inner, value).success;
  // Brand names repeat from row to row.
  const known = remembering(fits);
  const own = unexpected((value) => (typeof value === 'object' ? fits(value) : known(value)));
  return (value, path, found) => {
    own(value, path, found);
    deep?.(value, path, found);
  };
}

function arrayCheck(schema: z.ZodArray): Check | null {
  const check = checkOf(schema.element);
  if (check === null) return null;
  return (value, path, found) => {
    if (!Array.isArray(value)) return;
    for (const element of value) check(element, () => `${path()}[]`, found);
  };
}

function unionCheck({ options }: z.ZodUnion): Check | null {
  if (options.every((option) => checkOf(option) === null)) return null;
  return (value, path, found) => {
    const option = options.find((candidate) => z.safeParse(candidate, value).success);
    if (option !== undefined) checkOf(option)?.(value, path, found);
  };
}

function objectCheck({ shape }: z.ZodObject): Check {
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, field]) => ({
    name,
    check: checkOf(field),
    isExpected: !z.safeParse(field, undefined).success || expectedFields.has(field),
  }));
  const deep = fields.flatMap(({ name, check }) => (check === null ? [] : [{ name, check }]));
  return (value, path, found) => {
    if (!isObject(value)) return;
    for (const { name, isExpected } of fields) {
      if (isExpected && !Object.hasOwn(value, name))
        found.add({ path: pathOf(path, name), kind: 'missing_field', sample: null });
    }
    for (const name in value) {
      if (Object.hasOwn(shape, name)) continue;
      found.add({ path: pathOf(path, name), kind: 'new_field', sample: jsonOf(value[name]) });
    }
    for (const { name, check } of deep) {
      if (Object.hasOwn(value, name)) check(value[name], () => pathOf(path, name), found);
    }
  };
}

/** The schema without its optional, nullable and transforming wrappers. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema;
}

function pathOf(object: Path, name: string): string {
  const path = object();
  return path === '' ? name : `${path}.${name}`;
}
