import type { Command } from 'commander';
import { z } from 'zod';
import { commandTree } from './completion-tree.ts';
import { completionScript, SHELLS, type Shell } from './completion-scripts.ts';
import type { CommandHost } from './host.ts';
import { usageError } from '../errors.ts';

/** `answerlake completion bash|zsh|fish`: a script for the shell, made from the commands themselves. */
export function defineCompletion(command: Command, host: CommandHost): void {
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
