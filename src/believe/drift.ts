import { z } from 'zod';
import { expectedFields, isObject, knownValues } from '../endpoints/field.ts';

/** Something in an answer that differs from the documents. */
export interface Drift {
  /** JSON path with `[]` for every index, e.g. `events[].items[].action.owner`. */
  path: string;
  kind: 'new_field' | 'missing_field' | 'new_enum_value';
  sample: string | null;
}

const MAX_SAMPLE_LENGTH = 200;
/** Findings of one answer; a server that invents names would fill the memory. */
const MAX_FINDINGS = 200;

/** Where a value stands; made a text only for a finding. */
interface Place {
  readonly path: string;
}

/** What differs in one answer: one finding per path and kind. */
export class DriftFindings {
  readonly #found = new Map<string, Drift>();
  readonly #root = new AnyIndex();

  /** Compares a value with the schema that documents it; never an error. */
  compare(schema: z.core.$ZodType, value: unknown, place: Place): void {
    this.#root.of = place;
    checkOf(schema)?.(value, this.#root, this);
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

/** A place without its indices. One for all items of an answer: there are many. */
class AnyIndex implements Place {
  of: Place = { path: '' };

  get path(): string {
    return this.of.path.replaceAll(/\[\d+\]/g, '[]');
  }
}

/** Adds what differs in a value. */
type Check = (value: unknown, place: Place, found: DriftFindings) => void;

/** A field of an object. */
class Field implements Place {
  readonly #object: Place;
  readonly #name: string;

  constructor(object: Place, name: string) {
    this.#object = object;
    this.#name = name;
  }

  get path(): string {
    return pathOf(this.#object, this.#name);
  }
}

/** Any element of a list. */
class Element implements Place {
  readonly #list: Place;

  constructor(list: Place) {
    this.#list = list;
  }

  get path(): string {
    return `${this.#list.path}[]`;
  }
}

function pathOf({ path }: Place, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

// A schema is taken apart once, and most values of an answer cannot differ in anything.
const checks = new WeakMap<z.core.$ZodType, { check: Check | null }>();

/** Null when no value can differ from the schema. */
function checkOf(schema: z.core.$ZodType): Check | null {
  const known = checks.get(schema);
  if (known !== undefined) return known.check;
  const check = makeCheck(bare(schema));
  checks.set(schema, { check });
  return check;
}

function makeCheck(schema: z.core.$ZodType): Check | null {
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodArray) return arrayCheck(schema);
  if (schema instanceof z.ZodUnion) return unionCheck(schema);
  const known = knownValues.get(schema)?.values;
  if (known === undefined) return null;
  return (value, place, found) => {
    if (typeof value !== 'string' || known.includes(value)) return;
    found.add({ path: place.path, kind: 'new_enum_value', sample: value });
  };
}

function arrayCheck(schema: z.ZodArray): Check | null {
  const check = checkOf(schema.element);
  if (check === null) return null;
  return (value, place, found) => {
    if (!Array.isArray(value)) return;
    const ofElement = new Element(place);
    for (const element of value) check(element, ofElement, found);
  };
}

function unionCheck({ options }: z.ZodUnion): Check | null {
  if (options.every((option) => checkOf(option) === null)) return null;
  return (value, place, found) => {
    const option = options.find((candidate) => z.safeParse(candidate, value).success);
    if (option !== undefined) checkOf(option)?.(value, place, found);
  };
}

function objectCheck({ shape }: z.ZodObject): Check {
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, field]) => ({
    name,
    check: checkOf(field),
    isExpected: !z.safeParse(field, undefined).success || expectedFields.has(field),
  }));
  const deep = fields.flatMap(({ name, check }) => (check === null ? [] : [{ name, check }]));
  return (value, place, found) => {
    if (!isObject(value)) return;
    for (const { name, isExpected } of fields) {
      if (isExpected && !Object.hasOwn(value, name))
        found.add({ path: pathOf(place, name), kind: 'missing_field', sample: null });
    }
    for (const name in value) {
      if (Object.hasOwn(shape, name)) continue;
      found.add({
        path: pathOf(place, name),
        kind: 'new_field',
        sample: JSON.stringify(value[name]) ?? null,
      });
    }
    for (const { name, check } of deep) {
      if (Object.hasOwn(value, name)) check(value[name], new Field(place, name), found);
    }
  };
}

/** The schema without its optional, nullable and transforming wraps. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema;
}
