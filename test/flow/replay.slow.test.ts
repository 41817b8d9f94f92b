import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toDay } from '../../src/day.ts';
import { archiveFiles } from '../../src/load/raw-archive.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig, type Rig } from './rig.ts';
import { changeFile } from '../support/file-reader.ts';

async function coreTables(rig: Rig): Promise<Record<string, string[]>> {
  const names = await rig.rows(
    `select table_name as name from duckdb_tables() where schema_name = 'core' order by name`,
  );
  const tables: Record<string, string[]> = {};
  for (const { name } of names) {
    const rows = await rig.rows(`select * from core.${String(name)}`);
    tables[String(name)] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

it('a replay rebuilds every core table, run and time of change included, without one request', async () => {
  await using rig = await openRig({ world: 'hostile', today: '2026-07-14', startDate: '2026-06-20' });
  await rig.sync();
  rig.simulator.setToday(toDay('2026-07-15'));
  const [project] = rig.simulator.world.projects;
  rig.simulator.restate({ project: project?.id ?? '', days: toDay('2026-07-12'), by: 0.3 });
  await rig.sync();
  await changeFile(
    workingPath(rig.config.warehouse.path),
    "insert into meta.alarms by name select '' as endpoint, 'gone' as project_id, 'project' as scope, 'gone' as scope_id, 'refused' as reason, date '2026-07-01' as first_on, 9 as days, date '2026-07-13' as last_on, date '2026-07-13' as asked_on",
  );
  const before = await coreTables(rig);
  const restated = await rig.rows('select * from meta.restatements order by all');
  rig.simulator.resetRequests();
  const report = await replayArchive(rig.context, false);
  expect(report).toMatchObject({ runs: 2, slices_failed: 0, duration_ms: 0 });
  expect(rig.simulator.requests).toHaveLength(0);
  expect(await coreTables(rig)).toEqual(before);
  expect(await rig.rows('select * from meta.restatements order by all')).toEqual(restated);
  expect(await rig.rows('select project_id, days from meta.alarms')).toEqual([
    { project_id: 'gone', days: 9 },
  ]);
  rig.simulator.resetRequests();
  expect(await rig.sync()).toMatchObject({
    exit_code: 0,
    rows_inserted: 0,
    rows_updated: 0,
    rows_deleted: 0,
  });
});

const archived = z.looseObject({
  endpoint: z.string().optional(),
  body: z
    .array(z.looseObject({ value: z.number().nullable() }))
    .optional()
    .catch(undefined),
});

it('a row that lost to another row of its answer is counted once in the report of a replay', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const path = (await rig.sync({ endpoints: ['visibility'] })).raw_archive ?? '';
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  const doubled = lines.map((text) => {
    const line = archived.parse(JSON.parse(text));
    const [first] = line.body ?? [];
    if (line.endpoint !== 'visibility' || first === undefined) return text;
    return JSON.stringify({ ...line, body: [{ ...first, value: 99 }, ...(line.body ?? [])] });
  });
  writeFileSync(path, gzipSync(`${doubled.join('\n')}\n`));
  const { rows_received: received, rows_rejected: rejected } = await replayArchive(rig.context, false);
  expect(rejected).toBeGreaterThan(0);
  expect(await rig.rows('select cast(sum(rows_received) as integer) as received from meta.slices')).toEqual([
    { received },
  ]);
});

it('a torn tail of the archive is left out', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-01' });
  const run = await rig.sync();
  const before = await coreTables(rig);
  appendFileSync(run.raw_archive ?? '', Buffer.from('1f8b0800000000000003ab56ca48', 'hex'));
  await replayArchive(rig.context, false);
  expect(await coreTables(rig)).toEqual(before);
});

it('a damaged archive file replaces nothing and is named, unless the loss is allowed', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const { raw_archive: archived } = await rig.sync();
  const path = archived ?? '';
  const whole = readFileSync(path);
  const before = await coreTables(rig);
  const refused = async (): Promise<void> => {
    await expect(replayArchive(rig.context, false)).rejects.toMatchObject({
      exitCode: 7,
      message: expect.stringContaining(path),
    });
    expect(await coreTables(rig)).toEqual(before);
  };
  truncateSync(path, Math.floor(statSync(path).size * 0.6));
  await refused();
  const lines = gunzipSync(whole).toString().split('\n');
  writeFileSync(path, gzipSync(lines.toSpliced(5, 1, 'no line').join('\n')));
  await refused();
  const renamed = lines.map((line) => line.replace('"endpoint":"sentiment"', '"endpoint":"mood"'));
  writeFileSync(path, gzipSync(renamed.join('\n')));
  await expect(replayArchive(rig.context, false)).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(/ \d+ answers? of mood, an endpoint that no longer exists/),
  });
  const { losses } = await replayArchive(rig.context, true);
  expect(losses).toEqual([expect.stringContaining('lacks'), expect.stringContaining('of mood')]);
  expect(await rig.workingRows('select * from core.sentiment')).toEqual([]);
});

it('a replay after both files were lost expects what the configuration asks for, and finds no gap', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  await rig.sync();
  const before = await coreTables(rig);
  const expected = 'select * from meta.expected_series order by all';
  const wanted = await rig.rows(expected);
  const { path } = rig.config.warehouse;
  for (const file of [path, workingPath(path)]) rmSync(file);
  await replayArchive(rig.context, false);
  expect(await coreTables(rig)).toEqual(before);
  expect(await rig.rows(expected)).toEqual(wanted);
  expect(await rig.rows('select * from main.sync_gaps')).toEqual([]);
});

it('a replay removes what a killed replay left behind', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  await rig.sync({ endpoints: ['visibility'] });
  const dead = join(dirname(rig.config.warehouse.path), '.replay-99999999');
  mkdirSync(dead);
  writeFileSync(join(dead, '.answers.work.duckdb'), 'half built');
  await replayArchive(rig.context, false);
  expect(existsSync(dead)).toBe(false);
});

it('a row that an older program refused is loaded by a replay of its archive', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  rig.simulator.override('visibility-time-series', (_, answer) => ({
    ...answer,
    body: (answer.body as { date: string }[]).map(({ date }) => ({
      date,
      value: date === '2026-07-12' ? '60' : 60,
    })),
  }));
  const { rows_rejected: refused } = await rig.sync({ endpoints: ['visibility'] });
  expect(refused).toBeGreaterThan(0);
  const day = "select count(*)::integer as rows from core.visibility where date = date '2026-07-12'";
  expect(await rig.rows(day)).toEqual([{ rows: 0 }]);
  // The archive as a newer program reads it: the text is a number.
  for (const { path } of await archiveFiles(rig.config.raw.dir)) {
    const text = gunzipSync(readFileSync(path)).toString();
    writeFileSync(path, gzipSync(text.replaceAll('"value":"60"', '"value":60')));
  }
  expect(await replayArchive(rig.context, false)).toMatchObject({ rows_rejected: 0 });
  expect(await rig.rows(day)).toEqual([{ rows: refused }]);
  expect(await rig.rows('select * from meta.rejects')).toEqual([]);
});
