import { z } from 'zod';
import { AnswerlakeError } from '../errors.ts';
import { endDateOf } from '../plan/asked-with.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import type { Problem } from './outcome.ts';
import type { RunContext } from './run-context.ts';

const monthRow = z.object({
  endpoint: z.string(),
  project_id: z.string(),
  month: z.string(),
  total: z.number(),
  summed: z.number(),
});

/** Closed months whose total lacks exactly their last day, although `end_date` says that `endDate` counts; the figures stay. */
export async function endDateContradictions({
  connection,
  config,
}: Pick<RunContext, 'connection' | 'config'>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { sql } of readSqlFiles('believe')) {
    for (const row of await connection.rowsAs(monthRow, sql.trim().replace(/;$/, ''))) {
      if (endDateOf(config, row.endpoint) === 'exclusive') continue;
      const error = new AnswerlakeError(
        `${row.endpoint} of project ${row.project_id}: ${row.month} has ${String(row.total)} responses, and its days have ${String(row.summed)}; the difference is its last day, so the server does not seem to count endDate. Set api.end_date: exclusive, or run answerlake check --api`,
        { class: 'contract', scope: 'endpoint' },
      );
      problems.push({ error, projectId: row.project_id });
    }
  }
  return problems;
}
