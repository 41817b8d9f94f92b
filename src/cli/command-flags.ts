import type { Command, Option } from 'commander';
import { AnswerlakeError } from '../errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

const TRUE_WORDS = new Set(['1', 'true', 'yes', 'on']);
const FALSE_WORDS = new Set(['0', 'false', 'no', 'off']);
const WITHOUT_VARIABLE = new Set(['--version', '--help']);

/** The environment variable that stands for a flag: `--max-wait` → `ANSWERLAKE_MAX_WAIT`. */
function variableOf(flag: string): string {
  return `ANSWERLAKE_${flag.replace(/^--/, '').toUpperCase().replaceAll('-', '_')}`;
}

/** What was written for the flags of `command`: the command line first, then the environment. */
export function flagsOf(command: Command, env: Env): Record<string, unknown> {
  const flags: Record<string, unknown> = {};
  for (const option of command.options) {
    if (option.long === undefined || option.long === null || WITHOUT_VARIABLE.has(option.long)) continue;
    const name = option.attributeName();
    const variable = variableOf(option.long);
    const fromEnv = env[variable];
    if (command.getOptionValueSource(name) === 'cli') flags[name] = command.getOptionValue(name);
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
  throw new AnswerlakeError(
    `The environment variable ${variable} must be 1 or 0, not ${JSON.stringify(text)}.`,
    {
      class: 'configuration',
    },
  );
}

/** The words that call a command: `sync`, `draft push`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandPath(parent)} ${command.name()}`;
}
