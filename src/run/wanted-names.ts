import { z } from 'zod';
import { endpointNamed } from '../endpoints/catalogue.ts';
import type { Wanted, Endpoint } from '../endpoints/endpoint.ts';
import type { PlannedSlice } from '../plan/plan.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { AccountProject } from '../extract/reach-projects.ts';
import { askedWith } from '../plan/asked-with.ts';
import { listSlice } from '../slice.ts';
import type { SliceJob } from './ask.ts';
import type { RunContext } from './run-context.ts';

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

const unknownRow = z.object({ project_id: z.string(), id: z.string() });

/** Things that other answers mention but their list lacks are looked up once, the newest first, a few in each run. A list that is not whole lacks nothing. */
export async function planLookups(
  { connection, config, endpoints, question, run }: RunContext,
  projects: readonly AccountProject[],
): Promise<SliceJob[]> {
  const byId = new Map(projects.map((project) => [project.projectId, project]));
  const jobs: SliceJob[] = [];
  for (const endpoint of endpoints) {
    const sql = unknownIds(endpoint);
    if (sql === null) continue;
    // A continued run has one limit with the runs that it continues.
    const [done] = await connection.rowsAs(
      z.object({ slices: z.number() }),
      'select count(*) as slices from meta.slices where endpoint = $1 and run_id in (select unnest($2::varchar[]))',
      [endpoint.name, [...question.chain, run.runId]],
    );
    const left = Math.max(0, config.sync.maxPromptLookups - (done?.slices ?? 0));
    const unknown = await connection.rowsAs(unknownRow, sql, [[...byId.keys()], left, endpoint.name]);
    for (const { project_id: projectId, id: scopeId } of unknown) {
      const project = byId.get(projectId);
      if (project === undefined) continue;
      const { account, projectHeader } = project;
      const slice = listSlice({ endpoint: endpoint.name, projectId, scope: 'prompt', scopeId });
      const planned = { slice, asked: null, limit: null, askedWith: askedWith(config, endpoint) };
      jobs.push({ planned, account, projectHeader });
    }
  }
  return jobs;
}

/** SQL for the ids to look up: projects $1, at most $2 ids, endpoint $3. Null when the endpoint looks nothing up. */
function unknownIds({ cut, outputs: [output] }: Endpoint): string | null {
  if (cut.kind !== 'lookup' || cut.mentions === null) return null;
  const { table, column, newest, list } = cut.mentions;
  const id = quoteIdentifier(column);
  return `select e.project_id, e.${id} as id
     from core.${quoteIdentifier(table)} e
     where e.project_id in (select unnest($1::varchar[]))
       and not exists (from core.${quoteIdentifier(output.table)} p where p.project_id = e.project_id and p.${id} = e.${id})
       and exists (from meta.slices s where s.endpoint = ${quoteLiteral(list)} and s.project_id = e.project_id
         and s.status in ('loaded', 'empty'))
       and not exists (from meta.slices s where s.endpoint = $3 and s.project_id = e.project_id
         and s.scope_id = e.${id} and (s.status <> 'failed' or s.error_class = 'contract'))
     group by e.project_id, e.${id} order by max(e.${quoteIdentifier(newest)}) desc, e.${id} limit $2`;
}
