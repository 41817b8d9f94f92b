import { tables } from '../support/tables.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../support/folder.ts';
import { publish } from '../../src/publish/publish.ts';
import { transaction, type Connection } from '../../src/warehouse/connection.ts';
import { openWorkingFile } from '../../src/warehouse/working-file.ts';
import { recordFigure } from './figures.ts';

const PUBLISHES = Number(process.env['ANSWERLAKE_PUBLISHES'] ?? 20);
const LOOPING = 4;
const PROJECTS = 500;

interface Report {
  reads: number;
  errors: string[];
  mixed: number;
  backwards: number;
  versions: number;
}

/** Opens, asks and closes as any BI tool does; the program is plain DuckDB, nothing of ours. */
const LOOP = `
const { DuckDBInstance } = await import('@duckdb/node-api');
const [path, mode] = process.argv.slice(1);
const report = { reads: 0, errors: [], mixed: 0, backwards: 0, versions: 0 };
let last = -1, going = true, kept = null;
process.stdin.on('end', () => { going = false; }).resume();
const open = async () => DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
console.log('ready');
while (going) {
  try {
    const instance = kept ?? await open();
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      "select min(cast(name as integer)), max(cast(name as integer)), count(*), (select cast(name as integer) from core.organizations), (select count(*) from main.prompt_catalog) from core.projects");
    const [low, high, count, other] = reader.getRows()[0].map(Number);
    connection.closeSync();
    if (mode === 'hold') kept = instance; else instance.closeSync();
    report.reads += 1;
    if (low !== high || low !== other || count !== ${PROJECTS}) report.mixed += 1;
    if (low < last || (mode === 'hold' && last !== -1 && low !== last)) report.backwards += 1;
    if (low !== last) report.versions += 1;
    last = low;
  } catch (error) {
    report.errors.push(String(error).slice(0, 300));
  }
  await new Promise((resolve) => setTimeout(resolve, 2));
}
console.log(JSON.stringify(report));
process.exit(0);
`;

interface Reader {
  ready: Promise<void>;
  stop(): Promise<Report>;
}

function startReader(path: string, mode: 'loop' | 'hold'): Reader {
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOOP, path, mode]);
  let text = '';
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.startsWith('ready')) resolve();
    });
  });
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
  });
  return {
    ready,
    stop: async () => {
      child.stdin.end();
      await ended;
      const line = text.split('\n').find((one) => one.startsWith('{'));
      if (line === undefined) throw new Error(`a reader died: ${complaints}`);
      return JSON.parse(line) as Report;
    },
  };
}

/** Every row bears the number of the publish, so that any mixture shows. */
async function writeVersion(connection: Connection, version: number): Promise<void> {
  await transaction(connection, async () => {
    await connection.run('delete from core.projects');
    await connection.run('delete from core.organizations');
    const stamp = `'run', timestamp '2026-07-14'`;
    await connection.run(`insert into core.organizations values ('o', '${String(version)}', 'o', ${stamp})`);
    await connection.run(
      `insert into core.projects select 'p' || i, 'o', '${String(version)}', 'p', ${stamp} from range(${String(PROJECTS)}) r(i)`,
    );
  });
}

it('readers never wait, fail, see a mixture or go back while files are published under them', async () => {
  const folder = openFolder();
  const target = join(folder, 'answers.duckdb');
  const { database } = await openWorkingFile({ tables, publishedPath: target, now: 0 });
  const connection = await database.connect();
  await writeVersion(connection, 0);
  await publish({ connection, targetPath: target, now: 0 });
  const looping = Array.from({ length: LOOPING }, () => startReader(target, 'loop'));
  const holding = startReader(target, 'hold');
  await Promise.all([...looping, holding].map(({ ready }) => ready));
  for (let version = 1; version <= PUBLISHES; version += 1) {
    await writeVersion(connection, version);
    await publish({ connection, targetPath: target, now: version });
  }
  const reports = await Promise.all(looping.map((reader) => reader.stop()));
  const held = await holding.stop();
  database.close();
  const all = [...reports, held];
  const sum = (count: (report: Report) => number): number =>
    all.reduce((total, report) => total + count(report), 0);
  const errors = all.flatMap((report) => report.errors);
  const violations = errors.length + sum(({ mixed }) => mixed) + sum(({ backwards }) => backwards);
  recordFigure({
    order: 6,
    promise: 'Readers never wait, never fail, and never see a mixture or an older state',
    how: `${String(LOOPING)} processes open, query and close the published file in a loop, and one more keeps it open, while it is published again and again. Every row contains the number of its publish.`,
    cases: sum(({ reads }) => reads),
    violations,
    details: {
      publishes: PUBLISHES,
      errors: errors.length,
      'mixtures seen': sum(({ mixed }) => mixed),
      'older states seen': sum(({ backwards }) => backwards),
      'reads by the process that keeps the file open': held.reads,
    },
  });
  expect(errors).toEqual([]);
  expect(violations).toBe(0);
  expect(held.versions).toBe(1);
  expect(Math.min(...reports.map(({ versions }) => versions))).toBeGreaterThan(5);
});
