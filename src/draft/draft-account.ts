import type { AccountConfig, Config } from '../config/config.ts';
import { suggestion } from '../text.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { validateAccount } from '../extract/reach-projects.ts';
import type { Clients } from '../extract/clients.ts';
import { usageError } from '../errors.ts';

/** The account that a draft is pushed with. @throws AnswerlakeError (configuration) when it is not clear which */
export function chooseAccount({ accounts }: Config, wanted: string | undefined): AccountConfig {
  const [only, ...others] = accounts.filter(({ name }) => wanted === undefined || name === wanted);
  if (only !== undefined && others.length === 0) return only;
  const names = accounts.map(({ name }) => name);
  throw usageError(
    wanted === undefined
      ? `There are several accounts: add --account with one of ${names.join(', ')}.`
      : `--account: there is no account ${wanted}; ${suggestion(wanted, names)}`,
  );
}

/** Where a draft belongs. */
export interface DraftProject {
  projectId: string;
  /** Sent only with an organization key. */
  projectHeader: string | undefined;
}

/**
 * Validates the key and determines the project.
 * @throws AnswerlakeError auth when the key does not work; configuration when the project is not clear or out of reach
 */
export async function reachProject(
  { config, signal }: SyncContext,
  { account, clients, project }: { account: AccountConfig; clients: Clients; project: string | null },
): Promise<DraftProject> {
  const configured = account.projects !== 'all' && account.projects.length === 1 ? account.projects[0] : null;
  const wanted = project ?? configured ?? null;
  const meant = wanted === null ? [] : [wanted];
  const validated = await validateAccount(account, { config, clients, wanted: meant, signal });
  const [problem] = validated.problems;
  if (problem !== undefined) throw usageError(`${problem.message}. Nothing was sent.`);
  const [reached] = validated.projects;
  if (reached !== undefined) return reached;
  if (wanted !== null) {
    throw usageError(
      `--project ${wanted}: the configuration leaves it out of account ${account.name} (accounts[].projects). Nothing was sent.`,
    );
  }
  const { account: key, listed } = validated;
  const projects = listed ?? [];
  const [only, ...others] = projects;
  if (only !== undefined && others.length === 0) {
    return { projectId: only.id, projectHeader: key.isOrganizationKey ? only.id : undefined };
  }
  const list = projects.map(({ id, name }) => `  ${id}  ${name ?? ''}`.trimEnd()).join('\n');
  throw usageError(`The key reaches several projects: add --project with one of\n${list}\nNothing was sent.`);
}
