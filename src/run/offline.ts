import { z } from 'zod';
import type { Clients } from '../extract/clients.ts';
import type { Reached } from '../extract/reach-projects.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

/** Offline, no key is needed and none may be read. */
export const NO_CLIENTS: Clients = {
  of: (account) => {
    throw new RangeError(`no client for account ${account} while planning offline`);
  },
  joinOrganization: () => undefined,
  quotas: new Map(),
  totals: () => ({ requests: 0, retries: 0 }),
  warnings: () => [],
  [Symbol.asyncDispose]: async () => undefined,
};

/** The projects of earlier runs, assuming that the keys still reach them. */
export async function knownProjects(
  connection: Connection,
  request: SyncRequest,
  { config }: SyncContext,
): Promise<Reached> {
  const accounts = config.accounts.map((account) => ({
    config: account,
    organizationId: null,
    isOrganizationKey: false,
  }));
  const known = await connection.rowsAs(
    z.object({ id: z.string() }),
    'select project_id as id from core.projects order by id',
  );
  const projects = known.flatMap(({ id: projectId }) => {
    if (request.projects !== null && !request.projects.includes(projectId)) return [];
    const account = accounts.find(
      ({ config: { projects } }) => projects === 'all' || projects.includes(projectId),
    );
    return account === undefined ? [] : [{ projectId, account, projectHeader: undefined }];
  });
  return {
    accounts,
    projects,
    answers: [],
    problems: [],
    warnings: [],
    listed: null,
    listedBy: new Map(),
    serverAheadMs: null,
  };
}
