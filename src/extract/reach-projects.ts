import type { AccountConfig, Config } from '../config/config.ts';
import { validate } from '../endpoints/reference.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Clients } from './clients.ts';
import {
  validateAccount,
  type Account,
  type AccountProject,
  type Validated,
  type ValidationAnswer,
} from './validate-account.ts';

export interface ReachRequest {
  config: Config;
  clients: Clients;
  /** Projects that the run is about; null: all. */
  wanted: readonly string[] | null;
  signal: AbortSignal;
}

/** Why an account or a project is not reached. */
export interface ReachProblem {
  error: AnswerlakeError;
  /** Null for a project that no account reaches. */
  account: string | null;
  projectId: string | null;
}

/** What the configured keys reach. */
export interface Reached {
  accounts: Account[];
  /** Each project once, by the first account that reaches it. */
  projects: AccountProject[];
  answers: (ValidationAnswer & { account: string })[];
  problems: ReachProblem[];
  warnings: string[];
  /** Ids of all projects that the keys say they reach; null when a key failed or did not say. */
  listed: ReadonlySet<string> | null;
  /** The same of each account whose key worked; null for one that did not say. */
  listedBy: ReadonlyMap<string, readonly string[] | null>;
  /** Milliseconds that the server's clock is ahead of ours; null when no answer told its time. */
  serverAheadMs: number | null;
}

/**
 * Validates every key; a key that fails stops no other.
 * @throws only what is not an AnswerlakeError (a bug)
 */
export async function reachProjects(request: ReachRequest): Promise<Reached> {
  const { config, clients, wanted } = request;
  const listedBy = new Map<string, readonly string[] | null>();
  const reached: Reached = {
    accounts: [],
    projects: [],
    answers: [],
    problems: [],
    warnings: [],
    listed: null,
    listedBy,
    serverAheadMs: null,
  };
  const owners = new Map<string, string>();
  for (const tried of await Promise.all(config.accounts.map((account) => tryAccount(account, request)))) {
    if (tried === null) continue;
    if ('error' in tried) {
      reached.problems.push(tried);
      continue;
    }
    const { account, answers, problems, projects } = tried;
    const { name } = account.config;
    listedBy.set(name, tried.listed);
    reached.accounts.push(account);
    reached.answers.push(...answers.map((answer) => ({ ...answer, account: name })));
    reached.problems.push(...problems.map((error) => ({ error, account: name, projectId: null })));
    for (const project of projects) {
      const owner = owners.get(project.projectId);
      if (owner === undefined) {
        owners.set(project.projectId, name);
        reached.projects.push(project);
      } else {
        reached.warnings.push(reachedTwice(project.projectId, { owner, other: name }));
      }
    }
  }
  reached.problems.push(...missedProjects(reached, wanted));
  const serverAheadMs = config.accounts
    .map(({ name }) => clients.of(name).serverAheadMs)
    .find((aheadMs) => aheadMs !== null);
  return { ...reached, listed: listedByAll(config, listedBy), serverAheadMs: serverAheadMs ?? null };
}

/** Null when a key failed or did not say. */
export function listedByAll(
  { accounts }: Pick<Config, 'accounts'>,
  listedBy: Reached['listedBy'],
): Set<string> | null {
  const listed = accounts.map(({ name }) => listedBy.get(name) ?? null);
  return listed.includes(null) ? null : new Set(listed.flatMap((ids) => ids ?? []));
}

export function reachedTwice(projectId: string, { owner, other }: { owner: string; other: string }): string {
  return `the accounts ${owner} and ${other} both reach project ${projectId}: it is asked once, by ${owner}`;
}

/** What is told of projects that no account reaches. */
export function missedProjects(
  { accounts, projects, problems }: Pick<Reached, 'accounts' | 'projects' | 'problems'>,
  wanted: readonly string[] | null,
): ReachProblem[] {
  if (accounts.length === 0) return [];
  const owned = new Set(projects.map(({ projectId }) => projectId));
  const missing = wanted?.filter((projectId) => !owned.has(projectId)).map(outOfReach) ?? [];
  const isNothing = wanted === null && projects.length === 0 && !problems.some(isPassing);
  return isNothing ? [...missing, nothingReached(accounts)] : missing;
}

/** A project that only did not answer this time may be reached the next time. */
function isPassing({ error }: ReachProblem): boolean {
  return error.exitCode === 5;
}

function nothingReached(accounts: readonly Account[]): ReachProblem {
  const names = accounts.map(({ config }) => config.name).join(', ');
  const error = new AnswerlakeError(
    `the configured keys work, but they reach no project (${names}): nothing was published; check in the dashboard which projects the keys may read, and accounts[].projects`,
    { class: 'auth' },
  );
  return { error, account: null, projectId: null };
}

/** Null when the run was stopped in the meantime. */
async function tryAccount(
  account: AccountConfig,
  { config, clients, wanted, signal }: ReachRequest,
): Promise<Validated | ReachProblem | null> {
  const { name } = account;
  try {
    const path = config.sync.endpoints[validate.name]?.path;
    const client = clients.of(name);
    // The key may be another one than last time, so nothing is counted under an organization that it has not named.
    const onOrganization = (id: string): void => clients.joinOrganization(name, id);
    return await validateAccount({ config: account, client, path, wanted, signal, onOrganization });
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof AnswerlakeError)) throw error;
    return { error, account: name, projectId: null };
  }
}

function outOfReach(projectId: string): ReachProblem {
  const error = new AnswerlakeError(
    `--project ${projectId}: no configured key reaches it; run answerlake check to see which projects the keys reach`,
    { class: 'configuration', scope: 'project' },
  );
  return { error, account: null, projectId };
}
