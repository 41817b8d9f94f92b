import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { ExitCode } from '../errors.ts';
import type { SyncRequest } from '../run/sync-request.ts';
import type { CommandContext, CommandHost } from './host.ts';
import { addSelectionFlags, syncFlags, syncRequestOf } from './selection-flags.ts';
import { afterRun, runWithProgress, summariseRun } from './run-with-progress.ts';

/** `answerlake sync`: one run now. */
export function define(command: Command, host: CommandHost): void {
  addSelectionFlags(command)
    .option('--dry-run', 'show what would be requested; store nothing')
    .option('--max-wait <duration>', 'longest wait for the hourly quota (default: 2h)')
    .option('--accept-shrink', 'accept answers that have lost most of their rows')
    .option('--strict', 'exit 3 on any refused row or drift')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake sync
  $ answerlake sync --endpoint events visibility --max-wait 0
  $ answerlake sync --from 2025-03-01 --to 2025-03-31
  $ answerlake sync --job nightly --json`,
    );
  host.handle(command, syncFlags, async (context, flags) => {
    const config = context.loadConfig(flags.today === undefined ? {} : { today: flags.today });
    const request = await syncRequestOf(flags, config);
    if (request.dryRun) {
      const { showPlan } = await import('./plan.ts');
      await showPlan(request, config, { context, isOffline: false });
      return 0;
    }
    return await syncNow(request, config, context);
  });
}

/** One run, with its summary. */
export async function syncNow(
  request: SyncRequest,
  config: Config,
  context: CommandContext,
): Promise<ExitCode> {
  const report = await runWithProgress(request, config, { context });
  context.printChange(report, () => summariseRun(report));
  context.next(...afterRun(report));
  return report.exit_code;
}
