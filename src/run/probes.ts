import { z } from 'zod';
import type { Probe } from '../believe/suspicion.ts';
import type { LoadRun } from '../load/load-run.ts';
import type { Connection } from '../warehouse/connection.ts';

/** Days for which something that was found to be good is not asked about again. */
const GOOD_DAYS = 7;

const probedRow = z.object({
  endpoint: z.string(),
  projectId: z.string(),
  parameter: z.string(),
  askedWith: z.string(),
  verdict: z.literal('good'),
}) satisfies z.ZodType<Probe>;

/** What was found to be good at most seven days before `run`. */
export async function readGoodProbes(
  connection: Connection,
  { syncDay }: Pick<LoadRun, 'syncDay'>,
): Promise<Probe[]> {
  return await connection.rowsAs(
    probedRow,
    `select endpoint, project_id as "projectId", parameter, asked_with as "askedWith", verdict from meta.probes
     where verdict = 'good' and asked_on between cast($1 as date) - ${String(GOOD_DAYS)} and cast($1 as date)
     order by all`,
    [syncDay],
  );
}

/** Enters what was found out. @throws AnswerlakeError (storage) */
export async function writeProbes(
  connection: Connection,
  { runId, syncDay }: Pick<LoadRun, 'runId' | 'syncDay'>,
  probes: readonly Probe[],
): Promise<void> {
  for (const { endpoint, projectId, parameter, askedWith, verdict } of probes) {
    const key = [endpoint, projectId, parameter, askedWith];
    await connection.run(
      'delete from meta.probes where endpoint = $1 and project_id = $2 and parameter = $3 and asked_with = $4',
      key,
    );
    await connection.run('insert into meta.probes values ($1, $2, $3, $4, $5, cast($6 as date), $7)', [
      ...key,
      verdict,
      syncDay,
      runId,
    ]);
  }
}
