import type { Command } from 'commander';

/** The flags that choose what a run is about; `sync` and `plan` share them. */
export function addSelectionFlags(command: Command): Command {
  return command
    .option('--job <name>', 'use the settings of this job in the jobs folder')
    .option('--project <id...>', 'only these projects')
    .option('--endpoint <name...>', 'only these endpoints (names, or ends of API paths)')
    .option('--from <date>', 'pull this day and later ones again')
    .option('--to <date>', 'last day of --from (default: today)')
    .option('--full', 'pull everything again, whatever is stored')
    .option('--lookback-days <days>', 'days before today that are asked for again')
    .option('--today <date>', 'treat this UTC date as today; not in the future');
}
