import { cpSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messageOf } from '../../src/errors.ts';
import { openFolderTarget, type ExportTarget, writeExport } from '../../src/export/write-export.ts';
import { parseManifest, type ManifestFile, partFolder } from '../../src/export/export-tables.ts';
import { VIEW } from '../../src/publish/computed-views.ts';
import { readViewFiles } from '../../src/publish/published-file.ts';
import { openDatabase, openMemoryDatabase } from '../../src/warehouse/database.ts';
import { changeFile } from '../support/file-reader.ts';
import { openFolder } from '../support/folder.ts';

/** A file with one view of three projects and two months; each step of `change` leaves other rows. */
async function makeSource(path: string, change: string): Promise<void> {
  await using database = await openDatabase({ path });
  const connection = await database.connect();
  await connection.run(
    `create or replace table main.days as
     select 'p' || p as project_id, date '2025-01-30' + cast(d as integer) as date, d as figure
     from range(3) a(p), range(4) b(d) where ${change}`,
  );
}

/** The target, which the process that uses it can no longer change from one of its changes on. */
function endingBefore(target: ExportTarget, change: number): ExportTarget {
  let changes = 0;
  const counted =
    <Values extends unknown[]>(work: (...values: Values) => Promise<void>) =>
    async (...values: Values) => {
      changes += 1;
      if (change > 0 && changes >= change) throw new Error('killed');
      await work(...values);
    };
  const { write, take, remove } = target;
  return { ...target, write: counted(write), take: counted(take), remove: counted(remove) };
}

/** A source with rows, and the folder that they were exported to. */
async function openExport(change = 'true'): Promise<{ source: string; lake: string }> {
  const folder = openFolder();
  const [source, lake] = [join(folder, 'source.duckdb'), join(folder, 'deep', 'lake')];
  await makeSource(source, change);
  await exportTo(lake, source);
  return { source, lake };
}

async function exportTo(
  folder: string,
  source: string,
  {
    change = 0,
    isOurs = false,
    schema = 'main',
  }: { change?: number; isOurs?: boolean; schema?: 'main' | 'detail' } = {},
): Promise<boolean> {
  await using target = await openFolderTarget(folder);
  const order = {
    projectId: null,
    source,
    names: null,
    schema,
    partition: 'project-month',
    overwrite: false,
    changed: true,
    isOurs,
  } as const;
  const { signal } = new AbortController();
  try {
    await writeExport(endingBefore(target, change), { ...order, signal });
    return true;
  } catch (error) {
    if (messageOf(error) === 'killed') return false;
    throw error;
  }
}

function filesOf(folder: string, kind: ManifestFile['kind'] = 'file'): ManifestFile[] {
  const manifest = parseManifest(readFileSync(join(folder, 'manifest.ndjson'), 'utf8'));
  return (manifest?.files ?? []).filter((file) => file.kind === kind);
}

async function rowsOf(folder: string): Promise<unknown> {
  await using database = await openMemoryDatabase();
  const paths = filesOf(folder).map(({ path }) => `'${join(folder, path)}'`);
  return await (await database.connect()).rows(`from read_parquet([${paths.join(', ')}]) order by all`);
}

it('Two exports into one new folder at once, of the same process id, both end well and whole', async () => {
  const folder = openFolder();
  const [source, lake] = [join(folder, 'source.duckdb'), join(folder, 'lake')];
  await makeSource(source, 'true');
  expect(await Promise.all([exportTo(lake, source), exportTo(lake, source)])).toEqual([true, true]);
  expect(filesOf(lake).map(({ path }) => statSync(join(lake, path)).isFile())).toEqual(Array(6).fill(true));
  expect(await rowsOf(lake)).toHaveLength(12);
  expect(readdirSync(folder).sort()).toEqual(['lake', 'source.duckdb']);
});

it('An export says in its manifest which columns, files and rows it has, and which files went', async () => {
  const { source, lake } = await openExport();
  const first = readFileSync(join(lake, 'manifest.ndjson'), 'utf8').trimEnd().split('\n');
  expect(first.slice(0, 2).map((line) => JSON.parse(line) as unknown)).toEqual([
    { kind: 'export', version: 3 },
    {
      kind: 'table',
      table: 'days',
      partitions: ['project_id', 'month'],
      columns: [
        { name: 'project_id', type: 'VARCHAR' },
        { name: 'date', type: 'DATE' },
        { name: 'figure', type: 'BIGINT' },
      ],
    },
  ]);
  expect(filesOf(lake)).toHaveLength(6);
  expect(statSync(join(lake, 'manifest.ndjson')).mode & 0o777).toBe(0o666 & ~process.umask());
  for (const { path, rows, bytes } of filesOf(lake)) {
    expect({ rows, bytes }).toEqual({ rows: 2, bytes: statSync(join(lake, path)).size });
  }
  const before = filesOf(lake);
  await makeSource(source, 'p < 2 and not (p = 1 and d = 3)');
  await exportTo(lake, source);
  expect(filesOf(lake).map(({ rows }) => rows)).toEqual([2, 2, 2, 1]);
  const replaced = before.filter(({ path }) => filesOf(lake).every((file) => file.path !== path));
  expect(replaced).toHaveLength(3);
  expect(filesOf(lake, 'deleted')).toEqual(replaced.map((file) => ({ ...file, kind: 'deleted' })));
});

