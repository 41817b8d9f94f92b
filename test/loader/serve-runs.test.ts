import { expect, test } from 'vitest';
import {
  completeAgain,
  completeRun,
  requireSameWarehouse,
  requireSomeWarehouse,
} from '../../src/scale/loader/serve-runs.ts';
import type { Jobs, QueuedJob } from '../../src/scale/queue/jobs.ts';
import type { Postgres } from '../../src/scale/queue/postgres.ts';
import { readWarehouseId } from '../../src/load/load-run.ts';
import type { RunReport } from '../../src/run/sync-request.ts';
import { makeFolder } from '../support/folder.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const REPORT = { run_id: 'run-1', status: 'ok', exit_code: 0 } as RunReport;
const job = { id: 'job-1', data: {} };

/** A queue that hears of the end of a run only while it takes the job for one that is under way. */
function jobsOf(states: QueuedJob['state'][], isAway = false) {
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
  await expect(completeRun(job, REPORT, { connection, ...jobsOf([], true) })).rejects.toThrow('away');
  // The queue misses the second time too.
  const { jobs, told } = jobsOf(['retry', 'completed']);
  expect(await completeAgain({ ...job, id: 'job-2' }, { connection, jobs })).toBe(false);
  expect(await completeAgain(job, { connection, jobs })).toBe(true);
  expect(await completeAgain(job, { connection, jobs })).toBe(true);
  expect(await completeAgain(job, { connection, jobs })).toBe(false);
  expect(told).toEqual([{ report: REPORT }, { report: REPORT }]);
});

/** The settings of a queue. */
function queueOf(warehouse: string | null): Postgres & { warehouse: () => unknown } {
  let value: unknown = warehouse;
  return {
    rows: async (row) => (value === null ? [] : [row.parse({ value })]),
    run: async (_sql, values) => ((value = values?.[1]), 1),
    warehouse: () => value,
  };
}

test('the first working file becomes that of the queue once it is published, and no other is loaded into', async () => {
  await using file = await WarehouseFile.open();
  const { connection } = file;
  const queue = queueOf(null);
  const published: unknown[] = [];
  const publish = async (): Promise<void> => void published.push(queue.warehouse());
  for (let starts = 0; starts < 2; starts += 1) await requireSameWarehouse(connection, queue, publish);
  expect(published).toEqual([null]);
  expect(queue.warehouse()).toBe(await readWarehouseId(connection));
  await expect(requireSameWarehouse(connection, queueOf('another'), publish)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('is not the working file that this queue is loaded into'),
  });
});

test('a standby without any file is refused where the queue has a warehouse', async () => {
  const path = `${makeFolder()}/answers.duckdb`;
  await requireSomeWarehouse(path, queueOf(null));
  await expect(requireSomeWarehouse(path, queueOf('known'))).rejects.toMatchObject({ exitCode: 2 });
  await using file = await WarehouseFile.open();
  await requireSomeWarehouse(file.connection.path, queueOf('known'));
});
