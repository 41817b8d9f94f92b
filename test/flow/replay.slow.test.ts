import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { archiveFiles, archivePartPath, archiveTextsOf } from '../../src/load/raw-archive.ts';
import { readAnswers, type ReadAnswer } from '../../src/load/read-archive.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { toDay } from '../../src/day.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { closeWithoutCheckpoint } from '../support/without-checkpoint.ts';
import { openRig, SMALL, withKeys, type Rig } from './rig.ts';

const FEW_DAYS = { ...SMALL, startDate: '2026-07-10' } as const;
const VISIBILITY = { endpoints: ['visibility'] };
const PROMPTS = { endpoints: ['prompts'] };
const NIGHT_MS = 86_400_000;

/** Rewrites the lines of an archive file. */
function rewrite(path: string, change: (lines: string[]) => readonly string[]): void {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  writeFileSync(path, gzipSync(`${change(lines).join('\n')}\n`));
}

const refused = (message: RegExp | string) => ({
  exitCode: 7,
  message: expect.stringMatching(message) as unknown,
});

it('a replay rebuilds every core table, run and time of change included, without one request', async () => {
  await using rig = await openRig({ ...SMALL, world: 'hostile', startDate: '2026-06-20' });
  await rig.sync();
  const [project = ''] = rig.projectIds;
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.restate({ project, days: toDay('2026-07-12'), by: 0.3 });
  await rig.sync();
  await changeFile(
    workingPath(rig.config.warehouse.path),
    "insert into meta.alarms by name select '' as endpoint, 'gone' as project_id, 'project' as scope, 'gone' as scope_id, 'refused' as reason, date '2026-07-01' as first_on, 9 as days, date '2026-07-13' as last_on, date '2026-07-13' as asked_on",
  );
  const restatements = 'select * from meta.restatements order by all';
  const [before, restated] = [await rig.wholeHashes(), await rig.rows(restatements)];
  rig.simulator.resetRequests();
  const report = await replayArchive(rig.context, false);
  expect(report).toMatchObject({ runs: 2, slices_failed: 0, duration_ms: 0 });
  expect(rig.simulator.requests).toHaveLength(0);
  expect([await rig.wholeHashes(), await rig.rows(restatements)]).toEqual([before, restated]);
  expect(await rig.rows('select project_id as id from meta.alarms')).toEqual([{ id: 'gone' }]);
  const none = { exit_code: 0, rows_inserted: 0, rows_updated: 0, rows_deleted: 0 };
  expect(await rig.sync()).toMatchObject(none);
});

it('a damaged archive file replaces nothing and is named, unless the loss is allowed; a torn tail is left out', async () => {
  await using rig = await openRig(FEW_DAYS);
  const { raw_archive: archived } = await rig.sync();
  const path = archived ?? '';
  const whole = readFileSync(path);
  const before = await rig.wholeHashes();
  appendFileSync(path, Buffer.from('1f8b0800000000000003ab56ca48', 'hex'));
  await replayArchive(rig.context, false);
  expect(await rig.wholeHashes()).toEqual(before);
  const damages: readonly [damage: () => void, message: RegExp | string][] = [
    [() => writeFileSync(path, whole.subarray(0, Math.floor(whole.length * 0.6))), path],
    [() => rewrite(path, (lines) => lines.toSpliced(5, 1, 'no line')), path],
    [
      () =>
        rewrite(path, (lines) =>
          lines.map((line) => line.replace('"endpoint":"sentiment"', '"endpoint":"mood"')),
        ),
      / \d+ answers? of mood, an endpoint that no longer exists/,
    ],
  ];
  for (const [damage, message] of damages) {
    writeFileSync(path, whole);
    damage();
    await expect(replayArchive(rig.context, false)).rejects.toMatchObject(refused(message));
    expect(await rig.wholeHashes()).toEqual(before);
  }
  const { losses } = await replayArchive(rig.context, true);
  expect(losses).toEqual([expect.stringContaining('lacks'), expect.stringContaining('of mood')]);
  expect(await rig.workingRows('select * from core.sentiment')).toEqual([]);
});

it('a replay after both files were lost finds no gap, and removes what a killed replay left behind', async () => {
  await using rig = await openRig(FEW_DAYS);
  await rig.sync();
  const expected = 'select * from meta.expected_series order by all';
  const [before, wanted] = [await rig.wholeHashes(), await rig.rows(expected)];
  const { path } = rig.config.warehouse;
  for (const file of [path, workingPath(path)]) rmSync(file);
  const dead = join(dirname(path), '.replay-99999999');
  mkdirSync(dead);
  writeFileSync(join(dead, '.answers.work.duckdb'), 'half built');
  await replayArchive(rig.context, false);
  expect(existsSync(dead)).toBe(false);
  expect([await rig.wholeHashes(), await rig.rows(expected)]).toEqual([before, wanted]);
  expect(await rig.gaps()).toEqual([]);
});

it('a replay whose file is closed without a checkpoint, as on a full disk, leaves no row behind in its log', async () => {
  await using rig = await openRig(FEW_DAYS);
  await rig.sync();
  const before = await rig.wholeHashes();
  const { path } = rig.config.warehouse;
  for (const file of [path, workingPath(path)]) rmSync(file);
  closeWithoutCheckpoint();
  await replayArchive(rig.context, false);
  expect(await rig.wholeHashes()).toEqual(before);
});

