import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Config, AccountConfig } from '../config/config.ts';
import { AnswerlakeError, strongestExitCode, usageError, exitCodeOf, messageOf, oneLine } from '../errors.ts';
import type { ExitCode } from '../errors.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { failed, ok, warning, checkTarget, checkQueue, checkStorage } from './check-storage.ts';
import type { CheckResult } from './check-storage.ts';
import { defined, type CommandContext, type NextStep } from './host.ts';
import { unknownExceptions } from '../config/choice.ts';
import { projectLabels, type NamedProject } from '../project-names.ts';
import { readStoredProjects, warnOfOtherKeys } from '../run/stored-projects.ts';
import { valueFlag, someText, switchFlag } from './flags.ts';
import { ConfigurationError } from '../config/yaml.ts';
import { loadJobs } from '../daemon/schedule/jobs.ts';
import { validateV1 } from '../endpoints/reference.ts';
import { hourOnly, type QuotaSnapshot } from '../extract/quota-state.ts';
import type { ApiClient } from '../extract/client.ts';
import type { Clients } from '../extract/clients.ts';
import { validateAccount } from '../extract/reach-projects.ts';
import { LARGEST_SKEW_MS, skewText } from '../plan/selection.ts';
import { describeProxy } from '../connect.ts';
import { amount, counted, named } from '../quantity.ts';

const flagSchema = z.strictObject({
  notify: switchFlag('also send a test to the webhook'),
  api: switchFlag('test what the API documents leave open, in at most 40 requests'),
  project: valueFlag(
    '<project>',
    'with --api: id, name or slug of the project to test (default: first)',
    someText,
  ),
  yes: switchFlag('with --api: proceed even with more than a tenth of the hourly quota'),
});

/** `answerlake check`: everything that a sync needs, one line each; changes nothing. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  if (flags.api) return await (await import('./check-api.ts')).checkApiOf(context, flags);
  if (flags.yes || flags.project !== undefined) throw usageError('--yes and --project need --api.');
  const exitCode = await checkAll(context, flags.notify);
  if (exitCode !== 0) context.next(['answerlake check', 'again, after fixing what failed']);
  else if (existsSync(context.loadConfig().warehouse.path))
    context.next(['answerlake sync', 'pull what is new']);
  else context.next(...STEPS_BEFORE_SYNC);
  return exitCode;
});

/** Next steps once a key works and nothing was pulled yet. */
export const STEPS_BEFORE_SYNC: readonly NextStep[] = [
  ['answerlake check --api', 'test what the API documents leave open'],
  ['answerlake plan', 'what a first sync would request'],
];

/** Prints a line for each requirement of a sync; returns the exit code that a sync would have. */
export async function checkAll(context: CommandContext, isNotified = false): Promise<ExitCode> {
  const config = context.loadConfig();
  const { json, quiet } = context.flags;
  const shown: CheckResult[] = [];
  const show = (results: readonly CheckResult[]): void => {
    shown.push(...results);
    for (const { name, status, message } of json ? [] : results) {
      if (quiet && status === 'ok') continue;
      context.io.stdout.write(status.padEnd(7), COLORS[status]);
      context.print(`  ${name}: ${message}`);
    }
  };
  show([
    ok('configuration', config.path),
    ok('Node.js', nodeText(process.versions.node)),
    ok('proxy', describeProxy(config.api.baseUrl, context.env) ?? 'none'),
    ...checkJobs(config),
  ]);
  const { openClients } = await import('../extract/clients.ts');
  const runContext = await context.runContext(config, 'warn');
  await using clients = openClients({ context: runContext });
  let isAnyUseful = false;
  const listed: (readonly NamedProject[] | null)[] = [];
  const organizations: { account: string; id: string | null }[] = [];
  for (const account of config.accounts) {
    const checked = await checkAccount(account, clients, runContext);
    isAnyUseful ||= checked.isUseful;
    listed.push(checked.listed);
    organizations.push({ account: account.name, id: checked.organizationId });
    show(checked.results);
  }
  for (const check of [checkStorage, checkTarget, checkQueue]) {
    const results = await check(config, context);
    // An interrupted check proves nothing.
    context.signal.throwIfAborted();
    show(results);
  }
  if (listed.every((projects) => projects !== null))
    show(await checkListed(context, listed.flat(), organizations));
  if (isNotified) show([await checkWebhook(runContext)]);
  // A failing key makes a sync of all accounts partial (3), unless every key fails (4).
  const codes = shown.map(({ exitCode: code }) => (code === 4 && isAnyUseful ? 3 : code));
  const exitCode = strongestExitCode(codes);
  if (json) {
    const checks = shown.map(({ name, status, message }) => ({ name, status, message }));
    context.printJson({ exit_code: exitCode, checks });
  }
  return exitCode;
}

/** The Node.js version that gets fixes longest. */
const RECOMMENDED_NODE = 24;
/** Older versions get no security fixes any more. */
const MAINTAINED_NODE = 22;

/** The version of Node.js, with the recommended one if it is older. */
export function nodeText(version: string): string {
  const major = Number.parseInt(version, 10);
  if (major >= RECOMMENDED_NODE) return version;
  const end = major < MAINTAINED_NODE ? `, and ${String(major)} gets no more security fixes` : '';
  return `${version}; ${String(RECOMMENDED_NODE)} is recommended${end}`;
}

