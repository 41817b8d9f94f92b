import type { Command, Option } from 'commander';
import { z } from 'zod';
import { ENDPOINT_NAMES } from '../endpoints/catalogue.ts';
import { usageError } from '../errors.ts';
import { LOG_LEVELS } from '../log.ts';
import type { CommandHost } from './host.ts';
import { RESULT_FORMATS } from './terminal/result-format.ts';

/** `answerlake completion bash|zsh|fish`: a script for the shell, made from the commands themselves. */
export function define(command: Command, host: CommandHost): void {
  command.argument('<shell>', SHELLS.join(', ')).addHelpText(
    'after',
    `
Examples:
  $ source <(answerlake completion bash)         (in ~/.bashrc)
  $ answerlake completion zsh > ~/.zfunc/_answerlake
  $ answerlake completion fish > ~/.config/fish/completions/answerlake.fish
Open a new shell afterwards. For zsh the folder must be in fpath.`,
  );
  host.handle(command, z.strictObject({}), async (context, _, words) => {
    const shell = SHELLS.find((one) => one === words[0]);
    if (shell === undefined) {
      throw usageError(`There is no completion for ${words[0] ?? ''}: choose ${SHELLS.join(', ')}.`);
    }
    const name: Shell = shell;
    context.io.stdout.write(completionScript(name, commandTree(host.program)));
    return 0;
  });
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A completion script; sourcing it runs nothing of ours. */
function completionScript(shell: Shell, nodes: readonly CommandNode[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(nodes);
    case 'zsh':
      return zshScript(nodes);
    case 'fish':
      return fishScript(nodes);
    default:
      return shell satisfies never;
  }
}

const wordsOf = ({ flags, commands }: CommandNode): string =>
  [...commands.map(({ name }) => name), ...flags.map(({ name }) => name)].join(' ');

function bashScript(nodes: readonly CommandNode[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const words = nodes.map((node) => `    "${node.path}") words="${wordsOf(node)}" ;;`);
  return `# bash completion for answerlake
_answerlake() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$previous" in
${valueCases(nodes, (flag) => bashValue(flag)).join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _answerlake answerlake
`;
}

function bashValue({ value }: FlagNode): string {
  switch (value) {
    case 'none':
      return '';
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$current")); return';
    case 'folder':
      return 'COMPREPLY=($(compgen -d -- "$current")); return';
    case 'word':
      return 'COMPREPLY=(); return';
    default:
      return `COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$current")); return`;
  }
}

/** One case a flag that takes a value. */
function valueCases(nodes: readonly CommandNode[], write: (flag: FlagNode) => string): string[] {
  const flags = new Map(nodes.flatMap((node) => node.flags).map((flag) => [flag.name, flag]));
  return [...flags.values()]
    .filter(({ value }) => value !== 'none')
    .map((flag) => `    ${flag.name}) ${write(flag)} ;;`);
}

function zshScript(nodes: readonly CommandNode[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const cases = nodes.map(({ path, flags, commands }) => {
    const described = [...commands, ...flags].map(
      ({ name, description }) => `      ${zshQuote(`${name.replaceAll(':', '\\:')}:${description}`)}`,
    );
    return `    "${path}") choices=(\n${described.join('\n')}\n    ) ;;`;
  });
  return `#compdef answerlake
_answerlake() {
  local -a choices
  local subject="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${subject:+$subject }$word" in
      ${paths.join('|')}) subject="\${subject:+$subject }$word" ;;
    esac
  done
  case "\${words[CURRENT-1]}" in
${valueCases(nodes, (flag) => zshValue(flag)).join('\n')}
  esac
  case "$subject" in
${cases.join('\n')}
  esac
  _describe 'answerlake' choices
}
if [ "$funcstack[1]" = "_answerlake" ]; then _answerlake "$@"; else compdef _answerlake answerlake; fi
`;
}

function zshValue({ value }: FlagNode): string {
  switch (value) {
    case 'none':
      return '';
    case 'file':
      return '_files; return';
    case 'folder':
      return '_files -/; return';
    case 'word':
      return 'return';
    default:
      return `compadd -- ${value.join(' ')}; return`;
  }
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap((node) => {
    const condition = fishQuote(conditionOf(node, nodes));
    const commands = node.commands.map(
      ({ name, description }) =>
        `complete -c answerlake -n ${condition} -a ${name} -d ${fishQuote(description)}`,
    );
    const flags = node.flags.map((flag) => `complete -c answerlake -n ${condition} ${fishFlag(flag)}`);
    return [...commands, ...flags];
  });
  return `# fish completion for answerlake\ncomplete -c answerlake -f\n${lines.join('\n')}\n`;
}

function conditionOf({ path }: CommandNode, nodes: readonly CommandNode[]): string {
  if (path === '') return '__fish_use_subcommand';
  const seen = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const deeper = nodes
    .filter((node) => node.path.startsWith(`${path} `))
    .map((node) => node.path.split(' ').at(-1));
  return [
    ...seen,
    ...(deeper.length === 0 ? [] : [`not __fish_seen_subcommand_from ${deeper.join(' ')}`]),
  ].join('; and ');
}

function fishFlag({ name, short, description, value }: FlagNode): string {
  const parts = [`-l ${name.replace(/^--/, '')}`];
  if (short !== null) parts.push(`-s ${short.replace(/^-/, '')}`);
  if (value === 'file') parts.push('-r -F');
  else if (value === 'folder') parts.push("-x -a '(__fish_complete_directories)'");
  else if (value === 'word') parts.push('-x');
  else if (value !== 'none') parts.push(`-x -a ${fishQuote(value.join(' '))}`);
  return `${parts.join(' ')} -d ${fishQuote(description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

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
function commandTree(program: Command): CommandNode[] {
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
