import type { Command, Option } from 'commander';
import { usageError, shellWord } from '../errors.ts';
import { z } from 'zod';
import { parseDay } from '../day.ts';
import { parseDuration } from '../quantity.ts';
import { shortPath } from '../files.ts';

/** A flag whose text is read by `parse`, which gives undefined for any other text. */
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

/** A duration; gives milliseconds. */
export const durationFlag = parsedFlag('a duration: write it like 2h, 90m, 45s or 0', parseDuration);

/** A whole number inside bounds. */
export function wholeFlag(minimum: number, maximum: number) {
  return parsedFlag(`a whole number from ${minimum} to ${maximum}`, (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

/** One of a few words. */
export function wordFlag<const Words extends readonly [string, ...string[]]>(words: Words, between = ', ') {
  return z.enum(words, {
    error: (issue) => `${JSON.stringify(issue.input)} is not one of ${words.join(between)}`,
  });
}

/** Values of a flag that may be repeated or hold commas. None at all is a mistake (a variable that is not set): it would select nothing. */
export const listFlag = z
  .array(z.string())
  .transform((values) => {
    const words = values.flatMap((value) => value.split(',')).map((one) => one.trim());
    return [...new Set(words.filter((one) => one !== ''))];
  })
  .refine((values) => values.length > 0, { error: 'is empty; name at least one, or leave it out for all' });

/** A flag that may be left out; `value` is the name of its value in `--help`. */
export function valueFlag<Schema extends z.ZodType>(value: string, description: string, schema: Schema) {
  return schema.exactOptional().meta({ value: ` ${value}`, description });
}

/** Text that is not empty. */
export const someText = z.string().min(1, 'must not be empty');

export const noFlags = z.strictObject({});

/** A flag without value. */
export function switchFlag(description: string) {
  return z.boolean().default(false).meta({ value: '', description });
}

/** Gives a command its flags; the schema defines their values. */
export function addFlags(command: Command, { shape }: z.ZodObject): void {
  for (const [name, field] of Object.entries(shape)) {
    const { value, description } = z.globalRegistry.get(field) ?? {};
    command.option(`--${kebab(name)}${String(value)}`, description);
  }
}

/** `maxWait` → `max-wait` */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

type Env = Readonly<Record<string, string | undefined>>;

const TRUE_WORDS = new Set(['1', 'true', 'yes', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'no', 'off']);
const WITHOUT_VARIABLE = new Set(['--version', '--help']);

/** The environment variable of a flag: `--max-wait` → `ANSWERLAKE_MAX_WAIT`. */
function variableOf(flag: string): string {
  return `ANSWERLAKE_${flag.replace(/^--/, '').toUpperCase().replaceAll('-', '_')}`;
}

/** What was written for the flags of `command`: the command line first, then the environment. */
export function flagsOf(command: Command, env: Env): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const option of command.options) {
    if (option.long === undefined || option.long === null || WITHOUT_VARIABLE.has(option.long)) continue;
    const attribute = option.attributeName();
    // Commander calls `--no-samples` a `samples` that is false.
    const name = option.negate ? `no${attribute.charAt(0).toUpperCase()}${attribute.slice(1)}` : attribute;
    const variable = variableOf(option.long);
    const fromEnv = env[variable];
    if (command.getOptionValueSource(attribute) === 'cli')
      flags[name] = option.negate || command.getOptionValue(attribute);
    else if (fromEnv !== undefined && fromEnv !== '') flags[name] = valueOf(option, variable, fromEnv);
  }
  return flags;
}

/** True when a switch is on by its environment variable; for use before anything is parsed. */
export function isOnByEnv(flag: string, env: Env): boolean {
  return TRUE_WORDS.has((env[variableOf(flag)] ?? '').toLowerCase());
}

function valueOf(option: Option, variable: string, text: string): unknown {
  if (option.required || option.optional) return option.variadic ? text.split(/[\s,]+/) : text;
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  throw usageError(`The environment variable ${variable} must be 1 or 0, not ${JSON.stringify(text)}.`);
}

/** How this program was called, to be typed again in the same place. @param script left out: by its name */
export function typedAs(env: Env, script = 'answerlake'): string {
  // npm 10 calls `npm run` run-script, npm 11 calls it run.
  if (env['npm_command'] !== undefined || script.includes('node_modules')) return 'npx answerlake';
  return script.endsWith('.js') ? `node ${shellWord(shortPath(script))}` : 'answerlake';
}

interface Typed {
  env: Env;
  script?: string | undefined;
}

/** Makes the commands of a text work as typed here: `answerlake sync` becomes `npx answerlake sync --config acme.yaml`. */
export function asTyped(text: string, program: Command, { env, script }: Typed): string {
  // The words after these two are commands too.
  const names = [
    '(?:queue|draft|endpoints) [a-z]+',
    ...program.commands.map((command) => command.name()),
  ].join('|');
  const { config } = program.opts<{ config?: string }>();
  const isUsual = config === undefined || shortPath(config) === 'answerlake.yaml';
  const chosen = isUsual ? '' : ` --config ${shellWord(config)}`;
  const called = typedAs(env, script);
  const whole = `--help|help|(?:${names})(?: [a-z]+)* --(?:config|help)`;
  const commands = new RegExp(`(?<![\\w/])answerlake (${whole}|(${names})\\b)`, 'g');
  return text.replaceAll(commands, (_, words: string, plain = '') => `${called} ${words}${plain && chosen}`);
}
