import { z } from 'zod';
import { parseDay, parseInstant } from '../day.ts';

/** The documented values; any other value is stored unchanged and reported as drift. */
export const knownValues = z.registry<{ values: readonly string[] }>();

/** A documented list of values that may grow: any text loads, an unknown one is drift. */
export function openEnum(...values: readonly [string, ...string[]]): z.ZodString {
  return z.string().register(knownValues, { values });
}

/** An identifier: any non-empty text, because not every id of this API is a UUID. */
export const id = z.string().min(1);

/** Fields that are always present according to the documents: a row loads without them, and their absence is drift. */
export const expectedFields = z.registry<undefined>();

/** A field that is neither key nor measure: NULL if unreadable, which is drift. */
export function side<Schema extends z.ZodType>(schema: Schema) {
  return maybe(schema).catch(() => null);
}

/** Text that may be absent according to the documents. */
export const maybeText = z.string().nullish().transform(composed);

/** An optional text in addition to the key. */
export const sideText = maybeText.catch(() => null);

/** Text that describes but does not identify. */
export const label = maybeText.catch(() => null).register(expectedFields);

/** A figure: a null is NULL and no fault; an unreadable value is undefined, stored as NULL and reported as drift. */
type Figure = number | null | undefined;

/** The documented values of a figure: any other one is drift. */
export const figures = z.registry<{ isExpected: (value: number) => boolean }>();

/** Text that is wholly a number. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A finite number, possibly sent as text. */
export function numberOf(input: unknown): number | undefined {
  const number = typeof input === 'string' && NUMBER.test(input) ? Number(input) : input;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The parts of an item that are stored as NULL because they do not fit, field by field: drift. */
export const misfits = z.registry<{ of: (value: unknown) => readonly { path: string; value: unknown }[] }>();

function figure(isExpected: (value: number) => boolean, read: (input: unknown) => Figure = numberOf) {
  return z
    .transform((input: unknown): Figure => (input === null ? null : read(input)))
    .register(figures, { isExpected });
}

const isNumber = (): boolean => true;
export const measure = figure(isNumber).register(expectedFields);
/** A measure that may be absent. */
export const maybeMeasure = figure(isNumber, (input) => (input === undefined ? null : numberOf(input)));
/** A number from 0 to 100: any other is stored unchanged. */
export const score = figure((value) => value >= 0 && value <= 100).register(expectedFields);
/** A whole number: a decimal is stored as the nearest one. */
export const count = figure(Number.isSafeInteger, (input) => {
  const number = Math.round(numberOf(input) ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}).register(expectedFields);
export const flag = side(z.boolean()).register(expectedFields);

/** A value that `read` parses in one step; a pipe of schemas takes three, in every row. `expected` describes an unreadable one. */
function readBy<Read>(expected: z.ZodType, read: (input: unknown) => Read | undefined) {
  return z.transform((input: unknown, context): Read => {
    const found = read(input);
    if (found !== undefined) return found;
    for (const { message } of expected.safeParse(input).error?.issues ?? []) context.addIssue(message);
    return z.NEVER;
  });
}

/** A text that `parse` reads. */
function parsed<Parsed>(parse: (text: string) => Parsed | undefined, problem: string) {
  const text = z.string().refine((input) => parse(input) !== undefined, problem);
  return readBy(text, (input) => (typeof input === 'string' ? parse(input) : undefined));
}

/** A date or date-time → its UTC day. */
export const day = parsed(parseDay, 'not a date');

/** A date-time → epoch milliseconds. */
export const instant = parsed(parseInstant, 'not a date-time');

export const sideInstant = side(instant);

/** The same, but absence is drift. */
export const expectedInstant = side(instant).register(expectedFields);

/** Absent and null both become NULL. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

/** What a brand is to the project. */
export const relation = side(openEnum('DIRECT_COMPETITOR', 'SELF', 'IGNORED', 'OTHER'));

/** A uniform spelling for text that Unicode can encode in two ways. */
function composed(text: string | null | undefined): string | null {
  return text?.normalize('NFC') ?? null;
}

const pageField = z.transform((input: unknown) => {
  const number = numberOf(input) ?? -1;
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
});

/** The paging fields of a body; null for one that is missing or not a count. */
export const pageFields = z.object({ total: pageField, totalPages: pageField, size: pageField });

/** The same as documented. */
export const documentedPage = {
  total: z.number(),
  page: z.number(),
  size: z.number(),
  totalPages: z.number(),
};

/** True for a JSON object (not an array, not null). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object, unchanged: `z.record` would drop a key `__proto__`. */
export const anyObject = z.custom<Readonly<Record<string, unknown>>>(isObject, 'expected an object');

/** An own property, even one called `__proto__` or `constructor`. */
export function own(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}
