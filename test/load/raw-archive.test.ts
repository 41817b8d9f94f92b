import { readFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pruneRawArchive, RawArchive } from '../../src/load/raw-archive.ts';
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
  expect(await pruneRawArchive(dir, Date.parse('2026-03-12T01:00:00Z'), 10)).toEqual({
    removed,
    failures: [],
  });
  const left = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.map(({ parentPath, name }) => relative(dir, join(parentPath, name))).sort()).toEqual(
    [...kept, `2026-01-03/${young}`].sort(),
  );
  expect(readdirSync(dir)).not.toContain('2026-02-27');
  expect(await pruneRawArchive(join(file.folder, 'none'), FETCHED_AT, 10)).toEqual({
    removed: [],
    failures: [],
  });
});