it('An export that is killed at any point leaves the last manifest true, and the next one tidies up', async () => {
  const folder = openFolder();
  const [old, recent] = [join(folder, 'old.duckdb'), join(folder, 'recent.duckdb')];
  await makeSource(old, 'true');
  await makeSource(recent, 'p > 0 and not (p = 1 and d = 3)');
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await exportTo(first, old);
  await exportTo(second, recent);
  const [before, after] = [await rowsOf(first), await rowsOf(second)];
  const seen = new Set<unknown>();
  for (let change = 1; ; change += 1) {
    const lake = join(folder, `lake-${change}`);
    cpSync(first, lake, { recursive: true });
    if (await exportTo(lake, recent, { change })) break;
    const rows = await rowsOf(lake);
    expect([before, after]).toContainEqual(rows);
    seen.add(JSON.stringify(rows));
    await exportTo(lake, old);
    expect(await rowsOf(lake)).toEqual(before);
    const lying = readdirSync(lake, { recursive: true, encoding: 'utf8' });
    expect(lying.filter((path) => path.endsWith('.parquet')).toSorted()).toEqual(
      filesOf(lake)
        .map(({ path }) => path)
        .toSorted(),
    );
  }
  expect(seen.size).toBe(2);
});

it('An export of a file that was not published again reads only what it lacks', async () => {
  const folder = openFolder();
  const [source, lake] = [join(folder, 'source.duckdb'), join(folder, 'lake')];
  await makeSource(source, 'true');
  const publishedAt = async (instant: string): Promise<void> =>
    changeFile(
      source,
      `create schema if not exists meta; create or replace table meta.settings as select 'published_at' as name, '${instant}' as value`,
    );
  const figures = async (): Promise<number> => {
    await exportTo(lake, source, { isOurs: true });
    return ((await rowsOf(lake)) as unknown[]).length;
  };
  await publishedAt('2025-03-05T02:17:00Z');
  expect(await figures()).toBe(12);
  // Nothing else writes into a published file: these rows show what is read.
  await makeSource(source, 'p < 2');
  expect(await figures()).toBe(12);
  await publishedAt('2025-03-06T02:17:00Z');
  expect(await figures()).toBe(8);
  await makeSource(source, 'p < 1');
  expect(await figures()).toBe(8);
  unlinkSync(join(lake, filesOf(lake)[0]?.path ?? ''));
  expect(await figures()).toBe(4);
  await changeFile(source, 'alter table main.days add column other integer');
  expect(await figures()).toBe(4);
  expect(filesOf(lake).every(({ rows }) => rows === 2)).toBe(true);
  // Views of `detail` have the names of those of `main`.
  await changeFile(source, 'create schema detail; create table detail.days as from main.days limit 1');
  await exportTo(lake, source, { isOurs: true, schema: 'detail' });
  expect(await rowsOf(lake)).toHaveLength(1);
});

it('No view but sync_freshness reads the clock: an export of the same file computes that one again', () => {
  const views = readViewFiles().flatMap(({ sql }) => [...sql.replaceAll(/--.*/g, '').matchAll(VIEW)]);
  const ofClock = views.filter(([, , query = '']) =>
    /\b(?:now|today|random|uuid)\(|\bcurrent_(?:date|time)/.test(query),
  );
  expect(ofClock.map(([, name]) => name)).toEqual(['main.sync_freshness']);
  const reading = views.filter(([, , query = '']) => query.includes('main.sync_freshness'));
  expect(reading.map(([, name]) => name)).toEqual([]);
});

it('An export of a table without rows is one file, which has its columns', async () => {
  const { lake } = await openExport('false');
  expect(filesOf(lake).map(({ path, rows }) => [path.split('/').length, rows])).toEqual([[2, 0]]);
  expect(await rowsOf(lake)).toEqual([]);
});

it('An export of every view that is brought up to date drops a view that is gone', async () => {
  const { source, lake } = await openExport();
  await changeFile(source, 'alter table main.days rename to nights');
  await exportTo(lake, source);
  expect(new Set(filesOf(lake).map(({ table }) => table))).toEqual(new Set(['nights']));
});

it('A value is escaped in the name of its folder; a long one is cut and stays unlike its siblings', () => {
  expect(['a/b=c d', null, '_007'].map(partFolder)).toEqual(['a%2Fb%3Dc%20d', 'null', '%5F007']);
  const [one = '', other] = ['a', 'b'].map((end) => partFolder(`${'é'.repeat(299)}${end}`));
  expect(one).not.toBe(other);
  expect(Buffer.byteLength(one)).toBeLessThan(200);
  expect(decodeURIComponent(one)).toMatch(/^é+~[0-9a-f]{16}$/);
});
