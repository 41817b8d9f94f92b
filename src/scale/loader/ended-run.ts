import { z } from 'zod';
import { writeSettings } from '../../load/settings.ts';
import { RUNS } from '../queue/schema.ts';
import type { Jobs, TakenJob } from '../queue/jobs.ts';
import type { RunReport } from '../../run/sync-request.ts';
import type { Connection } from '../../warehouse/connection.ts';

/** In `meta.settings` of the working file, until the queue knows it too. */
const NAME = 'ended_run';
const settingRow = z.object({ value: z.string().nullable() });
const endedSchema = z.object({
  job: z.string(),
  report: z.custom<RunReport>((value) => typeof value === 'object' && value !== null),
});

/** Tells the queue how a run ended; where it does not hear that, `completeAgain` tells it once more. @throws AnswerlakeError (storage) */
export async function completeRun(
  { id }: TakenJob,
  report: RunReport,
  { connection, jobs }: { connection: Connection; jobs: Jobs },
): Promise<void> {
  await writeSettings(connection, { [NAME]: JSON.stringify({ job: id, report }) });
  await jobs.complete(RUNS, id, { report });
  // The queue says nothing when it no longer takes the job for one that is under way.
  if ((await jobs.find(RUNS, id))?.state !== 'completed') return;
  await connection.run('delete from meta.settings where name = $1', [NAME]);
}

/** True when the run of a job has ended already, and the queue did not hear it: asking everything again would cost as much as the run did. */
export async function completeAgain(
  job: TakenJob,
  parts: { connection: Connection; jobs: Jobs },
): Promise<boolean> {
  const sql = 'select value from meta.settings where name = $1';
  const [found] = await parts.connection.rowsAs(settingRow, sql, [NAME]);
  const ended = endedSchema.safeParse(JSON.parse(found?.value ?? 'null'));
  if (!ended.success || ended.data.job !== job.id) return false;
  await completeRun(job, ended.data.report, parts);
  return true;
}
