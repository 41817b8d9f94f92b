import type { Command, Option } from 'commander';
import { usageError, shellWord } from '../errors.ts';
import { shortPath } from '../files.ts';

/** `maxWait` → `max-wait` */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

type Env = Readonly<Record<string, string | undefined>>;

const TRUE_WORDS = new Set(['1', 'true', 'yes', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'no', 'off']);
const WITHOUT_VARIABLE = new Set(['--version', '--help']);

/** The environment variable of a flag: `--max-wait` → `ANSWERLAKE_MAX_WAIT`. */
export function variableOf(flag: string): string {
  return `ANSWERLAKE_${flag.replace(/^--/, '').toUpperCase().replaceAll('-', '_')}`;
}

/** The values of `command`'s flags: the command line first, then the environment. */
export function flagsOf(command: Command, env: Env): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const option of command.options) {
    if (option.long === undefined || option.long === null || WITHOUT_VARIABLE.has(option.long)) continue;
    const attribute = option.attributeName();
    // Commander represents `--no-samples` as `samples: false`.
    const name = option.negate ? `no${attribute.charAt(0).toUpperCase()}${attribute.slice(1)}` : attribute;
    const variable = variableOf(option.long);
    const fromEnv = env[variable];
    if (command.getOptionValueSource(attribute) === 'cli')
      flags[name] = option.negate || command.getOptionValue(attribute);
    else if (fromEnv !== undefined && fromEnv !== '') flags[name] = valueOf(option, variable, fromEnv);
  }
  return flags;
}

/** The flags of a command line without those of `left`, for a next command with the same selection; each after a blank. */
export function sameFlags(command: Command, left: readonly string[]): string {
  const words = command.options.flatMap((option) => {
    const name = option.attributeName();
    const flag = option.long ?? '';
    if (left.includes(flag) || command.getOptionValueSource(name) !== 'cli') return [];
    const values = option.required ? [command.getOptionValue(name) as unknown].flat().map(String) : [];
    return [flag, ...values.map(shellWord)];
  });
  return words.map((word) => ` ${word}`).join('');
}

/** True if an environment variable turns the switch on; for use before parsing. */
export function isOnByEnv(flag: string, env: Env): boolean {
  return TRUE_WORDS.has((env[variableOf(flag)] ?? '').toLowerCase());
}

function valueOf(option: Option, variable: string, text: string): unknown {
  if (option.required || option.optional) return option.variadic ? [text] : text;
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  throw usageError(`The environment variable ${variable} must be 1 or 0, not ${JSON.stringify(text)}.`);
}

/** The command by which this program was called, for retyping in the same place. @param script left out: its name */
export function typedAs(env: Env, script = 'answerlake'): string {
  // npm 10 sets `run-script` for `npm run`, npm 11 sets `run`.
  if (env['npm_command'] !== undefined || script.includes('node_modules')) return 'npx answerlake';
  return script.endsWith('.js') ? `node ${shellWord(shortPath(script))}` : 'answerlake';
}

interface Typed {
  env: Env;
  script?: string | undefined;
}

/** Makes the commands in a text work as typed here: `answerlake sync` becomes `npx answerlake sync --config acme.yaml`. */
export function asTyped(text: string, program: Command, { env, script }: Typed): string {
  // The words after these two are commands, too.
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
