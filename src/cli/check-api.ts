import { MAX_ATTEMPTS, MAX_REQUESTS, openQuestioner } from '../check/budget.ts';
import { checkApi } from '../check/check-api.ts';
import { type Finding, verdictOn } from '../check/verdict.ts';
import type { Config } from '../config/config.ts';
import { dayOf } from '../day.ts';
import { amount, counted } from '../quantity.ts';
import { idsMeant } from '../project-names.ts';
import { AnswerlakeError, usageError, type ExitCode } from '../errors.ts';
import { hourOnly } from '../extract/quota-state.ts';
import { chosenIds } from '../config/choice.ts';
import type { Clients } from '../extract/clients.ts';
import { projectHeaderOf, validateAccount } from '../extract/reach-projects.ts';
import { reportError, writeError, type CommandContext } from './host.ts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { openPublishedFile } from '../publish/published-file.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import type { Probe } from '../believe/probe.ts';
import { askedWith } from '../plan/selection.ts';
import { writeProbes } from '../run/taught.ts';
import { openWarehouse, workingPath } from '../warehouse/working-file.ts';

type ApiCheckFlags = { yes: boolean } & Pick<First, 'project'>;

/** Larger checks require `--yes`. */
const MAX_SHARE_OF_HOUR = 0.1;

/** `answerlake check --api`: tests what the API documents leave open, for the first account. */
export async function checkApiOf(context: CommandContext, flags: ApiCheckFlags): Promise<ExitCode> {
  const loaded = context.loadConfig();
  const attempts = Math.min(MAX_ATTEMPTS, loaded.api.attempts);
  const config: Config = { ...loaded, api: { ...loaded.api, attempts } };
  try {
    return await checkFirstAccount(context, config, flags);
  } catch (failure) {
    if (!context.flags.json) throw failure;
    // The JSON may be passed on, and messages name the account.
    const report = reportError(failure, context.typedHere, context.redact);
    const { ok, exit_code, code, scope } = report.json;
    const words = { error: 'The check was not finished.', remedy: 'See the reason on stderr.' };
    context.printJson({ ok, exit_code, code, scope, ...words });
    writeError(report, context.io.stderr, context.typedHere);
    return report.json.exit_code;
  }
}

async function checkFirstAccount(context: CommandContext, config: Config, { yes, project }: ApiCheckFlags) {
  const { openClients } = await import('../extract/clients.ts');
  await using clients = openClients({ context: await context.runContext(config, 'warn') });
  context.note(`Sends at most ${MAX_REQUESTS} requests for account ${config.accounts[0]?.name ?? ''}.`);
  const asking = await reachFirst(context, config, { clients, project });
  const { client, projectId, today } = asking;
  const hour = hourOnly(client.quota.snapshot());
  if (!yes && hour !== null && MAX_REQUESTS > hour.limit * MAX_SHARE_OF_HOUR) {
    throw usageError([
      `The check sends up to ${MAX_REQUESTS} requests, more than a tenth of the ${amount(hour.limit)} of an hour:`,
      'add --yes to send them.',
    ]);
  }
  context.note(`Checks project ${asking.projectName || projectId}.`);
  const questioner = openQuestioner(client, asking);
  const { verdicts, shapes, probes } = await checkApi({ config, questioner, today, projectId });
  const known = probes.map(({ endpoint, ...probe }) => {
    return { ...probe, endpoint: endpoint.name, projectId, askedWith: askedWith(config, endpoint) };
  });
  await keepProbes(context, config, known);
  verdicts.push(await nightsVerdict(config.warehouse.path, projectId));
  const exitCode = verdicts.some(isOpen) ? 3 : 0;
  const { requests } = client.totals;
  if (context.flags.json) {
    const told = verdicts.map(({ detail: _detail, ...rest }) => rest);
    context.printJson({ exit_code: exitCode, requests, verdicts: told, shapes });
    return exitCode;
  }
  for (const one of groupVerdicts(verdicts)) {
    context.io.stdout.write(one.verdict.padEnd(14), isOpen(one) ? 'yellow' : 'green');
    const detail = one.detail === null ? '' : `: ${one.detail}`;
    const setting = one.setting === null ? '' : `; set ${one.setting}`;
    context.print(`  ${one.topic}: ${one.text} (${one.endpoints.join(', ')}${detail})${setting}`);
  }
  context.print(counted(requests, 'request'));
  if (exitCode === 0) context.next(['answerlake sync', 'pull everything that is due']);
  else context.next(['answerlake check --api', 'again, with these settings in the configuration']);
  return exitCode;
}