/** Only `schedule` needs jobs, so a missing folder is fine. */
function checkJobs(config: Config): CheckResult[] {
  if (!existsSync(config.jobsDir))
    return [ok('jobs', `none (${config.jobsDir}); answerlake sync needs none`)];
  try {
    return loadJobs(config.jobsDir, config.catalogue).map((job) =>
      ok('jobs', `${job.name} (${job.schedule})`),
    );
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    const lines = error instanceof ConfigurationError ? error.lines : [error.message];
    return lines.map((line) => failed('jobs', line, error.exitCode));
  }
}

/** The warnings of a run about what the keys list, compared with the stored projects. */
async function checkListed(
  context: CommandContext,
  listed: readonly NamedProject[],
  organizations: readonly { account: string; id: string | null }[],
) {
  const config = context.loadConfig();
  const warned = (messages: readonly string[]) => messages.map((message) => warning('accounts', message));
  if (!existsSync(config.warehouse.path)) return warned(unknownExceptions(config.accounts, listed));
  // Whatever is wrong with the file has its own line.
  await using file = await context.openPublished(config, { isAnyVersion: true }).catch(() => null);
  if (file === null) return [];
  const keys = { organizations, listed: new Set(listed.map(({ id }) => id)) };
  return warned([
    ...unknownExceptions(config.accounts, [...listed, ...(await readStoredProjects(file))]),
    ...(await warnOfOtherKeys(file, config, keys)),
  ]);
}

async function checkWebhook(context: SyncContext): Promise<CheckResult> {
  const { webhook } = context.config.notify;
  if (webhook === null) return failed('webhook', 'not configured: set notify.webhook', 2);
  const { deliver } = await import('../daemon/notify/run-with-notification.ts');
  const { TEST_MESSAGE } = await import('../daemon/notify/webhook.ts');
  const problem = await deliver(webhook, TEST_MESSAGE, context);
  if (problem === null) return ok('webhook', `a test was sent (${webhook.origin})`);
  return failed('webhook', `${problem}; correct the address in ${webhook.origin}, or try again later`, 5);
}

const COLORS = { ok: 'green', warning: 'yellow', failed: 'red' } as const;

const UNREMARKABLE_SKEW_MS = 120_000;
const MAX_NAMED = 10;

/** Key, projects, quota and clock of one account: two requests, and one per project of an organization key; useful if a sync would load something with it. */
async function checkAccount(account: AccountConfig, clients: Clients, context: SyncContext) {
  const name = `account ${account.name}`;
  // Some messages name the account, which already precedes each line here.
  const withoutName = ({ message }: Error): string => message.replace(`${name}: `, '');
  try {
    const validated = await validateAccount(account, { ...context, clients, wanted: null });
    const { isOrganizationKey } = validated.account;
    const ids = validated.projects.map(({ projectId }) => projectId);
    const names = projectLabels(validated.listed ?? []);
    const shown = ids.map((id) => oneLine(names.get(id) ?? id));
    const reach = `${counted(ids.length, 'project')}: ${named(shown, MAX_NAMED)}`;
    const results = [
      ok(name, `the ${isOrganizationKey ? 'organization' : 'project'} key works (v2)`),
      ids.length === 0
        ? failed(name, 'the key reaches none of the configured projects: check accounts[].projects', 4)
        : ok(name, reach),
      ...validated.problems.map(({ error }) => failed(name, withoutName(error), error.exitCode)),
      ...(await checkVersion1(name, clients.of(account.name), context)),
    ];
    return {
      results,
      isUseful: ids.length > 0,
      listed: validated.listed,
      organizationId: validated.account.organizationId,
    };
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    const exitCode = exitCodeOf(error);
    // A check is partial only if something worked, and only an answer of the API itself is evidence against a key.
    const result = failed(name, withoutName(error), exitCode === 3 ? 5 : exitCode);
    return { results: [result], isUseful: false, listed: null, organizationId: null };
  }
}

async function checkVersion1(name: string, client: ApiClient, context: SyncContext): Promise<CheckResult[]> {
  const path = context.config.sync.endpoints[validateV1.name]?.path ?? validateV1.path;
  try {
    await client.get({ path, query: [], withKey: true, signal: context.signal });
    return [
      ok(name, 'the key works (v1)'),
      checkQuota(name, hourOnly(client.quota.snapshot()), context.effects.now()),
      checkClock(client.serverAheadMs),
    ];
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    return [failed(name, `v1: ${messageOf(error)}`, exitCodeOf(error))];
  }
}

function checkQuota(name: string, quota: QuotaSnapshot | null, nowMs: number): CheckResult {
  if (quota === null) return warning(name, 'the answers do not state the hourly quota (X-RateLimit headers)');
  const { limit, remaining, resetAt } = quota;
  const minutes = Math.max(0, Math.round((resetAt - nowMs) / 60_000));
  const text = `${amount(remaining)} of ${amount(limit)} requests left this hour, reset in ${minutes} min`;
  return remaining === 0 ? warning(name, `${text}: a sync waits for the next hour`) : ok(name, text);
}

function checkClock(aheadMs: number | null): CheckResult {
  if (aheadMs === null) return warning('clock', 'the server does not state its time');
  const skewMs = Math.abs(aheadMs);
  const seconds = Math.max(1, Math.round(skewMs / 1000));
  if (skewMs <= UNREMARKABLE_SKEW_MS) return ok('clock', `within ${seconds} s of the server's`);
  const refused = `${skewText(aheadMs)}: a sync refuses to run until this machine's clock is set`;
  if (skewMs > LARGEST_SKEW_MS) return failed('clock', refused, 2);
  const text = "set this machine's clock; a sync goes by the server's day meanwhile";
  return warning('clock', `${skewText(aheadMs)}: ${text}`);
}
