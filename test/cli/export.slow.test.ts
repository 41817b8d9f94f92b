import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { expect, it } from 'vitest';
import { chooseRelations } from '../../src/export/relations.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { openSynced } from './small-world.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { readSheet, readZip } from '../support/xlsx.ts';
import { openFolder } from '../support/folder.ts';
import { changeFile, rowsOfFile } from '../support/file-reader.ts';
import { fails } from './run.ts';
import { openDatabase } from '../../src/warehouse/database.ts';

interface Changed {
  tables: { name: string; files_written: number }[];
  removed: number;
}

/** What a publish of other rows says of itself. */
const PUBLISHED_AGAIN =
  "update meta.settings set value = '2099-01-01T00:00:00.000Z' where name = 'published_at'";

it('answerlake export refuses a folder with files, and --overwrite replaces only files of an export', async () => {
  const { folder, run } = await openSynced();
  const output = openFolder();
  writeFileSync(join(output, 'mine.txt'), 'mine');
  const argv = ['export', '--output', output];
  expect(await run([...argv, '--table', 'calendar'])).toMatchObject(
    fails(2, 'Add --overwrite to replace an earlier export or choose another'),
  );
  expect(readdirSync(output)).toEqual(['mine.txt']);
  expect((await run([...argv, '--table', 'calendar', 'event_days', '--overwrite'])).code).toBe(0);
  expect((await run([...argv, '--table', 'calendar', '--overwrite'])).code).toBe(0);
  expect((await run([...argv, '--table', 'calendar'])).stderr).toContain('--changed to bring it up to date');
  expect(readdirSync(output).toSorted()).toEqual(['calendar', 'manifest.ndjson', 'mine.txt']);
  expect(readFileSync(join(output, 'mine.txt'), 'utf8')).toBe('mine');
  expect(await run(['export', '--output', join(folder, 'nowhere'), '--table', 'daily_kpi'])).toMatchObject(
    fails(2, 'did you mean daily_kpis?'),
  );
  expect(readdirSync(folder).filter((name) => name.includes('nowhere'))).toEqual([]);
});

it('answerlake export neither removes nor mixes in a foreign folder named like a view', async () => {
  const { run } = await openSynced();
  const output = openFolder();
  mkdirSync(join(output, 'calendar'));
  writeFileSync(join(output, 'calendar', 'holidays.parquet'), 'mine');
  const argv = ['export', '--output', output, '--overwrite', '--table'];
  expect(await run([...argv, 'calendar'])).toMatchObject(
    fails(2, /no export wrote \(calendar\/holidays\.parquet\)/),
  );
  expect((await run([...argv, 'event_days'])).code).toBe(0);
  expect(readFileSync(join(output, 'calendar', 'holidays.parquet'), 'utf8')).toBe('mine');
  expect(readdirSync(join(output, 'calendar'))).toEqual(['holidays.parquet']);
});

it('answerlake export --changed writes changed and missing partitions only, and removes stale ones', async () => {
  const { folder, published, run } = await openSynced();
  const output = join(folder, 'lake');
  const argv = ['export', '--output', output, '--changed', '--table', 'daily_kpis', 'calendar', '--json'];
  const written = async (): Promise<Record<string, unknown>> => {
    const { tables, removed } = (await run(argv)).report as Changed;
    return { ...Object.fromEntries(tables.map((one) => [one.name, one.files_written])), removed };
  };
  expect(await written()).toEqual({ daily_kpis: 2, calendar: 1, removed: 0 });
  expect(await written()).toEqual({ daily_kpis: 0, calendar: 0, removed: 0 });
  await changeFile(
    published,
    `update core.visibility set visibility = 1 where date = '2025-01-20'; ${PUBLISHED_AGAIN}`,
  );
  expect(await written()).toEqual({ daily_kpis: 1, calendar: 0, removed: 1 });
  for (const name of readdirSync(join(output, 'calendar'))) rmSync(join(output, 'calendar', name));
  expect(await written()).toEqual({ daily_kpis: 0, calendar: 1, removed: 0 });
  const months = await run([...argv, '--partition', 'month']);
  expect(months.report).toMatchObject({ removed: 2 });
  expect(readdirSync(join(output, 'daily_kpis')).toSorted()).toEqual(['2025-01', '2025-02']);
});

it('answerlake export --project writes that project alone, and never mixes it into an export of all', async () => {
  const { folder, published, run } = await openSynced();
  await changeFile(
    published,
    `insert into core.projects select * replace ('p2' as project_id, 'Café Nord' as name, 'cafe-nord' as slug) from core.projects;
     insert into core.visibility select * replace ('p2' as project_id) from core.visibility`,
  );
  const lake = join(folder, 'lake');
  const tables = ['--table', 'daily_kpis', 'core.projects'];
  const argv = ['export', '--output', lake, '--project', 'Cafe-Nord', ...tables];
  expect((await run(argv)).code).toBe(0);
  expect(readdirSync(join(lake, 'daily_kpis'))).toEqual(['p2']);
  const sql = `select project_id from read_parquet('${lake}/core.projects/*.parquet')`;
  expect(await rowsOfFile(published, sql)).toEqual([{ project_id: 'p2' }]);
  expect((await run([...argv, '--changed'])).code).toBe(0);
  const all = await run(['export', '--output', lake, '--changed', ...tables]);
  expect(all).toMatchObject(fails(2, 'holds an export of project p2'));
  const calendar = await run([...argv.slice(0, -1), 'calendar', '--overwrite']);
  expect(calendar).toMatchObject(fails(2, 'calendar belongs to no project'));
  await using file = await openPublishedFile(published);
  const chosen = await chooseRelations(file, { names: null, schema: 'main', projectId: 'p2' });
  expect(chosen.length).toBeGreaterThan(20);
  expect(chosen.map(({ name }) => name)).not.toContain('calendar');
  const book = join(folder, 'book.xlsx');
  await run(['export', '--output', book, '--project', 'p2', '--table', 'core.projects']);
  expect(readSheet(readZip(book).get('xl/worksheets/sheet1.xml') ?? '')).toHaveLength(2);
});

