import { z } from 'zod';
import { endpointNamed } from '../endpoints/catalogue.ts';
import type { Wanted } from '../endpoints/endpoint.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';

const nameRow = z.object({ name: z.string() });

/** Tells which names of a project matter to a slice, as far as the warehouse knows them; null where none do. Finer scopes would cost a request each. */
export function wantedNames(
  connection: Connection,
  projectId: string,
): (planned: PlannedSlice) => Promise<readonly string[] | null> {
  const read = new Map<Wanted, Promise<readonly string[]>>();
  return async ({ slice }) => {
    const { paging } = endpointNamed(slice.endpoint);
    if (paging.kind !== 'named' || slice.scope !== 'project') return null;
    const names = read.get(paging.wanted) ?? readNames(connection, projectId, paging.wanted);
    read.set(paging.wanted, names);
    return await names;
  };
}

async function readNames(
  connection: Connection,
  projectId: string,
  { table, column, relations }: Wanted,
): Promise<readonly string[]> {
  const name = quoteIdentifier(column);
  const rows = await connection.rowsAs(
    nameRow,
    `select lower(${name}) as name from core.${quoteIdentifier(table)}
     where project_id = $1 and relation in (select unnest($2::varchar[])) and trim(${name}) <> ''
     group by 1 order by min(list_position($2::varchar[], relation)), 1`,
    [projectId, relations],
  );
  return rows.map((row) => row.name);
}
