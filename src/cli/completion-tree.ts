import type { Command, Option } from 'commander';
import { LOG_LEVELS } from '../log-level.ts';
import { ENDPOINT_NAMES } from '../endpoints/endpoint-names.ts';
import { RESULT_FORMATS } from '../terminal/result-format.ts';

/** One flag, as completion needs it. */
export interface FlagNode {
  /** `--config`. */
  name: string;
  short: string | null;
  description: string;
  /** `none`: a switch; `file` and `folder`: a path; a list: one of these words. */
  value: 'none' | 'file' | 'folder' | 'word' | readonly string[];
}

/** One command and what may follow it; the flags that all take are among its own. */
export interface CommandNode {
  /** Words after the program's name: `` (the program), `sync`, `draft push`. */
  path: string;
  description: string;
  flags: FlagNode[];
  commands: { name: string; description: string }[];
}

/** Every command of the program, itself first. */
export function commandTree(program: Command): CommandNode[] {
  const shared = program.createHelp().visibleOptions(program).map(flagOf);
  return nodesOf(program, '', shared);
}

function nodesOf(command: Command, path: string, shared: readonly FlagNode[]): CommandNode[] {
  const help = command.createHelp();
  const own = path === '' ? [] : help.visibleOptions(command).map(flagOf);
  const known = new Set(own.map(({ name }) => name));
  const children = help.visibleCommands(command).filter((child) => path === '' || child.name() !== 'help');
  return [
    {
      path,
      description: command.description(),
      flags: [
        ...own,
        ...shared.filter(({ name }) => !known.has(name) && (path === '' || name !== '--version')),
      ],
      commands: children.map((child) => ({ name: child.name(), description: child.description() })),
    },
    ...children.flatMap((child) => nodesOf(child, `${path} ${child.name()}`.trim(), shared)),
  ];
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  '--log-level': LOG_LEVELS,
  '--format': RESULT_FORMATS,
  '--endpoint': ENDPOINT_NAMES,
};
const FOLDERS: ReadonlySet<string> = new Set(['--output', '--directory']);

function flagOf(option: Option): FlagNode {
  const name = option.long ?? option.flags;
  return {
    name,
    short: option.short ?? null,
    description: option.description,
    value: valueOf(name, option.required || option.optional),
  };
}

function valueOf(name: string, takesOne: boolean): FlagNode['value'] {
  if (!takesOne) return 'none';
  if (name === '--config') return 'file';
  return WORDS[name] ?? (FOLDERS.has(name) ? 'folder' : 'word');
}
