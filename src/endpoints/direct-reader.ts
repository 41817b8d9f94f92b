import { z } from 'zod';
import { directParsers, isObject, orNull } from './field.ts';

/** Undefined for a value that only the schema can read. */
export type DirectReader<Schema extends z.ZodType> = (value: unknown) => z.output<Schema> | undefined;

/** Stands for a value that is left to the schema. */
const OTHER = Symbol('other');

type Read = (value: unknown) => unknown;

/**
 * Reads plain values without running their schema: most items of an answer are objects of numbers, texts and days, and zod makes three objects for each
 * of their fields. Undefined for every other value: the schema alone says what is wrong with it. Null for a schema that has parts which this does not know.
 */
export function directReader<Schema extends z.ZodType>(schema: Schema): DirectReader<Schema> | null {
  const read = readerOf(schema);
  if (read === null) return null;
  return (value) => {
    const found = read(value);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test compares it with what the schema gives
    return found === OTHER ? undefined : (found as z.output<Schema>);
  };
}

function readerOf(schema: z.core.$ZodType): Read | null {
  const parse = directParsers.get(schema);
  if (parse !== undefined) return (value) => (typeof value === 'string' ? (parse(value) ?? OTHER) : OTHER);
  if (schema instanceof z.ZodString) return stringReader(schema);
  if (schema instanceof z.ZodNumber) return numberReader(schema);
  if (hasChecks(schema)) return null;
  if (schema instanceof z.ZodObject) return objectReader(schema);
  if (schema instanceof z.ZodArray) return listReader(schema);
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? value : OTHER);
  // What is not there is left to the schema.
  if (schema instanceof z.ZodUnknown) return (value) => (value === undefined ? OTHER : value);
  if (schema instanceof z.ZodNullable) return orReader(readerOf(schema.unwrap()), null);
  if (schema instanceof z.ZodOptional) return orReader(readerOf(schema.unwrap()), undefined);
  const isOrNull =
    schema instanceof z.ZodPipe &&
    schema.out instanceof z.ZodTransform &&
    schema.out.def.transform === orNull;
  const read = isOrNull ? readerOf(schema.in) : null;
  return read === null ? null : (value) => read(value) ?? null;
}

/** Whether a schema asks for more than its type says (`refine`). */
function hasChecks(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodType && (schema.def.checks ?? []).length > 0;
}

function orReader(read: Read | null, other: null | undefined): Read | null {
  return read === null ? null : (value) => (value === other ? value : read(value));
}

function stringReader({ def: { coerce, checks = [] }, minLength }: z.ZodString): Read | null {
  const isKnown = checks.every((check) => check instanceof z.core.$ZodCheckMinLength);
  if (coerce === true || !isKnown) return null;
  const least = minLength ?? 0;
  return (value) => (typeof value === 'string' && value.length >= least ? value : OTHER);
}

function numberReader({ def: { coerce, checks = [] }, format }: z.ZodNumber): Read | null {
  if (coerce === true) return null;
  if (checks.length === 0 && format === null) return (value) => (Number.isFinite(value) ? value : OTHER);
  const isWhole = checks.every((check) => check instanceof z.core.$ZodCheckNumberFormat);
  return isWhole && format === 'safeint' ? (value) => (Number.isSafeInteger(value) ? value : OTHER) : null;
}

/** A list of anything is itself; any other one is left to the schema. */
function listReader({ element }: z.ZodArray): Read | null {
  if (!(element instanceof z.ZodUnknown) || hasChecks(element)) return null;
  return (value) => (Array.isArray(value) ? value : OTHER);
}

function objectReader({ def: { catchall }, shape }: z.ZodObject): Read | null {
  if (catchall !== undefined) return null;
  const fields: { name: string; read: Read }[] = [];
  for (const [name, field] of Object.entries<z.core.$ZodType>(shape)) {
    const read = readerOf(field);
    if (read === null) return null;
    fields.push({ name, read });
  }
  return (value) => {
    if (!isObject(value)) return OTHER;
    const found: Record<string, unknown> = {};
    for (const { name, read } of fields) {
      const part = read(value[name]);
      if (part === OTHER) return OTHER;
      found[name] = part;
    }
    return found;
  };
}
