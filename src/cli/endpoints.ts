import type { Command } from 'commander';
import { usageError } from '../errors.ts';
import { defined, type CommandContext, type CommandHost } from './host.ts';
import { addEndpoint } from './add-endpoint.ts';
import { tryEndpoint, tryFlags } from './try-endpoint.ts';

/** `answerlake endpoints …`: endpoints of one's own. */
export function define(command: Command, host: CommandHost): void {
  for (const [name, description, defineOne] of SUBCOMMANDS)
    defineOne(command.command(name).description(description), host);
}

type Work = typeof tryEndpoint;

const defineOne = (argument: string, work: Work) =>
  defined(
    { flags: tryFlags, argument: [`<${argument}>`, 'a file, or the name of an endpoint'] },
    async (context: CommandContext, flags, [word]) => {
      if (word === undefined) throw usageError('Name a file or an endpoint.');
      return await work(context, word, flags);
    },
  );

const SUBCOMMANDS = [
  ['try', 'ask the server what a declaration gets; store nothing', defineOne('file', tryEndpoint)],
  ['add', 'copy a ready-made declaration with its views, and try it', defineOne('name', addEndpoint)],
] as const;
