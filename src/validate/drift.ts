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
const MOST_FINDINGS = 200;

/** What differs in one answer: one finding per path and kind. */
export class DriftFindings {
  readonly #found = new Map<string, Drift>();

  /** Compares a value with the schema that documents it; never an error. */
  compare(schema: z.core.$ZodType, value: unknown, path: string): void {
    walk({ schema, value, path: path.replaceAll(/\[\d+\]/g, '[]') }, this);
  }

  add(drift: Drift): void {
    if (this.#found.size >= MOST_FINDINGS) return;
    const key = `${drift.kind} ${drift.path} ${drift.kind === 'new_enum_value' ? drift.sample : ''}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, { ...drift, sample: drift.sample?.slice(0, MAX_SAMPLE_LENGTH) ?? null });
  }

  list(): readonly Drift[] {
    return [...this.#found.values()];
  }
}

interface Place {
  schema: z.core.$ZodType;
  value: unknown;
  path: string;
}

function walk(place: Place, found: DriftFindings): void {
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
      found.add({ path, kind: 'new_enum_value', sample: value });
    }
  }
}

function walkObject(
  { schema, value, path }: { schema: z.ZodObject; value: Readonly<Record<string, unknown>>; path: string },
  found: DriftFindings,
): void {
  const prefix = path === '' ? '' : `${path}.`;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  for (const [name, field] of Object.entries(shape)) {
    if (Object.hasOwn(value, name)) walk({ schema: field, value: value[name], path: prefix + name }, found);
    else if (!z.safeParse(field, undefined).success || expectedFields.has(field)) {
      found.add({ path: prefix + name, kind: 'missing_field', sample: null });
    }
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(shape, name)) continue;
    found.add({ path: prefix + name, kind: 'new_field', sample: JSON.stringify(value[name]) ?? null });
  }
}

/** The schema without its optional, nullable and transforming wraps. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  return schema;
}
