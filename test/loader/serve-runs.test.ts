import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  completeAgain,
  completeRun,
  requireSameWarehouse,
  requireSomeWarehouse,
  serveRuns,
  type ActiveLoader,
} from '../../src/scale/loader/run-loader.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import type { Jobs, QueuedJob } from '../../src/scale/queue/jobs.ts';
import type { Postgres } from '../../src/scale/queue/postgres.ts';
import { readWarehouseId } from '../../src/load/load-run.ts';
import type { RunReport } from '../../src/run/run-to-end.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { newZone } from '../landing/zones.ts';
import { CATALOGUE } from '../support/catalogue.ts';
import { makeFolder, openFolder } from '../support/folder.ts';
import { prepareWorkingFile } from '../support/made-once.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const REPORT = { run_id: 'run-1', status: 'ok', exit_code: 0 } as RunReport;
const job = { id: 'job-1', data: syncRequest({}) };

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

interface Served {
  /** A worker serves the round of the loader before until then. */
  busyMs?: number;
  /** How the only run of the queue fails. */
  failure?: Error;
}

/** When a loader takes a run, and what it tells of runs that ended. */
async function serve({ busyMs = 0, failure }: Served): Promise<{ taken: number[]; ended: unknown[] }> {
  const effects = virtualEffects(0);
  const stopping = new AbortController();
  const folder = openFolder();
  const path = join(folder, 'answers.duckdb');
  prepareWorkingFile(path);
  const [taken, ended]: [number[], unknown[]] = [[], []];
  const at = new Date(0);
  const worker = { process_id: '1', kind: 'worker', host: 'a', version: '1', started_at: at, seen_at: at };
  const postgres: Postgres = {
    rows: async (row, sql) => {
      const busy = { ...worker, detail: { round: 'r' }, is_alive: effects.now() < busyMs };
      return sql.includes('.processes') ? [row.parse(busy)] : [];
    },
    run: async () => 1,
  };
  const jobs = {
    postgres,
    open: async () => [{ id: '1', state: 'active' }],
    cancel: async () => undefined,
    fail: async () => undefined,
    hold: async () => undefined,
    complete: async (_queue: string, _id: string, output: unknown) => void ended.push(output),
    take: async () => {
      if (taken.push(effects.now()) === 2) stopping.abort();
      return failure === undefined || stopping.signal.aborted ? null : job;
    },
  };
  const config = {
    catalogue: CATALOGUE,
    warehouse: { path },
    raw: { dir: join(folder, 'raw'), keepDays: 400 },
  };
  await serveRuns({
    context: { config, effects, log: silentLog, signal: stopping.signal, version: '1' },
    zone: await newZone('a folder'),
    jobs,
    presence: { show: async () => undefined },
    begun: () => undefined,
    notifying: async () => await Promise.reject(failure),
  } as unknown as ActiveLoader);
  return { taken, ended };
}

test('a loader that takes over waits for workers that are busy, 25 s at most, and then looks twice a second', async () => {
  expect((await serve({ busyMs: 1_500 })).taken).toEqual([1_500, 2_000]);
  expect((await serve({ busyMs: 60_000 })).taken).toEqual([25_000, 25_500]);
});

test('a run that fails ends in the queue, and the loader with it where the cause is a bug or the storage', async () => {
  const failure = new AnswerlakeError('no such day', { class: 'configuration' });
  const { ended } = await serve({ failure });
  expect(ended).toEqual([
    { exit_code: 2, class: 'configuration', message: 'no such day', parts: ['no such day'] },
  ]);
  for (const cause of ['bug', 'storage'] as const)
    await expect(serve({ failure: new AnswerlakeError('broken', { class: cause }) })).rejects.toThrow(
      'broken',
    );
});
