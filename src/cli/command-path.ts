import type { Command } from 'commander';

/** The words that call a command: `sync`, `draft push`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandPath(parent)} ${command.name()}`;
}
