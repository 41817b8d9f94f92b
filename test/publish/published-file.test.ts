import { copyFileSync, renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { countStatements } from '../../src/warehouse/sql.ts';
import { withPublished } from './warehouse-files.ts';

const VALUES = [
  [`'a"b'`, 'a"b', '"a\\"b"'],
  ['null', null, 'null'],
  ['true', 'true', 'true'],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['1.50::decimal(4, 2)', '1.50', '1.50'],
  ['0.5::double', '0.5', '0.5'],
  [`'nan'::double`, 'NaN', '"NaN"'],
  [`date '2025-06-01'`, '2025-06-01', '"2025-06-01"'],
  [`['x', null]`, "['x', NULL]", '["x",null]'],
  [`{'a': 1, 'b': 'c'}`, "{'a': 1, 'b': 'c'}", '{"a":1,"b":"c"}'],
  [`map {'k': 2}`, "{'k': 2}", '{"k":2}'],
  ['union_value(n := 3)', '3', '3'],
] as const;

it('a query of the published file gives each value as text and as JSON, and as many rows as are wanted', async () => {
  await withPublished('', async ({ target }) => {
    await using file = await openPublishedFile(target);
    const { rows } = await file.query(`select ${VALUES.map(([sql]) => sql).join(', ')}`);
    expect(rows).toEqual([VALUES.map(([, text, json]) => ({ text, json }))]);
    // More than one part of the result.
    expect((await file.query('from range(5000)', 3000)).rows).toHaveLength(3000);
    await expect(file.query('select nothing')).rejects.toMatchObject({
      class: 'configuration',
      message: expect.stringContaining('The query failed'),
    });
    await expect(file.query(' ;')).rejects.toThrow('The SQL is empty');
    await expect(file.query('select 1; select 2')).rejects.toThrow('has 2 statements');
    const missing = openPublishedFile(`${target}.gone`);
    await expect(missing).rejects.toThrow('There is no published file');
  });
});

it.each([0, 100])('a query that is stopped after %i ms ends with the reason', async (afterMs) => {
  await withPublished('', async ({ target }) => {
    const abort = new AbortController();
    await using file = await openPublishedFile(target, { signal: abort.signal });
    if (afterMs === 0) abort.abort(new Error('stopped'));
    else setTimeout(() => abort.abort(new Error('stopped')), afterMs);
    const endless = 'select max(a.range + b.range) from range(1e7::bigint) a, range(1e7::bigint) b';
    await expect(file.query(endless)).rejects.toThrow('stopped');
  });
});

it.each([
  ['select 1', 1],
  ['select 1;', 1],
  ['select 1; -- and; no more', 1],
  ["select 'a;b', \"c;d\", e'it\\'s;', $$x;y$$, $t$z;$t$ /* ; */", 1],
  ['-- only a comment', 0],
  ['/* nothing; */ ;', 0],
  ["select 1; select ';'", 2],
])('%s holds %i statements', (sql, count) => {
  expect(countStatements(sql)).toBe(count);
});

it('a statement that DuckDB rewrites into two is one, and runs', async () => {
  await withPublished('', async ({ target }) => {
    await using file = await openPublishedFile(target);
    const rows = "(select * from (values (1, 'x', 3), (1, 'y', 4)) t (a, b, n))";
    const { columns, rows: found } = await file.query(`pivot ${rows} on b using avg(n) group by a`);
    expect(columns.map(({ name }) => name)).toEqual(['a', 'x', 'y']);
    expect(found.map((row) => row.map(({ text }) => text))).toEqual([['1', '3', '4']]);
    await expect(file.query('-- nothing')).rejects.toThrow('The SQL is empty');
  });
});

it.each([
  'delete from core.visibility',
  "copy core.visibility to 'x.csv'",
  "from read_csv('/etc/hosts')",
  "attach 'other.duckdb'",
  'set threads = 1',
])('what a query may not do is refused in our own words: %s', async (sql) => {
  await withPublished('', async ({ target }) => {
    await using file = await openPublishedFile(target);
    await expect(file.query(sql)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^A query only reads the published file/) as string,
    });
  });
});

it('questions of one process that overlap share one open file; a file published meanwhile is another', async () => {
  await withPublished('', async ({ target }) => {
    const folderOf = async (file: { query: typeof first.query }): Promise<string | null | undefined> =>
      (await file.query("select current_setting('temp_directory')")).rows[0]?.[0]?.text;
    const first = await openPublishedFile(target);
    const second = await openPublishedFile(target);
    expect(await folderOf(second)).toBe(await folderOf(first));
    await second[Symbol.asyncDispose]();
    copyFileSync(target, `${target}.new`);
    renameSync(`${target}.new`, target);
    await using third = await openPublishedFile(target);
    expect(await folderOf(third)).not.toBe(await folderOf(first));
    await first[Symbol.asyncDispose]();
    await expect(folderOf(third)).resolves.toContain('.tmp-');
  });
});
