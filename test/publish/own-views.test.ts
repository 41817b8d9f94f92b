import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { whyPublish } from '../../src/publish/compare.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { rowsOfFile } from '../support/file-reader.ts';
import { withWorkingFile, type WarehouseFiles } from './warehouse-files.ts';

/** Publishes with these views, by name. */
async function withViews(
  views: Readonly<Record<string, string>>,
  test: (files: WarehouseFiles & { viewsDir: string; warnings: readonly string[] }) => Promise<void>,
): Promise<void> {
  await withWorkingFile(async (files) => {
    const viewsDir = join(files.scratch.folder, 'views');
    mkdirSync(viewsDir);
    for (const [name, sql] of Object.entries(views)) writeFileSync(join(viewsDir, `${name}.sql`), sql);
    const { warnings } = await files.publish({ viewsDir });
    await test({ ...files, viewsDir, warnings });
  });
}

const REFUSED: readonly (readonly [name: string, sql: string, words: RegExp])[] = [
  ['no_column', 'select project_id,\n  visible from main.daily_kpis', /:2: .*"visible" not found/],
  ['a_file', "select * from '/etc/passwd'", /:1: .*does not exist/],
  ['reads', "select * from read_text('/etc/passwd')", /:1: .*calls read_text/],
  ['reads_later', "-- q\nselect * from sniff_csv('/etc/passwd')", /calls sniff_csv; a view may read only/],
  ['in_a_text', "select * from query('select 1')", /calls query/],
  ['elsewhere', 'select * from other.main.daily_kpis', /other/],
  ['two', 'select 1 as a; drop table core.visibility', /does not select; write one select/],
  ['two_selects', 'select 1 as a; select 2', /2 statements; write one select/],
  ['drops', 'drop table core.visibility', /write one select/],
  ['nothing', '-- nothing', /0 statements/],
  ['grammar', 'select 1 as a,\n\n from', /:3: the view was left out: syntax error/],
  [
    'same_name',
    'select 1 as a, 2 as b,\n 3 as "A"',
    /:2: the view was left out: two columns are called A; give one of them another name \(as NAME\)$/,
  ],
  ['same_star', 'select p.*,\n s.*\nfrom main.projects p, main.projects s', /:2: .*called project_id; give/],
  ['same_call', 'select max(date), max(date) from main.daily_kpis', /:1: .*are called max\(date\)/],
  ['itself', 'select * from own.itself', /itself does not exist/],
];

it('views are created whatever their order; one that fails or reaches out is left out with its line, and all else is published', async () => {
  const views = {
    above: '-- What stands above\n-- not this\nselect * from own.base where visibility > 0',
    base: `with daily as (select project_id, date as day, visibility, 2 * visibility as twice from main.daily_kpis)
select d.*, s.name, 1 as one from daily d join (select 'x' as name) s on true;`,
    ...Object.fromEntries(REFUSED.map(([name, sql]) => [name, sql])),
  };
  await withViews(views, async ({ target, warnings, connection }) => {
    for (const [name, , words] of REFUSED)
      expect(warnings.filter((text) => text.includes(`/${name}.sql:`))).toEqual([
        expect.stringMatching(words),
      ]);
    expect(warnings).toHaveLength(REFUSED.length);
    expect(await connection.rows('select count(*) as n from core.visibility')).toEqual([{ n: 1 }]);
    expect(await rowsOfFile(target, 'select day, visibility, twice, one from own.above')).toEqual([
      { day: '2025-06-01', visibility: 1, twice: 2, one: 1 },
    ]);
    const views = "select view_name, comment from duckdb_views() where schema_name = 'own' order by 1";
    expect((await rowsOfFile(target, views)).map((row) => Object.values(row))).toEqual([
      ['above', 'What stands above'],
      ['base', 'A view of your own: base.sql.'],
    ]);
    const columns =
      "select concat_ws('.', schema_name, table_name, column_name) as place, comment from duckdb_columns() where schema_name in ('own', 'main')";
    const rows = await rowsOfFile(target, columns);
    const comments = new Map(rows.map(({ place, comment }) => [place, comment]));
    const computed = 'Computed by a view of your own: unit, scale and whether it adds up are not known here.';
    for (const view of ['above', 'base']) {
      expect(comments.get(`own.${view}.day`)).toBe(comments.get('main.daily_kpis.date'));
      expect(comments.get(`own.${view}.visibility`)).toBe(comments.get('main.daily_kpis.visibility'));
      for (const column of ['twice', 'one', 'name'])
        expect(comments.get(`own.${view}.${column}`)).toBe(computed);
    }
  });
});

it('a view may call the table macro of the file', async () => {
  const periods =
    "select * from compare_periods('visibility', date '2025-06-01', date '2025-06-07', date '2025-05-25', date '2025-05-31')";
  await withViews({ periods }, async ({ target, warnings }) => {
    expect(warnings).toEqual([]);
    await rowsOfFile(target, 'from own.periods');
  });
});

it('another text publishes again, and so does the last view that goes', async () => {
  await withViews({ mine: 'select 1 as one' }, async ({ target: path, viewsDir, connection, publish }) => {
    const why = (): Promise<string | undefined> =>
      whyPublish(connection, { path, storageVersion: 'v1.0.0', viewsDir });
    expect(await why()).toBeUndefined();
    writeFileSync(join(viewsDir, 'mine.sql'), 'select 2 as one');
    expect(await why()).toBe('views of your own changed');
    await publish({ viewsDir });
    expect(await why()).toBeUndefined();
    await using file = await openPublishedFile(path);
    expect((await file.query('from own.mine')).rows).toEqual([[{ text: '2', json: '2' }]]);
    rmSync(viewsDir, { recursive: true });
    expect(await why()).toBe('views of your own changed');
  });
});