it('a replay after both files were lost expects each series once where several accounts have all projects', async () => {
  const key = 'small-organization-key';
  await using rig = await openRig({ ...FEW_DAYS, change: withKeys({ one: key, two: key }) });
  const expected = 'select * from meta.expected_series order by all';
  await rig.sync();
  const before = await rig.rows(expected);
  rmSync(rig.config.warehouse.path, { force: true });
  rmSync(workingPath(rig.config.warehouse.path));
  await replayArchive(rig.context, false);
  expect(await rig.rows(expected)).toEqual(before);
});

it('a row that an older program refused is loaded by a replay of its archive', async () => {
  await using rig = await openRig(FEW_DAYS);
  const day = '2026-07-12';
  rig.alter('visibility-time-series', (body) =>
    (body as { date: string }[]).map(({ date }) => ({ date: date.replace(day, 'Sunday'), value: 60 })),
  );
  const { rows_rejected: rows, raw_archive: path } = await rig.sync(VISIBILITY);
  expect(rows).toBeGreaterThan(0);
  const stored = `select count(*)::integer as rows from core.visibility where date = date '${day}'`;
  expect(await rig.rows(stored)).toEqual([{ rows: 0 }]);
  // The archive as a newer program reads it: the text is a day.
  rewrite(path ?? '', (lines) => lines.map((line) => line.replaceAll('Sunday', day)));
  expect(await replayArchive(rig.context, false)).toMatchObject({ rows_rejected: 0 });
  expect(await rig.rows(stored)).toEqual([{ rows }]);
  expect(await rig.rows('select * from meta.rejects')).toEqual([]);
});

/** A night of everything and two of the prompts alone, whose ledger entries the next night replaces. */
async function threeNights(rig: Rig): Promise<string[]> {
  const files: string[] = [];
  const nights = { '2026-07-14': {}, '2026-07-15': PROMPTS, '2026-07-16': PROMPTS };
  for (const [night, request] of Object.entries(nights)) {
    files.push((await rig.night(night, request)).raw_archive ?? '');
    await rig.effects.sleep(NIGHT_MS);
  }
  return files;
}

it('a replay without the file of a run that later runs replaced is refused: only it has the snapshots', async () => {
  await using rig = await openRig(FEW_DAYS);
  const [, second = ''] = await threeNights(rig);
  const snapshots =
    'select date, count(*)::integer as prompts from core.prompt_snapshots group by 1 order by 1';
  const before = await rig.rows(snapshots);
  expect(before).toHaveLength(3);
  rmSync(second);
  const message = /20260715T\d+Z-\w+\.ndjson\.gz: lacks \d+ slices of/;
  await expect(replayArchive(rig.context, false)).rejects.toMatchObject(refused(message));
  expect(await rig.rows(snapshots)).toEqual(before);
  expect((await replayArchive(rig.context, true)).losses).toHaveLength(1);
  expect(await rig.rows(snapshots)).toHaveLength(2);
});

it('a replay does without files that are older than raw.keep_days', async () => {
  const change = (config: Rig['config']) => ({ ...config, raw: { ...config.raw, keepDays: 1 } });
  await using rig = await openRig({ ...FEW_DAYS, change });
  await threeNights(rig);
  await rig.effects.sleep(NIGHT_MS);
  await rig.night('2026-07-18', PROMPTS);
  // What the ledger still has of the first night is lost; that of the second night is no longer expected.
  const message = expect.not.stringContaining('2026-07-15') as unknown;
  await expect(replayArchive(rig.context, false)).rejects.toMatchObject({ message });
});

it('a replay keeps the newer of two answers that parts of one run have for a slice', async () => {
  await using rig = await openRig(FEW_DAYS);
  await rig.sync();
  const { dir } = rig.config.raw;
  const [{ path } = { path: '' }] = await archiveFiles(dir);
  const reads: ReadAnswer[] = [];
  for await (const read of readAnswers(path, () => undefined)) reads.push(read);
  rmSync(path);
  const isOf = ({ answer: { slice } }: ReadAnswer): boolean =>
    slice.endpoint === 'visibility' && slice.scope === 'project';
  const told = reads.find(isOf);
  if (told === undefined) throw new Error('nothing was archived');
  const changed = (value: number, later: number): ArchivedAnswer => ({
    ...told.answer,
    pages: told.answer.pages.map((page) => ({
      ...page,
      fetchedAt: page.fetchedAt + later,
      body: (page.body as { date: string }[]).map(({ date }) => ({ date, value })),
    })),
  });
  const others = reads.filter((read) => !isOf(read)).map(({ answer }) => answer);
  const parts = { 'r-a': [...others, changed(50, 1000)], 'r-b': [changed(10, 0)] };
  // The name of a part ends with a digest: the older answer comes last.
  for (const [name, of] of Object.entries(parts))
    writeFileSync(archivePartPath(dir, told.run, name), gzipSync([...archiveTextsOf(told.run, of)].join('')));
  await replayArchive(rig.context, false);
  const stored = "select distinct visibility from core.visibility where scope = 'project'";
  expect(await rig.workingRows(stored)).toEqual([{ visibility: 50 }]);
});
