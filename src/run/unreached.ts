import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Reached } from '../extract/reach-projects.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Problem } from './outcome.ts';

interface Question {
  connection: Connection;
  config: Pick<Config, 'accounts'>;
  request: { projects: readonly string[] | null };
}

/** The projects of earlier runs that no key reaches any more; their rows are kept. Those that the configuration leaves out are not expected any longer. */
export async function unreachedProjects(
  { connection, config, request: { projects: wanted } }: Question,
  { projects, listed }: Pick<Reached, 'projects' | 'listed'>,
): Promise<Problem[]> {
  const isAll = config.accounts.some((account) => account.projects === 'all');
  const named = config.accounts.flatMap((account) => (account.projects === 'all' ? [] : account.projects));
  await connection.run(
    'delete from meta.expected_series where not ($1 or project_id in (select unnest($2::varchar[])))',
    [isAll, named],
  );
  // Only a run of everything whose keys all answered can tell that a project is gone.
  if (wanted !== null || listed === null || projects.length === 0) return [];
  const reached = [...new Set([...listed, ...projects.map(({ projectId }) => projectId)])];
  const missed = await connection.rowsAs(
    z.object({ id: z.string(), name: z.string().nullable() }),
    `select distinct e.project_id as id, p.name from meta.expected_series e left join core.projects p using (project_id)
     where e.project_id not in (select unnest($1::varchar[])) order by 1`,
    [reached],
  );
  return missed.map(({ id, name }) => {
    const error = new AnswerlakeError(
      `project ${name ?? 'without a name'} (${id}) was reached before, and no configured key reaches it now; give a key access to it, or name the projects to ask for in accounts[].projects; what is stored of it stays`,
      { class: 'contract', scope: 'project' },
    );
    return { error, projectId: id };
  });
}
