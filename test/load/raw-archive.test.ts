import { readFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { archivePath, pruneRawArchive, RawArchive } from '../../src/load/raw-archive.ts';
import { dayOf } from '../../src/day.ts';
import { newRunId } from '../../src/load/load-run.ts';
import { readAnswers } from '../../src/load/read-archive.ts';
import { answerOf, FETCHED_AT, SYNC_DAY } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

const lines = (path: string): Record<string, unknown>[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** The first line of a file. */
const HEADER = { warehouse: 'warehouse-1', run: 'run-1', sequence: 1, lookback_days: 7, is_witness: true };

const archiveIn = (dir: string): RawArchive => new RawArchive(dir, FIRST_RUN);

test('the raw archive has a line for its run and one for every page, with everything that a replay needs', async () => {
  await using file = await WarehouseFile.open();
  const archive = archiveIn(join(file.folder, 'raw'));
  const body = { prompts: [], total: 0, page: 1, size: 100, totalPages: 2 };
  await (
    await file.loader({}, archive)
  ).load([
    { kind: 'answered', answer: answerOf('visibility', documentedBodies['visibility']) },
    { kind: 'answered', answer: answerOf('prompts', null, { bodies: [body, body] }) },
  ]);
  expect(archive.path).toBe(join(file.folder, 'raw', '2026-03-10', 'run-1.ndjson.gz'));
  expect(lines(archive.path)).toEqual([
    HEADER,
    {
      run: 'run-1',
      run_started_at: '2026-03-10T02:00:00.000Z',
      sync_day: '2026-03-10',
      base_url: 'http://127.0.0.1',
      accept_shrink: false,
      account: 'acme',
      project: 'project-1',
      endpoint: 'visibility',
      scope: 'project',
      scope_id: 'project-1',
      grain: 'day',
      window_kind: null,
      window_start: '2026-03-02',
      window_end: '2026-03-08',
      asked_start: '2026-03-02',
      asked_end: '2026-03-08',
      limit: null,
      requests: 1,
      asked_with: 'today',
      page: 1,
      pages: 1,
      fetched_at: '2026-03-10T02:03:04.567Z',
      status: 200,
      body: documentedBodies['visibility'],
    },
    expect.objectContaining({ endpoint: 'prompts', page: 1, pages: 2, window_start: null }),
    expect.objectContaining({ endpoint: 'prompts', page: 2, pages: 2, window_start: null }),
  ]);
});

test('the raw archive keeps the reason why an answer is incomplete; a whole answer has none', async () => {
  await using file = await WarehouseFile.open();
  const archive = archiveIn(join(file.folder, 'raw'));
  const whole = answerOf('visibility', documentedBodies['visibility']);
  archive.add({ ...whole, incomplete: '2 of 5 came' });
  archive.add(whole);
  await archive.flush();
  const read: (string | undefined)[] = [];
  for await (const { answer } of readAnswers(archive.path, () => undefined)) read.push(answer.incomplete);
  expect(read).toEqual(['2 of 5 came', undefined]);
});

test('the raw archive is read by DuckDB although every batch is a gzip member of its own', async () => {
  await using file = await WarehouseFile.open();
  const archive = archiveIn(join(file.folder, 'raw'));
  for (const name of ['visibility', 'competitor_heatmap', 'events']) {
    await (
      await file.loader({}, archive)
    ).load([{ kind: 'answered', answer: answerOf(name, documentedBodies[name]) }]);
  }
  const rows = await file.rows(
    `select endpoint, window_start::varchar as start, json_type(body) as body
       from read_json('${archive.path}', format = 'newline_delimited', columns = {endpoint: 'varchar', window_start: 'date', body: 'json'})
       where endpoint is not null`,
  );
  expect(rows).toEqual([
    { endpoint: 'visibility', start: '2026-03-02', body: 'ARRAY' },
    { endpoint: 'competitor_heatmap', start: '2026-03-02', body: 'OBJECT' },
    { endpoint: 'events', start: '2026-03-02', body: 'OBJECT' },
  ]);
});

test('the raw archive has an answer that is refused as a whole, so that it can be looked at', async () => {
  await using file = await WarehouseFile.open();
  const archive = archiveIn(join(file.folder, 'raw'));
  const [entry] = await (
    await file.loader({}, archive)
  ).load([{ kind: 'answered', answer: answerOf('visibility', { odd: true }) }]);
  expect(entry?.status).toBe('failed');
  expect(lines(archive.path)).toMatchObject([HEADER, { body: { odd: true } }]);
});

test('the raw archive that cannot be written loads nothing', async () => {
  await using file = await WarehouseFile.open();
  const archive = archiveIn(join(file.folder, 'answers.txt'));
  mkdirSync(archive.path, { recursive: true });
  const answer = answerOf('visibility', documentedBodies['visibility']);
  await expect((await file.loader({}, archive)).load([{ kind: 'answered', answer }])).rejects.toMatchObject({
    class: 'storage',
    exitCode: 7,
  });
  expect(await file.contents('visibility')).toEqual([]);
});

test('the raw archive can be read by its owner only', async () => {
  await using file = await WarehouseFile.open();
  const dir = join(file.folder, 'raw');
  const archive = archiveIn(dir);
  archive.add(answerOf('visibility', documentedBodies['visibility']));
  await archive.flush();
  const modes = [dir, join(dir, SYNC_DAY), archive.path].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

test('the raw archive loses what runs wrote on days that are too old, and nothing of anybody else', async () => {
  await using file = await WarehouseFile.open();
  const dir = join(file.folder, 'raw');
  const old = '20260301T020000Z-0123abcd.ndjson.gz';
  const young = '20260302T020000Z-0123abcd.ndjson.gz';
  const lay = (...names: string[]): void => {
    for (const name of names) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), '');
    }
  };
  const kept = [
    '2026-01-02/invoices.pdf',
    '2026-02-28/invoices.pdf',
    `notes/${old}`,
    `2026-02-30/${old}`,
    old,
  ];
  lay(...kept, `2026-01-03/${young}`, `2026-02-27/${old}`, `2026-02-28/${old}`, `2027-01-01/${old}`);
  mkdirSync(join(dir, '2026-01-01'));
  const removed = ['2026-02-27', '2026-02-28', '2027-01-01'].map((day) => join(dir, day, old));
  const retention = { now: Date.parse('2026-03-12T01:00:00Z'), keepDays: 10, isAll: false };
  // Age counts from the newest run before this one, and there is none yet.
  expect(await pruneRawArchive(dir, retention)).toEqual({ removed: [], kept: 0, failures: [] });
  const newest = '2026-03-12/20260312T010000Z-cccccccc.ndjson.gz';
  lay(newest, '2026-03-12/20260312T000000Z-cccccccc.ndjson.gz');
  expect(await pruneRawArchive(dir, retention)).toEqual({ removed, kept: 0, failures: [] });
  rmSync(join(dir, '2026-03-12'), { recursive: true });
  const left = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.map(({ parentPath, name }) => relative(dir, join(parentPath, name))).sort()).toEqual(
    [...kept, `2026-01-03/${young}`].sort(),
  );
  expect(readdirSync(dir)).not.toContain('2026-02-27');
  expect(await pruneRawArchive(join(file.folder, 'none'), retention)).toEqual({
    removed: [],
    kept: 0,
    failures: [],
  });
});

