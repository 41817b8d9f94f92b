import { z } from 'zod';
import { endpointNamed } from '../endpoints/catalogue.ts';
import type { Wanted } from '../endpoints/endpoint.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';

const nameRow = z.object({ project: z.string(), name: z.string() });

/** Tells which names of its project matter to a slice, as far as the warehouse knows them; null where none do. Finer scopes would cost a request each. */
export function wantedNames(
  connection: Connection,
  projectIds: readonly string[],
): (planned: PlannedSlice) => Promise<readonly string[] | null> {
  const read = new Map<Wanted, Promise<Map<string, string[]>>>();
  return async ({ slice }) => {
    const { paging } = endpointNamed(slice.endpoint);
    if (paging.kind !== 'named' || slice.scope !== 'project') return null;
    const names = read.get(paging.wanted) ?? readNames(connection, projectIds, paging.wanted);
    read.set(paging.wanted, names);
    return (await names).get(slice.projectId ?? '') ?? [];
  };
}

/** Project → its names. */
async function readNames(
  connection: Connection,
  projectIds: readonly string[],
  { table, column, relations }: Wanted,
): Promise<Map<string, string[]>> {
  const name = quoteIdentifier(column);
  const rows = await connection.rowsAs(
    nameRow,
    `select project_id as project, lower(${name}) as name from core.${quoteIdentifier(table)}
     where project_id in (select unnest($1::varchar[])) and relation in (select unnest($2::varchar[])) and trim(${name}) <> ''
     group by 1, 2 order by 1, min(list_position($2::varchar[], relation)), 2`,
    [projectIds, relations],
  );
  const byProject = new Map<string, string[]>();
  for (const row of rows) {
    const own = byProject.get(row.project);
    if (own === undefined) byProject.set(row.project, [row.name]);
    else own.push(row.name);
  }
  return byProject;
}
