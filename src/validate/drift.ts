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

/** Compares a value with the schema that documents it: one finding per path and kind, never an error. */
export function findDrift(schema: z.core.$ZodType, value: unknown, path: string): Drift[] {
  const found = new Map<string, Drift>();
  walk({ schema, value, path: path.replaceAll(/\[\d+\]/g, '[]') }, found);
  return [...found.values()];
}

interface Place {
  schema: z.core.$ZodType;
  value: unknown;
  path: string;
}

function walk(place: Place, found: Map<string, Drift>): void {
  const { path, value } = place;
  const schema = bare(place.schema);
  if (schema instanceof z.ZodObject && isObject(value)) walkObject({ schema, value, path }, found);
  else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const element of value) walk({ schema: schema.element, value: element, path: `${path}[]` }, found);
  } else if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((candidate) => z.safeParse(candidate, value).success);
    if (option !== undefined) walk({ schema: option, value, path }, found);
  } else {
    const known = knownValues.get(schema)?.values;
    if (known !== undefined && typeof value === 'string' && !known.includes(value)) {
      add({ path, kind: 'new_enum_value', sample: value }, found);
    }
  }
}

function walkObject(
  { schema, value, path }: { schema: z.ZodObject; value: Readonly<Record<string, unknown>>; path: string },
  found: Map<string, Drift>,
): void {
  const prefix = path === '' ? '' : `${path}.`;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  for (const [name, field] of Object.entries(shape)) {
    if (Object.hasOwn(value, name)) walk({ schema: field, value: value[name], path: prefix + name }, found);
    else if (!z.safeParse(field, undefined).success || expectedFields.has(field)) {
      add({ path: prefix + name, kind: 'missing_field', sample: null }, found);
    }
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(shape, name)) continue;
    add({ path: prefix + name, kind: 'new_field', sample: JSON.stringify(value[name]) ?? null }, found);
  }
}

function add(drift: Drift, found: Map<string, Drift>): void {
  const key = `${drift.kind} ${drift.path} ${drift.kind === 'new_enum_value' ? drift.sample : ''}`;
  if (!found.has(key))
    found.set(key, { ...drift, sample: drift.sample?.slice(0, MAX_SAMPLE_LENGTH) ?? null });
}

/** The schema without its optional, nullable and transforming wraps. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema;
}
