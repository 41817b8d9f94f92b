import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { runDaemon } from '../../src/daemon/run-daemon.ts';
import type { Job } from '../../src/daemon/schedule/jobs.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openLog } from '../../src/log.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';
import { WORKING_STORAGE_VERSION, workingPath } from '../../src/warehouse/working-file.ts';
import { recordFigure } from '../exhaustive/figures.ts';
import { openRig, withSync, type Rig } from '../flow/rig.ts';
import { makeFolder } from '../support/folder.ts';

interface NightFigures {
  exitCode: number;
  processorMs: number;
  /** After garbage collection. */
  heapBytes: number;
  residentBytes: number;
  publishedBytes: number;
  workingBytes: number;
}

/** The year's files, and copies of what they hold in files of their own. */
interface YearFigures {
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
async function runNights(count: number): Promise<YearFigures> {
  await using rig = await openRig({
    world: 'small',
    today: FIRST,
    startDate: START,
    // They are a third of a night's requests, and nothing of a year depends on them.
    change: withSync({ scopes: {} }),
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

const MEBIBYTE = 1024 * 1024;
const NIGHTS = Number(process.env['ANSWERLAKE_SOAK_NIGHTS'] ?? 365);
/** The first nights fill caches and compile code. */
const WARM = 10;

/** The middle one of ten nights. */
function middle(nights: readonly NightFigures[], figure: keyof NightFigures): number {
  const numbers = nights.map((night) => night[figure]).toSorted((a, b) => a - b);
  return numbers[Math.floor(numbers.length / 2)] ?? 0;
}

it('a year of nights in one process leaves memory flat, files small and the last night cheap', async () => {
  const { nights, freshPublishedBytes, freshWorkingBytes } = await runNights(NIGHTS);
  // The same process and the same minutes of the machine, but nothing of the year in the files.
  const young = (await runNights(WARM + 5)).nights.slice(-10);
  const early = nights.slice(WARM - 5, WARM + 5);
  const late = nights.slice(-10);
  const last = nights.at(-1);
  const ratio = (figure: keyof NightFigures): number => middle(late, figure) / middle(early, figure);
  const nightly = middle(late, 'processorMs') / middle(young, 'processorMs');
  const published = (last?.publishedBytes ?? 0) / freshPublishedBytes;
  const working = (last?.workingBytes ?? 0) / freshWorkingBytes;
  const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
  const promises = {
    'every night ends with 0': nights.every(({ exitCode }) => exitCode === 0),
    'the heap stays within a third': ratio('heapBytes') < 1.33,
    'resident memory stays within a half': ratio('residentBytes') < 1.5,
    'the published file is at most 1.1 times a fresh one': published <= 1.1,
    'the working file is at most 1.1 times a fresh one': working <= 1.1,
    'the last nights cost at most 1.5 times the tenth night of a new warehouse': nightly <= 1.5,
  };
  const broken = Object.entries(promises).filter(([, holds]) => !holds);
  recordFigure({
    order: 12,
    promise:
      'A year of nights in one process: memory flat, files small, the last night as cheap as the tenth',
    how: 'The daemon of one process does a night after the other, with its clock set a day further after each; late answers change days of the look-back. Figures are the middle of ten nights around the tenth and of the last ten, memory after garbage collection. A fresh file is a copy of what the file holds. After the year, the same process does the first nights of a new warehouse.',
    cases: nights.length,
    violations: broken.length,
    details: {
      'processor time of a night, then and at the end': `${String(middle(early, 'processorMs'))} ms, ${String(middle(late, 'processorMs'))} ms`,
      'processor time at the end, against the tenth night of a new warehouse right after': `${nightly.toFixed(2)} times`,
      'heap, then and at the end': `${mebibytes(middle(early, 'heapBytes'))}, ${mebibytes(middle(late, 'heapBytes'))}`,
      'resident memory, then and at the end': `${mebibytes(middle(early, 'residentBytes'))}, ${mebibytes(middle(late, 'residentBytes'))}`,
      'published file against a fresh one': published.toFixed(2),
      'working file against a fresh one': working.toFixed(2),
    },
  });
  expect(broken.map(([promise]) => promise)).toEqual([]);
});