it.each(['figures.csv', 'gs://lake/nightly', 's3:/lake/nightly', 'S3://lake/nightly'])(
  'answerlake export to %s makes no folder of that name and says what it takes instead',
  async (output) => {
    const { run } = await openSynced();
    expect(await run(['export', '--output', output, '--table', 'calendar'])).toMatchObject(
      fails(2, /nothing was written.*s3:\/\/bucket\/folder.*answerlake query .*--format csv/),
    );
    expect(existsSync(output)).toBe(false);
  },
);

it('answerlake export writes to a bucket what it writes to a folder, and then only what changed', async () => {
  const { published, run } = await openSynced();
  const { env, objects } = await startBucketServer();
  const argv = ['export', '--output', 's3://lake/nightly', '--changed', '--table', 'daily_kpis', '--json'];
  expect(await run(argv, { env })).toMatchObject({ code: 0, stderr: '' });
  const [file = ''] = [...objects.keys()].filter((name) => name.includes('/2025-01/'));
  expect(file).toMatch(/^lake\/nightly\/daily_kpis\/[^/=]+\/2025-01\/[0-9a-f]{32}\.parquet$/);
  expect(objects.get(file)?.subarray(0, 4).toString()).toBe('PAR1');
  await changeFile(
    published,
    `update core.visibility set visibility = 1 where date = '2025-02-02'; ${PUBLISHED_AGAIN}`,
  );
  const before = objects.get(file);
  expect((await run(argv, { env })).report).toMatchObject({ tables: [{ files_written: 1 }] });
  expect(objects.get(file)).toBe(before);
  expect(await run(['export', '--output', 's3://lake'], { env: {} })).toMatchObject({ code: 2 });
});

it('answerlake export writes one workbook with a sheet for each view', async () => {
  const { folder, run } = await openSynced();
  const output = join(folder, 'figures.xlsx');
  const argv = ['export', '--format', 'xlsx', '--output', output];
  expect((await run([...argv, '--table', 'daily_kpis', 'calendar'])).code).toBe(0);
  const files = readZip(output);
  expect(files.get('xl/workbook.xml')).toMatch(
    /<sheet name="daily_kpis" sheetId="1" .*<sheet name="calendar" sheetId="2"/,
  );
  expect(readSheet(files.get('xl/worksheets/sheet1.xml') ?? '')).toHaveLength(27);
  expect((await run(argv)).code).toBe(2);
  expect((await run([...argv, '--overwrite', '--changed'])).code).toBe(2);
});

it('answerlake export keeps a view apart from the table of the same name', async () => {
  const { folder, run } = await openSynced();
  const output = join(folder, 'lake');
  const exported = async (...argv: string[]): Promise<unknown> =>
    ((await run(['export', '--output', output, '--json', ...argv])).report as Changed).tables;
  expect(await exported('--table', 'models,core.models')).toMatchObject([
    { name: 'models', files_written: 1 },
    { name: 'core.models', files_written: 1 },
  ]);
  expect(await exported('--changed', '--table', 'core.models')).toMatchObject([
    { name: 'core.models', files_written: 0 },
  ]);
  expect(readdirSync(join(output, 'models'))).toHaveLength(1);
});

interface Exported {
  tables: { name: string; rows: number; files: number }[];
}

it.each(['main', 'detail'])(
  'answerlake export writes every view of %s so that Parquet says what the view says, without key and network',
  async (schema) => {
    const { folder, published, run } = await openSynced();
    const output = join(folder, 'lake');
    const { code, stderr, report } = await run(['export', '--output', output, '--schema', schema, '--json'], {
      env: {},
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { tables } = report as Exported;
    await using database = await openDatabase({ path: published, readOnly: true });
    const connection = await database.connect();
    const views = await connection.rows(
      `select view_name as name from duckdb_views() where schema_name = $1 and not internal order by 1`,
      [schema],
    );
    expect(tables.map(({ name }) => ({ name }))).toEqual(views);
    for (const { name } of tables) {
      // Sums of doubles depend on the order of their rows; the age goes on while the test runs.
      const list = await connection.value(
        z.string(),
        `select string_agg(if(column_type = 'DOUBLE', format('round("{0}", 9) as "{0}"', column_name), format('"{}"', column_name)), ', ')
       from (describe ${schema}.${name}) where column_name <> 'age_hours'`,
      );
      // Each is read once: binding a view of views costs more than its rows here.
      const copy = (as: string, from: string) =>
        connection.run(`create or replace temp table ${as} as select ${list ?? ''} from ${from}`);
      await copy('said', `${schema}.${name}`);
      await copy('written', `read_parquet('${output}/${name}/**/*.parquet')`);
      const [row] = await connection.rows(
        `select (select {rows: count(*), sum: sum(hash(t))} from written t)
            is not distinct from (select {rows: count(*), sum: sum(hash(t))} from said t) as same_rows,
          (select list(column_name || ' ' || column_type) from (describe written))
            = (select list(column_name || ' ' || column_type) from (describe said)) as same_columns`,
      );
      expect({ name, ...row }).toEqual({ name, same_rows: true, same_columns: true });
    }
  },
);
