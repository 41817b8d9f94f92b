import type { AccountConfig, Config } from '../config/config.ts';
import { keyReach, validate } from '../endpoints/reference.ts';
import { AnswerlakeError, contractError, toRun } from '../errors.ts';
import type { Clients } from './clients.ts';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { fetchSlice, type FetchedSlice, requestOf } from './fetch-slice.ts';
import { listSlice, type Slice } from '../slice.ts';
import { withSecret } from '../secret.ts';
import { chosenIds, exceptedEndpoints } from '../config/choice.ts';
import { idsMeant, projectLabels } from '../project-names.ts';
import { rightClock } from './headers.ts';

export interface ReachRequest {
  config: Config;
  clients: Clients;
  /** Ids, names or slugs of the projects in this run; null: all. */
  wanted: readonly string[] | null;
  signal: AbortSignal;
}

/** Why an account or a project is not reached. */
export interface ReachProblem {
  error: AnswerlakeError;
  /** Null for a project that no account reaches. */
  account: string | null;
  /** Null if it concerns a whole account. */
  projectId: string | null;
}

/** The projects that the configured keys reach. */
export interface Reached {
  accounts: Account[];
  /** Each project once, through the first account that reaches it. */
  projects: AccountProject[];
  answers: ValidationAnswer[];
  problems: ReachProblem[];
  /** As `projectLabels`, of all that the keys list. */
  names?: ReadonlyMap<string, string>;
  /** Ids of all projects that the keys list; null if a key failed or listed none. */
  listed: ReadonlySet<string> | null;
  /** The same for each account with a valid key; null for a key that lists none. */
  listedBy: ReadonlyMap<string, readonly string[] | null>;
  /** Milliseconds by which the server's clock is ahead of ours; null if no answer has a date. */
  serverAheadMs: number | null;
}

/**
 * Validates every key; a failing key does not stop the others.
 * @throws only for a bug
 */
export async function reachProjects(
  request: ReachRequest,
): Promise<Reached & { wanted: readonly string[] | null }> {
  const { config, clients, wanted } = request;
  const tried = (await Promise.all(config.accounts.map((account) => tryAccount(account, request)))).flat();
  const validated = tried.filter((one) => 'listed' in one);
  const listedBy = new Map(
    validated.map(({ account, listed }) => [account.config.name, listed?.map(({ id }) => id) ?? null]),
  );
  const byAccount = config.accounts.map(({ name }) => listedBy.get(name) ?? null);
  const named = validated.flatMap(({ listed }) => listed ?? []);
  const ids = wanted === null ? null : idsMeant(wanted, named);
  // Each project once, through the first account that reaches it.
  const owned = new Map<string, AccountProject>();
  for (const project of validated.flatMap(({ projects }) => projects))
    if (!owned.has(project.projectId)) owned.set(project.projectId, project);
  const reached = {
    accounts: validated.map(({ account }) => account),
    projects: [...owned.values()],
    answers: validated.flatMap(({ answers }) => answers),
    problems: tried.flatMap((one) => ('error' in one ? [one] : one.problems)),
  };
  const clocks = config.accounts.map(({ name }) => clients.of(name).serverAheadMs);
  return {
    ...reached,
    problems: [...reached.problems, ...missedProjects(reached, ids)],
    wanted: ids,
    names: projectLabels(named),
    listed: byAccount.includes(null) ? null : new Set(byAccount.flatMap((own) => own ?? [])),
    listedBy,
    // If no key was validated, the day does not matter.
    serverAheadMs: validated.length === 0 ? 0 : clocks.reduce(rightClock, null),
  };
}

/**
 * Refuses a project named by a person that does not exist; a job continues with its other projects.
 * @throws AnswerlakeError configuration
 */
export function refuseUnknown({ problems, listed }: Reached, { job }: { job: string | null }): void {
  if (job !== null || listed === null) return;
  const unknown = problems.find(({ account, projectId }) => account === null && projectId !== null);
  if (unknown !== undefined) throw unknown.error;
}

