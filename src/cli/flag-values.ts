import { z } from 'zod';
import { isDay, type Day } from '../day.ts';
import { parseDuration } from '../text.ts';

/** A calendar day. */
export const dayFlag = z.string().transform((text, context): Day => {
  if (isDay(text)) return text;
  context.addIssue({
    code: 'custom',
    message: `${JSON.stringify(text)} is not a calendar day: write YYYY-MM-DD`,
  });
  return z.NEVER;
});

/** A duration; gives milliseconds. */
export const durationFlag = z.string().transform((text, context): number => {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined) return durationMs;
  const message = `${JSON.stringify(text)} is not a duration: write it like 2h, 90m, 45s or 0`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** A whole number inside bounds. */
export function wholeFlag(minimum: number, maximum: number) {
  return z.string().transform((text, context): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const message = `${JSON.stringify(text)} is not a whole number from ${minimum} to ${maximum}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** One of a few words. */
export function wordFlag<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: (issue) => `${JSON.stringify(issue.input)} is not one of ${words.join(', ')}`,
  });
}

/** Values of a flag that may be repeated or hold commas. None at all is a mistake (a variable that is not set): it would select nothing. */
export const listFlag = z
  .array(z.string())
  .transform((values) => [
    ...new Set(
      values
        .flatMap((value) => value.split(','))
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    ),
  ])
  .refine((values) => values.length > 0, { error: 'is empty; name at least one, or leave it out for all' });

export const switchFlag = z.boolean().default(false);
