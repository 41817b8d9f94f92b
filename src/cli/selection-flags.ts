import type { Command } from 'commander';

/** The flags that choose what a run is about; `sync` and `plan` share them. */
export function addSelectionFlags(command: Command): Command {
  return command
    .option('--job <name>', 'what this job of the jobs folder asks for')
    .option('--project <id...>', 'only these projects')
    .option('--endpoint <name...>', 'only these endpoints (names, or ends of API paths)')
    .option('--from <date>', 'pull this day and later ones again')
    .option('--to <date>', 'last day of --from (default: today)')
    .option('--full', 'pull everything again, whatever is stored')
    .option('--today <date>', 'take this UTC date for today');
}
