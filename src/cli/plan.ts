import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { SyncPlan } from '../run/plan-sync.ts';
import type { SyncRequest } from '../run/sync-request.ts';
import type { CommandContext } from './context.ts';
import { switchFlag } from './flag-values.ts';
import type { CommandHost } from './host.ts';
import { formatPlan } from './plan-summary.ts';
import { addSelectionFlags, syncFlags, syncRequestOf } from './sync-flags.ts';
import { readVersion } from '../package.ts';

const planFlags = syncFlags
  .omit({ dryRun: true, maxWait: true, acceptShrink: true, strict: true })
  .extend({ offline: switchFlag });

/** `answerlake plan`: what a sync would ask. */
export function definePlan(command: Command, host: CommandHost): void {
  addSelectionFlags(command)
    .option('--offline', 'send no request: plan from what is stored')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake plan
  $ answerlake plan --offline --job nightly
  $ answerlake plan --from 2025-01-01 --to 2025-03-31 --json
Asks the keys, the model list and the prompt lists only: a handful of requests.`,
    );
  host.handle(command, planFlags, async (context, { offline, ...flags }) => {
    const config = context.loadConfig({
      ...(flags.today === undefined ? {} : { today: flags.today }),
      // Nothing is asked, so no key is needed.
      ...(offline ? { secrets: 'leave' as const } : {}),
    });
    const others = { dryRun: true, acceptShrink: false, strict: false };
    const request = syncRequestOf({ ...flags, ...others }, config);
    // A plan never waits for the next hour.
    await showPlan({ ...request, maxWaitMs: 0 }, config, { context, isOffline: offline });
    return 0;
  });
}

/** Prints what a run would ask, as a table or as JSON. @throws as `planSync` */
export async function showPlan(
  request: SyncRequest,
  config: Config,
  { context, isOffline }: { context: CommandContext; isOffline: boolean },
): Promise<void> {
  const { planSync } = await import('../run/plan-sync.ts');
  const { projectNames } = await import('../publish/published-file.ts');
  const { effects, signal } = context;
  const log = await context.openLog('warn');
  const plan: SyncPlan = await planSync(
    request,
    { config, effects, log, signal, version: readVersion() },
    isOffline,
  );
  if (context.flags.json) {
    context.printJson({ ok: true, exit_code: 0, ...plan });
    return;
  }
  const { stdout } = context.io;
  context.print(
    formatPlan(plan, {
      names: await projectNames(config.warehouse.path),
      reserve: config.api.reserveQuota,
      now: effects.now(),
      ...(stdout.isTerminal ? { width: stdout.columns } : {}),
    }),
  );
}
