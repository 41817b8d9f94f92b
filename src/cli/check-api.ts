import { z } from 'zod';
import { isInvalidKeyAnswer } from '../extract/validate-account.ts';
import { MAX_ATTEMPTS, MAX_REQUESTS, openQuestioner } from '../check/budget.ts';
import { checkApi, type ApiCheck } from '../check/check-api.ts';
import type { Verdict } from '../check/verdict.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import { dayOf } from '../day.ts';
import { validate } from '../endpoints/reference.ts';
import { AnswerlakeError, usageError, type ExitCode } from '../errors.ts';
import type { ApiAnswer } from '../extract/call.ts';
import type { ApiClient } from '../extract/client.ts';
import type { CommandContext } from './host.ts';

/** Larger checks want `--yes`. */
const MAX_SHARE_OF_HOUR = 0.1;

const project = z.object({ id: z.string(), name: z.string().nullish(), slug: z.string().nullish() });
const validation = z.object({
  keyType: z.string(),
  project: project.nullish(),
  availableProjects: z.array(project).nullish(),
});
type Project = z.output<typeof project>;

/** `answerlake check --api`: what the documents leave open, of the first account. */
export async function checkApiOf(
  context: CommandContext,
  { yes, project: wanted }: { yes: boolean; project?: string | undefined },
): Promise<ExitCode> {
  const loaded = context.loadConfig();
  const attempts = Math.min(MAX_ATTEMPTS, loaded.api.attempts);
  const config: Config = { ...loaded, api: { ...loaded.api, attempts } };
  const [account] = config.accounts;
  if (account === undefined) throw usageError('accounts: is empty; add one.');
  const { openClients } = await import('../extract/clients.ts');
  await using clients = openClients({
    context: await context.runContext(config, 'warn'),
    maxWaitMs: 0,
    organizations: new Map(),
    initialQuotas: new Map(),
  });
  const client = clients.of(account.name);
  context.note(`Asks at most ${MAX_REQUESTS} requests of account ${account.name}.`);
  const { answer, projects, isOrganizationKey } = await reach(account, client, {
    config,
    signal: context.signal,
  });
  requireRoom(answer, yes);
  const chosen = choose(projects, wanted);
  const other = projects.find(({ id }) => id !== chosen.id) ?? null;
  const found = await checkApi({
    config,
    questioner: openQuestioner(client, {
      config,
      projectId: chosen.id,
      sendsProject: isOrganizationKey,
      signal: context.signal,
    }),
    today: dayOf(answer.headers.serverTime ?? answer.fetchedAt),
    otherProject: isOrganizationKey ? (other?.id ?? null) : null,
  });
  const exitCode = found.verdicts.some(isOpen) ? 3 : 0;
  show(found, { context, exitCode, requests: client.totals.requests });
  return exitCode;
}

function isOpen({ verdict }: Verdict): boolean {
  return verdict === 'to set' || verdict === 'unusable';
}

function show(
  { verdicts, shapes }: ApiCheck,
  { context, exitCode, requests }: { context: CommandContext; exitCode: ExitCode; requests: number },
): void {
  if (context.flags.json) {
    const told = verdicts.map(({ topic, endpoints, verdict, text, setting }) => ({
      topic,
      endpoints,
      verdict,
      text,
      setting,
    }));
    context.printJson({ ok: exitCode === 0, exit_code: exitCode, requests, verdicts: told, shapes });
    return;
  }
  for (const one of verdicts) {
    context.io.stdout.write(one.verdict.padEnd(14), isOpen(one) ? 'yellow' : 'green');
    const detail = one.detail === undefined ? '' : ` (${one.detail})`;
    const setting = one.setting === null ? '' : `; set ${one.setting}`;
    context.print(`  ${one.endpoints.join(', ')}: ${one.topic}: ${one.text}${detail}${setting}`);
  }
  context.print(`${requests} requests`);
}

interface Reach {
  answer: ApiAnswer;
  projects: readonly Project[];
  isOrganizationKey: boolean;
}

async function reach(
  account: AccountConfig,
  client: ApiClient,
  { config, signal }: { config: Config; signal: AbortSignal },
): Promise<Reach> {
  const path = config.sync.endpoints[validate.name]?.path ?? validate.path;
  const answer = await client.get({ path, query: [], withKey: true, signal });
  if (isInvalidKeyAnswer(answer)) {
    throw new AnswerlakeError(
      `account ${account.name}: the key from ${account.apiKey.origin} is not valid; set a key from Settings, API Keys of the dashboard`,
      { class: 'auth', scope: 'key' },
    );
  }
  const parsed = validation.safeParse(answer.body);
  if (!parsed.success) {
    throw new AnswerlakeError(
      `account ${account.name}: the answer to the key validation does not have the documented shape: ${z.prettifyError(parsed.error)}`,
      { class: 'contract', scope: 'key' },
    );
  }
  const { keyType, project: own, availableProjects } = parsed.data;
  const reached = own ? [own] : (availableProjects ?? []);
  const configured = account.projects;
  const projects = configured === 'all' ? reached : reached.filter(({ id }) => configured.includes(id));
  if (projects.length > 0) return { answer, projects, isOrganizationKey: keyType === 'organization' };
  throw new AnswerlakeError(`account ${account.name}: the key reaches none of the configured projects`, {
    class: 'auth',
    scope: 'key',
  });
}

function requireRoom({ headers: { rateLimit } }: ApiAnswer, yes: boolean): void {
  if (yes || rateLimit === null || MAX_REQUESTS <= rateLimit.limit * MAX_SHARE_OF_HOUR) return;
  throw usageError(
    `The check asks up to ${MAX_REQUESTS} requests, more than a tenth of the ${rateLimit.limit} of this hour: add --yes to ask them.`,
  );
}

function choose(projects: readonly Project[], wanted: string | undefined): Project {
  const chosen =
    wanted === undefined
      ? projects[0]
      : projects.find(({ id, name, slug }) => [id, name, slug].includes(wanted));
  if (chosen !== undefined) return chosen;
  throw usageError(`--project ${wanted ?? ''}: the first account does not reach it.`);
}
