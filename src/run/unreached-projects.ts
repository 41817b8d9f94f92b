import { z } from 'zod';
import type { Reached } from '../extract/reach-projects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Problem } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import { NIGHTS_OF_ALARM } from './refused-filters.ts';

const missedRow = z.object({
  id: z.string(),
  name: z.string().nullable(),
  since: z.string(),
  nights: z.number(),
});
type MissedRow = z.output<typeof missedRow>;

/** Enters which projects of earlier runs no key reaches any more; their rows are kept. */
export async function noteUnreached(
  {
    connection,
    config,
    run,
    request: { projects: wanted },
  }: Pick<RunContext, 'connection' | 'run'> & {
    config: Pick<RunContext['config'], 'accounts'>;
    request: Pick<RunContext['request'], 'projects'>;
  },
  { projects, listed }: Pick<Reached, 'projects' | 'listed'>,
): Promise<{ problems: Problem[]; warnings: string[] }> {
  const isAll = config.accounts.some((account) => account.projects === 'all');
  const named = config.accounts.flatMap((account) => (account.projects === 'all' ? [] : account.projects));
  // The days of a project that the configuration leaves out are no gaps: nobody wants them.
  await connection.run(
    'delete from meta.expected_series where not ($1 or project_id in (select unnest($2::varchar[])))',
    [isAll, named],
  );
  // Only a run of everything whose keys all answered can tell that a project is gone.
  if (wanted !== null || listed === null || projects.length === 0) return { problems: [], warnings: [] };
  const reached = [...new Set([...listed, ...projects.map(({ projectId }) => projectId)])];
  await connection.run(
    `delete from meta.unreached_projects
     where project_id in (select unnest($1::varchar[])) or not ($2 or project_id in (select unnest($3::varchar[])))`,
    [reached, isAll, named],
  );
  await connection.run(
    `update meta.unreached_projects set nights = nights + 1, last_missed = cast($1 as date)
     where last_missed < cast($1 as date)`,
    [run.syncDay],
  );
  await connection.run(
    `insert into meta.unreached_projects (project_id, first_missed, last_missed, nights)
     select distinct project_id, cast($1 as date), cast($1 as date), 1 from meta.expected_series
     where project_id not in (select unnest($2::varchar[])) and ($3 or project_id in (select unnest($4::varchar[])))
       and project_id not in (select project_id from meta.unreached_projects)`,
    [run.syncDay, reached, isAll, named],
  );
  const missed = await connection.rowsAs(
    missedRow,
    `select u.project_id as id, p.name, cast(u.first_missed as varchar) as since, u.nights
     from meta.unreached_projects u left join core.projects p using (project_id) order by 1`,
  );
  const kept = missed.filter(({ nights }) => nights > NIGHTS_OF_ALARM);
  // Its days are no gaps any more: nobody can fill them.
  await connection.run(
    'delete from meta.expected_series where project_id in (select unnest($1::varchar[]))',
    [kept.map(({ id }) => id)],
  );
  return {
    problems: missed.filter((row) => !kept.includes(row)).map(lost),
    warnings: kept.map((row) => `${unreachedText(row)}; what is stored of it is kept as it was`),
  };
}

function lost(row: MissedRow): Problem {
  const error = new AnswerlakeError(
    `${unreachedText(row)} (night ${String(row.nights)} of ${String(NIGHTS_OF_ALARM)} that end with 3); give a key access to it, or name the projects in accounts[].projects`,
    { class: 'contract', scope: 'project' },
  );
  return { error, projectId: row.id };
}

function unreachedText({ id, name, since }: MissedRow): string {
  return `project ${name === null ? id : `${name} (${id})`} was reached before, and no configured key has reached it since ${since}`;
}
