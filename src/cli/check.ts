import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { AnswerlakeError, strongestExitCode, usageError, type ExitCode } from '../errors.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { checkAccount } from './check-account.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';
import { checkQueue } from './check-queue.ts';
import { checkStorage } from './check-storage.ts';
import { checkTarget } from './check-target.ts';
import type { CommandContext } from './context.ts';
import { switchFlag } from './flag-values.ts';
import type { CommandHost } from './host.ts';
import { jobsOf } from '../daemon/schedule/jobs-folder.ts';
import { readVersion } from '../package.ts';

const flagSchema = z.strictObject({
  api: switchFlag,
  project: z.string().min(1).exactOptional(),
  yes: switchFlag,
});

/** `answerlake check`: everything a sync needs, one line each; changes nothing. */
export function defineCheck(command: Command, host: CommandHost): void {
  command
    .option('--api', 'ask the server what the API documents leave open, in at most 40 requests')
    .option(
      '--project <project>',
      'with --api: id, name or slug of the project to ask (default: the first one)',
    )
    .option('--yes', 'with --api: ask although that is more than a tenth of the hourly quota')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake check
  $ answerlake check --json
  $ answerlake check --api
Asks two requests for each key, and one for each project of an organization key.`,
    );
  host.handle(command, flagSchema, async (context, flags) => {
    if (flags.api) return await (await import('./check-api.ts')).checkApiOf(context, flags);
    if (flags.yes || flags.project !== undefined) throw usageError('--yes and --project need --api.');
    const config = context.loadConfig();
    const shown: CheckResult[] = [];
    const codes: ExitCode[] = [];
    const show = (results: readonly CheckResult[]): void => {
      shown.push(...results);
      if (!context.flags.json) for (const result of results) showResult(result, context);
    };
    const count = (results: readonly CheckResult[]): void => {
      show(results);
      codes.push(...results.map((result) => result.exitCode));
    };
    count([ok('configuration', config.path)]);
    count([checkJobs(config)]);
    codes.push(...(await checkAccounts(config, context, show)));
    count(await checkStorage(config));
    count(await checkTarget(config));
    count(await checkQueue(config, context));
    const exitCode = strongestExitCode(codes);
    if (context.flags.json) {
      const checks = shown.map(({ name, status, message }) => ({ name, status, message }));
      context.printJson({ ok: exitCode === 0, exit_code: exitCode, checks });
    }
    return exitCode;
  });
}

/** The lines of every account, and what a sync would end with because of them. */
async function checkAccounts(
  config: Config,
  context: CommandContext,
  show: (results: readonly CheckResult[]) => void,
): Promise<readonly ExitCode[]> {
  const { openClients } = await import('../extract/clients.ts');
  const { effects, signal } = context;
  const log = await context.openLog('warn');
  const syncContext: SyncContext = { config, effects, log, signal, version: readVersion() };
  await using clients = openClients({
    context: syncContext,
    maxWaitMs: 0,
    organizations: new Map(),
    initialQuotas: new Map(),
  });
  const codes: ExitCode[] = [];
  const reached: (readonly string[] | null)[] = [];
  let useful = false;
  for (const account of config.accounts) {
    const { results, projects, isUseful } = await checkAccount(
      account,
      clients.of(account.name),
      syncContext,
    );
    codes.push(strongestExitCode(results.map(({ exitCode }) => exitCode)));
    reached.push(projects);
    useful ||= isUseful;
    show(results);
  }
  show(checkTargets(config, reached));
  return together(codes, useful);
}

/** A goal for a project that no key reaches is met by nothing: `main.targets` shows its row without figures. */
function checkTargets(
  { targets }: Pick<Config, 'targets'>,
  reached: readonly (readonly string[] | null)[],
): CheckResult[] {
  // Where a key did not tell its projects, any of them may be its.
  if (reached.includes(null)) return [];
  const known = new Set(reached.flatMap((projects) => projects ?? []));
  const strange = [...new Set(targets.map(({ project }) => project))].filter((id) => !known.has(id));
  if (strange.length === 0) return [];
  return [
    warning(
      'targets',
      `no key reaches ${strange.join(', ')}: correct the project of these targets, or remove them`,
    ),
  ];
}

/** What a sync of all accounts would end with: one key that does not work is a part of it, all of them are the whole. */
function together(codes: readonly ExitCode[], useful: boolean): readonly ExitCode[] {
  return useful ? codes.map((code) => (code === 4 ? 3 : code)) : codes;
}

/** The jobs are needed by `schedule` alone: without a folder all is well. */
function checkJobs(config: Config): CheckResult {
  if (!existsSync(config.jobsDir)) return ok('jobs', `none (${config.jobsDir}); answerlake sync needs none`);
  try {
    const jobs = jobsOf(config).map((job) => `${job.name} (${job.schedule})`);
    return ok('jobs', jobs.join(', '));
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    return failed('jobs', error.message, error.exitCode);
  }
}

const COLORS = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

function showResult({ name, status, message }: CheckResult, context: CommandContext): void {
  context.io.stdout.write(status.padEnd(7), COLORS[status]);
  context.print(`  ${name}: ${message}`);
}