/** The parameters of a request to the server. */
export type Asking = Awaited<ReturnType<typeof reachFirst>>;

interface First {
  clients: Clients;
  /** Id, name or slug; left out: the first project. */
  project?: string | undefined;
}

/** A project that the first account reaches. @throws AnswerlakeError (configuration, auth), and what the client throws */
export async function reachFirst(context: CommandContext, config: Config, { clients, project }: First) {
  const { effects, signal } = context;
  const [account] = config.accounts;
  if (account === undefined) throw usageError(['accounts: is empty;', 'add one.']);
  const client = clients.of(account.name);
  const validated = await validateAccount(account, { config, clients, wanted: [], signal });
  const { listed } = validated;
  const configured = chosenIds(account, listed ?? []);
  // A key that lists none reaches the configured ids, as in a sync.
  const projects =
    listed?.filter(({ id }) => configured.includes(id)) ?? configured.map((id) => ({ id, name: null }));
  const [first] = projects;
  if (first === undefined) {
    const message = `account ${account.name}: the key reaches none of the configured projects`;
    throw new AnswerlakeError(message, { class: 'auth', scope: 'key' });
  }
  const [wanted = first.id] = project === undefined ? [] : idsMeant([project], projects);
  const chosen = projects.find(({ id }) => id === wanted);
  if (chosen === undefined)
    throw usageError(`--project ${project ?? ''}: the first account does not reach it.`);
  const { id: projectId, name: projectName } = chosen;
  const projectHeader = projectHeaderOf(validated.account, projectId);
  const today = dayOf(effects.now() + (client.serverAheadMs ?? 0));
  return { config, client, projectId, projectName, projectHeader, today, signal };
}

/** Stores the findings if there is a working file that no other process holds; settings remain a person's decision. */
async function keepProbes({ effects, note }: CommandContext, config: Config, probes: readonly Probe[]) {
  const { path: publishedPath } = config.warehouse;
  if (probes.length === 0 || !existsSync(workingPath(publishedPath))) return;
  const now = effects.now();
  try {
    await using working = await openWarehouse(config, { now });
    await writeProbes(await working.database.connect(), { runId: 'check', syncDay: dayOf(now) }, probes);
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    note(`the findings are missing from meta.probes: ${error.message}`);
  }
}

function isOpen({ verdict }: Finding): boolean {
  return verdict === 'to set' || verdict === 'unusable';
}

/** One line per fact, with its endpoints; settings to change come last, next to the commands to type. */
function groupVerdicts(verdicts: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const { endpoints, ...fact } of verdicts) {
    const key = JSON.stringify(fact);
    groups.set(key, { ...fact, endpoints: [...(groups.get(key)?.endpoints ?? []), ...endpoints] });
  }
  return [...groups.values()].toSorted((a, b) => Number(isOpen(a)) - Number(isOpen(b)));
}

const NO_NIGHTS = {
  verdict: 'cannot tell',
  text: 'two nights of the prompt list, a week apart, are not stored yet',
  detail: null,
} as const;

/**
 * Whether the prompt list contains running totals: compares two stored nights of it with the daily figures of your own brand between
 * them. Sends no request.
 */
export async function nightsVerdict(path: string, projectId: string): Promise<Finding> {
  const row = z.custom<Pick<Finding, keyof typeof NO_NIGHTS>>();
  const sql = readSql('status/listed-nights', { project_id: quoteLiteral(projectId) });
  await using file = existsSync(path) ? await openPublishedFile(path, { threads: 1 }) : null;
  // A file of another version may lack these views.
  const [{ verdict, text, detail } = NO_NIGHTS] = (await file?.rowsAs(row, sql).catch(() => [])) ?? [];
  return verdictOn('running totals', 'prompts', [verdict, text, null, detail]);
}
