import { readFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { archivePath, pruneRawArchive, RawArchive } from '../../src/load/raw-archive.ts';
import { dayOf } from '../../src/day.ts';
import { newRunId } from '../../src/load/load-run.ts';
import { inOrder, readAnswers } from '../../src/load/read-archive.ts';
import { answered, answerOf, FETCHED_AT, SYNC_DAY } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { openFolder } from '../support/folder.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

const VISIBILITY = answerOf('visibility', documentedBodies['visibility']);
/** The first line of a file. */
const HEADER = { warehouse: 'warehouse-1', run: 'run-1', sequence: 1, lookback_days: 7, is_witness: true };

const lines = (path: string): unknown[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** A warehouse with an archive; each answer is loaded as a batch. */
async function openArchived(dir = 'raw') {
  const file = await WarehouseFile.open();
  const archive = new RawArchive(join(file.folder, dir), FIRST_RUN);
  const load = async (...answers: (typeof VISIBILITY)[]) =>
    await (await file.loader({}, archive)).load(answers.map(answered));
  return { file, archive, load, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

test('the raw archive has a line for its run and one for every page, from which each answer is read again', async () => {
  const archive = new RawArchive(openFolder(), FIRST_RUN);
  const body = { prompts: [], total: 0, page: 1, size: 100, totalPages: 2 };
  const prompts = answerOf('prompts', null, { bodies: [body, body] });
  const answers = [VISIBILITY, prompts, { ...VISIBILITY, incomplete: '2 of 5 came' }];
  for (const answer of answers) archive.add(answer);
  await archive.flush();
  expect(archive.path).toMatch(/\/2026-03-10\/run-1\.ndjson\.gz$/);
  const [header, first, ...others] = lines(archive.path);
  expect(header).toEqual(HEADER);
  expect(Object.keys(first as object).join(' ')).toBe(
    'run run_started_at sync_day base_url accept_shrink account project endpoint scope scope_id grain window_kind window_start window_end asked_start asked_end limit requests asked_with page pages fetched_at status body',
  );
  const asked = { sync_day: '2026-03-10', window_start: '2026-03-02', asked_end: '2026-03-08' };
  expect(first).toMatchObject({ ...asked, fetched_at: '2026-03-10T02:03:04.567Z', status: 200 });
  const told = { endpoint: 'prompts', pages: 2, window_start: null };
  expect(others).toMatchObject([
    { ...told, page: 1 },
    { ...told, page: 2 },
    { page: 1, pages: 1 },
  ]);
  const read: unknown[] = [];
  for await (const { answer } of readAnswers(archive.path, () => undefined)) read.push(answer);
  expect(read).toEqual(answers);
});

test('the raw archive is read by DuckDB although every batch is a gzip member of its own', async () => {
  await using archived = await openArchived();
  const names = ['visibility', 'competitor_heatmap', 'events'];
  for (const name of names) await archived.load(answerOf(name, documentedBodies[name]));
  const rows = await archived.file.column(
    `select concat_ws(' ', endpoint, window_start, json_type(body))
       from read_json('${archived.archive.path}', format = 'newline_delimited', columns = {endpoint: 'varchar', window_start: 'date', body: 'json'})
       where endpoint is not null`,
  );
  expect(rows).toEqual([
    'visibility 2026-03-02 ARRAY',
    'competitor_heatmap 2026-03-02 OBJECT',
    'events 2026-03-02 OBJECT',
  ]);
});

test('the raw archive has an answer that is refused as a whole, so that it can be looked at', async () => {
  await using archived = await openArchived();
  const [entry] = await archived.load(answerOf('visibility', { odd: true }));
  expect(entry?.status).toBe('failed');
  expect(lines(archived.archive.path)).toMatchObject([HEADER, { body: { odd: true } }]);
});

test('an answer nested beyond the stack is archived without its deepest levels, loaded, and ends no run', async () => {
  await using opened = await openArchived();
  const { file, archive, load } = opened;
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  const points = [{ date: '2026-03-02', value: 1, deep }, { date: deep }];
  const entries = await load(answerOf('visibility', points), answerOf('prompts', deep), VISIBILITY);
  const statuses = entries.map(({ slice, status }) => `${slice.endpoint} ${status}`);
  expect(statuses.toSorted()).toEqual(['prompts failed', 'visibility loaded', 'visibility loaded']);
  expect(lines(archive.path)).toHaveLength(4);
  expect(await file.column('select path from meta.rejects')).toEqual(['[1]']);
});

test('the raw archive that cannot be written loads nothing', async () => {
  await using archived = await openArchived('answers.txt');
  mkdirSync(archived.archive.path, { recursive: true });
  await expect(archived.load(VISIBILITY)).rejects.toMatchObject({ class: 'storage', exitCode: 7 });
  expect(await archived.file.contents('visibility')).toEqual([]);
});

test('the raw archive can be read by its owner only', async () => {
  const dir = join(openFolder(), 'raw');
  const archive = new RawArchive(dir, FIRST_RUN);
  archive.add(VISIBILITY);
  await archive.flush();
  const modes = [dir, join(dir, SYNC_DAY), archive.path].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

/** Empty files in a folder. */
function lay(dir: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), '');
  }
}

test('the raw archive loses what runs wrote on days that are too old, and nothing of anybody else', async () => {
  const dir = join(openFolder(), 'raw');
  const old = '20260301T020000Z-0123abcd.ndjson.gz';
  const foreign = ['2026-01-02/bill.pdf', '2026-02-28/bill.pdf', `notes/${old}`, `2026-02-30/${old}`, old];
  const kept = [...foreign, '2026-01-03/20260302T020000Z-0123abcd.ndjson.gz'];
  const days = ['2026-02-27', '2026-02-28', '2027-01-01'];
  lay(dir, [...kept, ...days.map((day) => `${day}/${old}`)]);
  mkdirSync(join(dir, '2026-01-01'));
  const retention = { now: Date.parse('2026-03-12T01:00:00Z'), keepDays: 10, isAll: false };
  const nothing = { removed: [], kept: 0, failures: [] };
  // Age counts from the newest run before this one, and there is none yet.
  expect(await pruneRawArchive(dir, retention)).toEqual(nothing);
  lay(
    dir,
    ['01', '00'].map((hour) => `2026-03-12/20260312T${hour}0000Z-cccccccc.ndjson.gz`),
  );
  const removed = days.map((day) => join(dir, day, old));
  expect(await pruneRawArchive(dir, retention)).toEqual({ ...nothing, removed });
  rmSync(join(dir, '2026-03-12'), { recursive: true });
  const left = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = left.map(({ parentPath, name }) => relative(dir, join(parentPath, name)));
  expect(names.toSorted()).toEqual(kept.toSorted());
  expect(readdirSync(dir)).not.toContain('2026-02-27');
  expect(await pruneRawArchive(join(dir, 'none'), retention)).toEqual(nothing);
});

const onDay = (day: number): number => FETCHED_AT + day * 86_400_000;

/** An archive with one file a day. */
function dailyArchive(...days: readonly number[]): string {
  const dir = openFolder();
  const paths = days.map((day) => archivePath('', dayOf(onDay(day)), newRunId(onDay(day))));
  lay(dir, paths);
  return dir;
}

const range = (length: number): number[] => Array.from({ length }, (_, day) => day);

test('a clock that is wrong for one night removes nothing of the archive, and neither does the night after', async () => {
  const dir = dailyArchive(...range(30), 1_100);
  for (const day of [1_100, 30])
    expect(await pruneRawArchive(dir, { now: onDay(day), keepDays: 40, isAll: false })).toMatchObject({
      removed: [],
      kept: 0,
    });
});

test('a run removes a tenth of the archive at most, oldest first, unless it may remove all that is old', async () => {
  const dir = dailyArchive(...range(60));
  const retention = { now: onDay(59), keepDays: 10, isAll: false };
  const first = await pruneRawArchive(dir, retention);
  expect(first).toMatchObject({ kept: 42, failures: [] });
  const days = first.removed.map((path) => basename(dirname(path)));
  expect(days).toEqual(range(6).map((day) => dayOf(onDay(day))));
  const rest = await pruneRawArchive(dir, { ...retention, isAll: true });
  expect([rest.removed.length, rest.kept, readdirSync(dir).length]).toEqual([43, 0, 11]);
});

test('an archive of few days makes up for a missed night: the two oldest days may always go', async () => {
  const dir = dailyArchive(...range(8));
  const retention = { now: onDay(7), keepDays: 3, isAll: false };
  expect(await pruneRawArchive(dir, retention)).toMatchObject({ removed: { length: 2 }, kept: 1 });
  expect(await pruneRawArchive(dir, retention)).toMatchObject({ removed: { length: 1 }, kept: 0 });
});

test('runs are read in the order of their warehouse, whatever their clocks said', () => {
  const path = (runId: string, run: object) => ({ path: runId, run: { ...FIRST_RUN, runId, ...run } });
  const third = path('a', { sequence: 3, startedAt: 0 });
  const second = path('b', { sequence: 2, startedAt: 2 });
  const unread = { path: 'c', run: null };
  const first = path('d', { sequence: 1, startedAt: 3 });
  expect(inOrder([third, second, first, unread])).toEqual([unread, first, second, third]);
});
