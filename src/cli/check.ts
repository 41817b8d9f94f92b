import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { strongestExitCode } from '../errors.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { checkAccount } from './check-account.ts';
import { ok, type CheckResult } from './check-result.ts';
import { checkQueue } from './check-queue.ts';
import { checkStorage } from './check-storage.ts';
import { checkTarget } from './check-target.ts';
import type { CommandContext } from './context.ts';
import type { CommandHost } from './host.ts';
import { jobsOf } from '../daemon/schedule/jobs-folder.ts';
import { readVersion } from '../version.ts';

/** `answerlake check`: everything a sync needs, one line each; changes nothing. */
export function defineCheck(command: Command, host: CommandHost): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ answerlake check
  $ answerlake check --json
Asks two requests for each key, and one for each project of an organization key.`,
  );
  host.handle(command, z.strictObject({}), async (context) => {
    const config = context.loadConfig();
    const shown: CheckResult[] = [];
    const show = (results: readonly CheckResult[]): void => {
      shown.push(...results);
      if (!context.flags.json) for (const result of results) showResult(result, context);
    };
    show([ok('configuration', config.path)]);
    show([checkJobs(config)]);
    await checkAccounts(config, context, show);
    show(await checkStorage(config));
    show(await checkTarget(config));
    show(await checkQueue(config, context));
    const exitCode = strongestExitCode(shown.map((result) => result.exitCode));
    if (context.flags.json) {
      const checks = shown.map(({ name, status, message }) => ({ name, status, message }));
      context.printJson({ ok: exitCode === 0, exit_code: exitCode, checks });
    }
    return exitCode;
  });
}

async function checkAccounts(
  config: Config,
  context: CommandContext,
  show: (results: readonly CheckResult[]) => void,
): Promise<void> {
  const { openClients } = await import('../accounts/clients.ts');
  const { effects, signal } = context;
  const log = await context.openLog('warn');
  const syncContext: SyncContext = { config, effects, log, signal, version: readVersion() };
  await using clients = openClients({
    context: syncContext,
    maxWaitMs: 0,
    organizations: new Map(),
    initialQuotas: new Map(),
  });
  for (const account of config.accounts) {
    show(await checkAccount(account, clients.of(account.name), syncContext));
  }
}

/** The jobs are needed by `schedule` alone: without a folder all is well. @throws ConfigurationError on a bad job */
function checkJobs(config: Config): CheckResult {
  if (!existsSync(config.jobsDir)) return ok('jobs', `none (${config.jobsDir}); answerlake sync needs none`);
  return ok(
    'jobs',
    jobsOf(config)
      .map((job) => `${job.name} (${job.schedule})`)
      .join(', '),
  );
}

const COLORS = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

function showResult({ name, status, message }: CheckResult, context: CommandContext): void {
  context.io.stdout.write(status.padEnd(7), COLORS[status]);
  context.print(`  ${name}: ${message}`);
}