/** Ids of the projects that the keys list. */
export function listedOf({ listedBy, projects }: Reached): ReadonlySet<string> {
  const named = [...listedBy.values()].flatMap((ids) => ids ?? []);
  return new Set([...named, ...projects.map(({ projectId }) => projectId)]);
}

/** The problems of projects that no account reaches. */
function missedProjects(
  { accounts, projects, problems }: Pick<Reached, 'accounts' | 'projects' | 'problems'>,
  wanted: readonly string[] | null,
): ReachProblem[] {
  if (accounts.length === 0) return [];
  const owned = new Set(projects.map(({ projectId }) => projectId));
  if (wanted !== null)
    return wanted
      .filter((projectId) => !owned.has(projectId))
      .map((projectId) => {
        const what = `--project ${projectId}: no configured key reaches it, or several projects are called so`;
        const todo = toRun`run ${'answerlake check'} to see which projects the keys reach`;
        const error = new AnswerlakeError([`${what};`, todo], { class: 'configuration', scope: 'project' });
        return { error, account: null, projectId };
      });
  // A project that merely did not answer this time may be reached next time.
  if (projects.length > 0 || problems.some(({ error }) => error.exitCode === 5)) return [];
  const names = accounts.map(({ config }) => config.name).join(', ');
  const what = `the configured keys work, but they reach no project (${names}): nothing was published`;
  const todo = 'check in the dashboard which projects the keys may read, and accounts[].projects';
  const error = new AnswerlakeError([`${what};`, todo], { class: 'auth' });
  return [{ error, account: null, projectId: null }];
}

/** Nothing if the run was stopped meanwhile. */
async function tryAccount(
  account: AccountConfig,
  request: ReachRequest,
): Promise<(Validated | ReachProblem)[]> {
  try {
    return [await validateAccount(account, request)];
  } catch (error) {
    if (request.signal.aborted) return [];
    if (!(error instanceof AnswerlakeError)) throw error;
    return [{ error, account: account.name, projectId: null }];
  }
}

/** A valid key. */
export interface Account {
  config: AccountConfig;
  organizationId: string | null;
  isOrganizationKey: boolean;
}

export interface AccountProject {
  projectId: string;
  account: Account;
  /** Names of excluded endpoints. */
  except: readonly string[];
}

/** The project in a request of the account: a project key never sends it. */
export function projectHeaderOf(
  { isOrganizationKey }: Account,
  projectId: string | null,
): string | undefined {
  return isOrganizationKey ? (projectId ?? undefined) : undefined;
}

/** A validation answer for the loader. */
interface ValidationAnswer extends FetchedSlice {
  account: string;
  slice: Slice;
}

type KeyReach = z.output<typeof keyReach>;
type NamedProject = NonNullable<KeyReach['project']>;

type Validated = Awaited<ReturnType<typeof validateAccount>>;

/**
 * Validates the key and finds the projects that it reaches. For an organization key, validates each project separately.
 * @throws AnswerlakeError auth if the key is not valid; what the client throws
 */
export async function validateAccount(config: AccountConfig, request: ReachRequest) {
  const { answer, body } = await askValidation(config, request, null);
  const type = body.keyType.toLowerCase();
  // An unknown type of key is judged by the projects it reaches.
  const isOrganizationKey = type === 'organization' || (type !== 'project' && !body.project);
  const organizationId = body.organization?.id ?? null;
  // The key may have changed, so count nothing under an organization that it has not named.
  if (organizationId !== null) request.clients.joinOrganization(config.name, organizationId);
  const account: Account = { config, organizationId, isOrganizationKey };
  const listed = isOrganizationKey ? (body.availableProjects ?? null) : body.project ? [body.project] : [];
  const { chosen, problems } = chooseProjects(config, request.wanted, listed);
  const projects: AccountProject[] = [];
  const answers = [answer];
  /** `listed`: all projects that the key lists; null if it lists none. */
  const validated = { account, projects, listed, answers, problems };
  const accountProject = (projectId: string): AccountProject => ({
    projectId,
    account,
    except: exceptedEndpoints(config.except, listed ?? [], projectId),
  });
  if (!isOrganizationKey) {
    for (const projectId of chosen) {
      answer.slice = validationSlice(projectId);
      projects.push(accountProject(projectId));
    }
    return validated;
  }
  // Concurrently, as far as the client allows: one by one would cost a round trip each.
  const asked = await Promise.allSettled(
    chosen.map(async (id) => ({ ...(await askValidation(config, request, id)), projectId: id })),
  );
  for (const [place, tried] of asked.entries()) {
    if (tried.status === 'fulfilled') {
      const { answer: own, projectId } = tried.value;
      answers.push(own);
      projects.push(accountProject(projectId));
      continue;
    }
    const error: unknown = tried.reason;
    if (!(error instanceof AnswerlakeError) || error.class === 'quota' || error.class === 'stopped')
      throw error;
    // The whole key was paused, so repeat the account instead of leaving out a project.
    if (error.waitUntilMs !== null) throw error;
    problems.push({ error, account: config.name, projectId: chosen[place] ?? null });
  }
  return validated;
}