const DAY_MS = 86_400_000;

/** An archive with one file a day. */
async function dailyArchive(folder: string, days: number): Promise<string> {
  for (let day = 0; day < days; day += 1) {
    const startedAt = FETCHED_AT + day * DAY_MS;
    const path = archivePath(folder, dayOf(startedAt), newRunId(startedAt));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  return folder;
}

test('a clock that is wrong for one night removes nothing of the archive, and neither does the night after', async () => {
  await using file = await WarehouseFile.open();
  const dir = await dailyArchive(join(file.folder, 'raw'), 30);
  const ahead = FETCHED_AT + 1_100 * DAY_MS;
  const path = archivePath(dir, dayOf(ahead), newRunId(ahead));
  mkdirSync(dirname(path));
  writeFileSync(path, '');
  const retention = { keepDays: 40, isAll: false };
  expect(await pruneRawArchive(dir, { ...retention, now: ahead })).toMatchObject({ removed: [], kept: 0 });
  const next = FETCHED_AT + 30 * DAY_MS;
  expect(await pruneRawArchive(dir, { ...retention, now: next })).toMatchObject({ removed: [], kept: 0 });
});

test('a run removes a tenth of the archive at most, oldest first, unless it may remove all that is old', async () => {
  await using file = await WarehouseFile.open();
  const dir = await dailyArchive(join(file.folder, 'raw'), 60);
  const retention = { now: FETCHED_AT + 59 * DAY_MS, keepDays: 10, isAll: false };
  const first = await pruneRawArchive(dir, retention);
  expect(first).toMatchObject({ kept: 42, failures: [] });
  expect(first.removed.map((path) => basename(dirname(path)))).toEqual(
    [0, 1, 2, 3, 4, 5].map((day) => dayOf(FETCHED_AT + day * DAY_MS)),
  );
  const rest = await pruneRawArchive(dir, { ...retention, isAll: true });
  expect([rest.removed.length, rest.kept]).toEqual([43, 0]);
  expect(readdirSync(dir)).toHaveLength(11);
});

test('an archive of few days makes up for a missed night: the two oldest days may always go', async () => {
  await using file = await WarehouseFile.open();
  const dir = await dailyArchive(join(file.folder, 'raw'), 8);
  const retention = { now: FETCHED_AT + 7 * DAY_MS, keepDays: 3, isAll: false };
  expect(await pruneRawArchive(dir, retention)).toMatchObject({ removed: { length: 2 }, kept: 1 });
  expect(await pruneRawArchive(dir, retention)).toMatchObject({ removed: { length: 1 }, kept: 0 });
});
