import type { Command } from 'commander';
import { z } from 'zod';
import { parseDay } from '../day.ts';
import { parseDuration } from '../quantity.ts';
import { kebab } from './typed.ts';

/** A flag whose text `parse` reads; undefined marks invalid text. */
function parsedFlag<Value>(expected: string, parse: (text: string) => Value | undefined) {
  return z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not ${expected}` });
    return z.NEVER;
  });
}

/** A calendar day. */
export const dayFlag = parsedFlag('a calendar day: write YYYY-MM-DD', parseDay);

/** A duration, as milliseconds. */
export const durationFlag = parsedFlag('a duration: write it like 2h, 90m, 45s or 0', parseDuration);

/** A whole number within bounds. */
export function wholeFlag(minimum: number, maximum: number) {
  return parsedFlag(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

/** One of a few words. */
export function wordFlag<const Words extends readonly string[]>(words: Words, between = ', ') {
  return z.enum(words, {
    error: (issue) => `${JSON.stringify(issue.input)} is not one of ${words.join(between)}`,
  });
}

/** Values of a flag that may be repeated, or several in one. No value at all is a mistake (an unset variable): it would select nothing. */
function severalOf(separator: RegExp) {
  return z
    .array(z.string())
    .transform((values) => {
      const words = values.flatMap((value) => value.split(separator)).map((one) => one.trim());
      return [...new Set(words.filter((one) => one !== ''))];
    })
    .refine((values) => values.length > 0, { error: 'is empty; name at least one, or leave it out for all' });
}

export const listFlag = severalOf(/[\s,]+/);
/** A name may have blanks, and a comma before one: `Acme, Inc.` */
export const projectsFlag = severalOf(/,(?!\s)/);

/** An optional flag; `value` is the name of its value in `--help`. */
export function valueFlag<Schema extends z.ZodType>(value: string, description: string, schema: Schema) {
  return schema.exactOptional().meta({ value: ` ${value}`, description });
}

/** Text that is not empty. */
export const someText = z.string().min(1, 'must not be empty');

export const noFlags = z.strictObject({});

/** A flag without a value. */
export function switchFlag(description: string) {
  return z.boolean().default(false).meta({ value: '', description });
}

/** Adds flags to a command; the schema defines their values. */
export function addFlags(command: Command, { shape }: z.ZodObject): void {
  for (const [name, field] of Object.entries(shape)) {
    const { value, description } = z.globalRegistry.get(field) ?? {};
    command.option(`--${kebab(name)}${String(value)}`, description);
  }
}
