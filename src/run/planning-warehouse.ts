import { existsSync } from 'node:fs';
import { z } from 'zod';
import { catalogue } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { openMemoryDatabase, type Database } from '../warehouse/database.ts';
import { migrate } from '../warehouse/migrate.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { Clients } from '../extract/clients.ts';
import { idsMeant, type Reached } from '../extract/reach-projects.ts';
import type { SyncContext, SyncRequest } from './sync-request.ts';

/**
 * A warehouse in memory with what the published file knows. Planning loads lists into it with the run's own code, and nothing
 * is stored. The caller closes it.
 * @throws WarehouseError (storage) when the published file cannot be read
 */
export async function openPlanningWarehouse(
  publishedPath: string,
  now: number,
): Promise<{ database: Database; connection: Connection }> {
  const database = await openMemoryDatabase();
  try {
    const connection = await database.connect();
    await migrate(connection, { now });
    if (existsSync(publishedPath)) await takeOver(connection, publishedPath);
    return { database, connection };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Tables of `meta` that planning reads. */
const KNOWLEDGE = ['owed_days', 'quotas', 'refused_filters', 'runs', 'settings', 'slices', 'vanishing'].map(
  (table) => `meta.${table}`,
);

async function takeOver(connection: Connection, publishedPath: string): Promise<void> {
  await connection.run(`attach ${quoteLiteral(publishedPath)} as published (read_only)`);
  const lists = catalogue.filter(({ cut }) => cut.kind === 'list').flatMap(({ outputs }) => outputs);
  const written = new Set([...KNOWLEDGE, ...lists.map(({ table }) => `core.${table}`)]);
  for (const { schema, table, columns } of await sharedTables(connection)) {
    const name = `${schema}.${quoteIdentifier(table)}`;
    if (written.has(`${schema}.${table}`)) {
      const list = columns.map(quoteIdentifier).join(', ');
      await connection.run(`insert into ${name} (${list}) select ${list} from published.${name}`);
    } else if (schema === 'core') {
      // Planning only reads it, so there is no need to copy it.
      await connection.run(`drop table ${name}; create view ${name} as select * from published.${name}`);
    }
  }
}

/** Tables and columns that both have: the published file may be older than this program. */
async function sharedTables(
  connection: Connection,
): Promise<{ schema: string; table: string; columns: string[] }[]> {
  return await connection.rowsAs(
    z.object({ schema: z.string(), table: z.string(), columns: z.array(z.string()) }),
    `select schema_name as schema, table_name as "table", list(column_name order by column_index) as columns
     from duckdb_columns() own
     where database_name = current_database() and schema_name in ('core', 'meta')
       and exists (from duckdb_columns() c where c.database_name = 'published' and c.schema_name = own.schema_name
         and c.table_name = own.table_name and c.column_name = own.column_name)
     group by all order by all`,
  );
}

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
): Promise<Reached & { wanted: readonly string[] | null }> {
  const accounts = config.accounts.map((account) => ({
    config: account,
    organizationId: null,
    isOrganizationKey: false,
  }));
  const known = await connection.rowsAs(
    z.object({ id: z.string(), name: z.string().nullable(), slug: z.string().nullable() }),
    'select project_id as id, name, slug from core.projects order by id',
  );
  const wanted = request.projects === null ? null : idsMeant(request.projects, known);
  const projects = known.flatMap(({ id: projectId }) => {
    if (wanted !== null && !wanted.includes(projectId)) return [];
    const account = accounts.find(
      ({ config: { projects } }) => projects === 'all' || projects.includes(projectId),
    );
    return account === undefined ? [] : [{ projectId, account, projectHeader: undefined }];
  });
  return {
    accounts,
    projects,
    wanted,
    answers: [],
    problems: [],
    warnings: [],
    listed: null,
    listedBy: new Map(),
    serverAheadMs: null,
  };
}
