import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import { runDaemon } from '../../src/daemon/run-daemon.ts';
import type { Job } from '../../src/daemon/schedule/jobs.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openLog } from '../../src/log.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { WORKING_STORAGE_VERSION, workingPath } from '../../src/warehouse/working-file.ts';
import { openRig, type Rig } from '../flow/rig.ts';
import { makeFolder } from '../support/folder.ts';

export interface NightFigures {
  exitCode: number;
  processorMs: number;
  /** After garbage collection. */
  heapBytes: number;
  residentBytes: number;
  publishedBytes: number;
  workingBytes: number;
}

/** The year's files, and copies of what they hold in files of their own. */
export interface YearFigures {
  nights: NightFigures[];
  freshPublishedBytes: number;
  freshWorkingBytes: number;
}

const FIRST = toDay('2025-09-01');
const START = '2025-08-20';
const DAY_MS = 86_400_000;

/** A tick a second: the next night begins as soon as the last one is done. */
const NIGHTLY: Job = {
  name: 'nightly',
  schedule: '* * * * * *',
  timezone: 'UTC',
  endpoints: null,
  projects: null,
  lookbackDays: null,
  maxWaitMs: 0,
  catchUp: false,
  file: 'nightly.yaml',
};

/** So many nights of a new warehouse in the daemon of this process; the clock is set a day further after each. */
export async function runNights(count: number): Promise<YearFigures> {
  await using rig = await openRig({
    world: 'small',
    today: FIRST,
    startDate: START,
    change: withoutFinerScopes,
  });
  const { config } = rig;
  const published = config.warehouse.path;
  const working = workingPath(published);
  const nights: NightFigures[] = [];
  const controller = new AbortController();
  let before = process.cpuUsage();
  const onLine = (line: string): void => {
    const { event, exit_code: exitCode } = JSON.parse(line) as { event: string; exit_code?: number };
    if (event === 'job.started') before = process.cpuUsage();
    if (event !== 'job.finished') return;
    const { user, system } = process.cpuUsage(before);
    const processorMs = Math.round((user + system) / 1000);
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    nights.push({
      exitCode: exitCode ?? -1,
      processorMs,
      heapBytes: heapUsed,
      residentBytes: rss,
      publishedBytes: statSync(published).size,
      workingBytes: statSync(working).size,
    });
    if (nights.length >= count)
      controller.abort(new AnswerlakeError('the year is over', { class: 'stopped' }));
    else void turnDay(rig, nights.length);
  };
  const log = openLog({ level: 'info', quiet: false, secrets: [], destination: { write: onLine } });
  await runDaemon([NIGHTLY], {
    config,
    effects: rig.effects,
    log,
    signal: controller.signal,
    version: '0.0.0',
  });
  return {
    nights,
    freshPublishedBytes: await freshBytes(published, config.warehouse.storageVersion),
    freshWorkingBytes: await freshBytes(working, WORKING_STORAGE_VERSION),
  };
}

/** They are a third of a night's requests, and nothing of a year depends on them. */
function withoutFinerScopes(config: Config): Config {
  return { ...config, sync: { ...config.sync, scopes: {} } };
}

/** Late answers: days of the look-back change now and then. */
async function turnDay({ simulator, effects }: Rig, night: number): Promise<void> {
  // The server's clock is the same one.
  const turned = effects.sleep(DAY_MS);
  simulator.setToday(addDays(FIRST, night));
  simulator.resetRequests();
  const [project] = simulator.world.projects;
  if (project !== undefined && night % 10 === 0)
    simulator.restate({
      project: project.id,
      days: [addDays(FIRST, night - 3), addDays(FIRST, night - 1)],
      by: 0.02,
    });
  await turned;
}

/** Size of a new file that holds the same. */
async function freshBytes(path: string, storageVersion: string): Promise<number> {
  const fresh = join(makeFolder(), 'fresh.duckdb');
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await connection.run(`attach '${path}' as year (read_only)`);
  await connection.run(`attach '${fresh}' as fresh (storage_version '${storageVersion}')`);
  await connection.run('copy from database year to fresh');
  await connection.run('checkpoint fresh');
  return statSync(fresh).size;
}