/** The slice for a validation answer: by project, or by account if it names no project. */
function validationSlice(projectId: string | null, account = ''): Slice {
  const scopeId = projectId ?? account;
  return listSlice({ endpoint: validate.name, projectId, scope: 'project', scopeId });
}

async function askValidation(
  { name, apiKey }: AccountConfig,
  { config, clients, signal }: ReachRequest,
  projectId: string | null,
): Promise<{ answer: ValidationAnswer; body: KeyReach }> {
  const slice = validationSlice(projectId, name);
  const what = `account ${name}: the key from ${apiKey.origin} is not valid;`;
  const todo = 'set a key from Settings, API Keys of the dashboard';
  const invalid = (cause?: unknown): AnswerlakeError =>
    new AnswerlakeError([what, todo], { class: 'auth', scope: 'key', cause });
  const ask = async () => {
    const projectHeader = projectId ?? undefined;
    const planned = { endpoint: validate, slice, asked: null, limit: null, projectHeader, signal };
    const fetched = await fetchSlice(clients.of(name), requestOf(config, planned));
    const body = fetched.pages[0]?.body;
    if (typeof body === 'object' && body !== null && 'valid' in body && body.valid === false) throw invalid();
    return { fetched, body };
  };
  // The client recognizes a refusal only by its status.
  const refusal = (error: unknown): string | null =>
    error instanceof AnswerlakeError && !(error instanceof ApiError) && error.class === 'auth'
      ? `${validate.path} answered valid: false`
      : null;
  const { fetched, body } = await withSecret(apiKey, refusal, ask).catch((error: unknown) => {
    const isInvalid = error instanceof ApiError && error.status === 401 && error.class === 'auth';
    throw isInvalid ? invalid(error) : error;
  });
  const { success, data, error } = keyReach.safeParse(body);
  if (!success) {
    const what = 'the answer to the key validation does not have the documented shape';
    throw contractError(`account ${name}: ${what}: ${z.prettifyError(error)}`, 'key');
  }
  if (projectId !== null && data.project?.id !== projectId) {
    const what = `requested project ${projectId}, but the answer is about ${data.project?.id ?? 'no project'}`;
    throw contractError(`account ${name}: ${what}; none of it was stored`, 'project');
  }
  return { answer: { ...fetched, slice, account: name }, body: data };
}

function chooseProjects(
  config: AccountConfig,
  wanted: ReachRequest['wanted'],
  listed: readonly NamedProject[] | null,
) {
  const ids = wanted === null ? null : idsMeant(wanted, listed ?? []);
  const problems: ReachProblem[] = [];
  const chosen = chosenIds(config, listed ?? []).filter((projectId) => {
    if (ids !== null && !ids.includes(projectId)) return false;
    if (listed === null || listed.some(({ id }) => id === projectId)) return true;
    const names = listed.map(({ id, name }) => (name ? `${name} (${id})` : id)).join(', ') || 'none';
    const what = `its key does not reach project ${projectId}; it reaches ${names}`;
    const error = contractError(`account ${config.name}: ${what} (accounts[].projects)`, 'project');
    problems.push({ error, account: config.name, projectId });
    return false;
  });
  return { chosen, problems };
}
