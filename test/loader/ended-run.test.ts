import { expect, test } from 'vitest';
import { completeAgain, completeRun } from '../../src/scale/loader/serve-runs.ts';
import type { Jobs, QueuedJob } from '../../src/scale/queue/jobs.ts';
import type { RunReport } from '../../src/run/sync-request.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const REPORT = { run_id: 'run-1', status: 'ok', exit_code: 0 } as RunReport;
const job = { id: 'job-1', data: {} };

/** A queue that hears of the end of a run only while it takes the job for one that is under way. */
function queueOf(states: QueuedJob['state'][], isAway = false) {
  const told: unknown[] = [];
  const jobs: Pick<Jobs, 'complete' | 'find'> = {
    complete: async (_queue, _id, output) => {
      if (isAway) throw new Error('PostgreSQL is away');
      told.push(output);
    },
    find: async (_queue, [id = '']) => [{ id, state: states.shift() ?? 'completed', output: null }],
  };
  return { jobs, told };
}

test('a run that ended while PostgreSQL was away is not done again, and the next one is', async () => {
  await using file = await WarehouseFile.open();
  const { connection } = file;
  await expect(completeRun(job, REPORT, { connection, ...queueOf([], true) })).rejects.toThrow('away');
  // The queue misses the second time too.
  const { jobs, told } = queueOf(['retry', 'completed']);
  expect(await completeAgain({ ...job, id: 'job-2' }, { connection, jobs })).toBe(false);
  expect(await completeAgain(job, { connection, jobs })).toBe(true);
  expect(await completeAgain(job, { connection, jobs })).toBe(true);
  expect(await completeAgain(job, { connection, jobs })).toBe(false);
  expect(told).toEqual([{ report: REPORT }, { report: REPORT }]);
});
