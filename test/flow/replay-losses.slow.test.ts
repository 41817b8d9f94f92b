import { rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { archiveFiles, archivePartPath, archiveTextsOf } from '../../src/load/raw-archive.ts';
import { readAnswers, type ReadAnswer } from '../../src/load/read-archive.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { openRig, type Rig } from './rig.ts';

const SNAPSHOTS =
  'select date, count(*)::integer as prompts from core.prompt_snapshots group by 1 order by 1';

/** A night of everything and two of the prompts alone, whose ledger entries the next night replaces. */
async function threeNights(rig: Rig): Promise<string[]> {
  const files: string[] = [];
  for (const [night, endpoints] of [
    ['2026-07-14', null],
    ['2026-07-15', ['prompts']],
    ['2026-07-16', ['prompts']],
  ] as const) {
    rig.simulator.setToday(toDay(night));
    files.push((await rig.sync(endpoints === null ? {} : { endpoints: [...endpoints] })).raw_archive ?? '');
    await rig.effects.sleep(86_400_000);
  }
  return files;
}

it('a replay without the file of a run that later runs replaced is refused: only it has the snapshots', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const [, second = ''] = await threeNights(rig);
  const before = await rig.rows(SNAPSHOTS);
  expect(before).toHaveLength(3);
  rmSync(second);
  await expect(replayArchive(rig.context, false)).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringMatching(/20260715T\d+Z-\w+\.ndjson\.gz: lacks \d+ slices of/),
  });
  expect(await rig.rows(SNAPSHOTS)).toEqual(before);
  expect((await replayArchive(rig.context, true)).losses).toHaveLength(1);
  expect(await rig.rows(SNAPSHOTS)).toHaveLength(2);
});

it('a replay does without files that are older than raw.keep_days', async () => {
  await using rig = await openRig({
    world: 'small',
    today: '2026-07-14',
    startDate: '2026-07-10',
    change: (config) => ({ ...config, raw: { ...config.raw, keepDays: 1 } }),
  });
  await threeNights(rig);
  await rig.effects.sleep(86_400_000);
  rig.simulator.setToday(toDay('2026-07-18'));
  await rig.sync({ endpoints: ['prompts'] });
  await expect(replayArchive(rig.context, false)).rejects.toMatchObject({
    // What the ledger still has of the first night is lost; that of the second night is no longer expected.
    message: expect.not.stringContaining('2026-07-15'),
  });
});

it('a replay keeps the newer of two answers that parts of one run have for a slice', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  await rig.sync();
  const [file] = await archiveFiles(rig.config.raw.dir);
  const reads: ReadAnswer[] = [];
  for await (const read of readAnswers(file?.path ?? '', () => undefined)) reads.push(read);
  rmSync(file?.path ?? '');
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
  // The name of a part ends with a digest: the older answer comes last.
  for (const [name, answers] of [
    ['r-a', [...others, changed(50, 1000)]],
    ['r-b', [changed(10, 0)]],
  ] as const) {
    writeFileSync(
      archivePartPath(rig.config.raw.dir, told.run, name),
      gzipSync([...archiveTextsOf(told.run, answers)].join('')),
    );
  }
  await replayArchive(rig.context, false);
  expect(
    await rig.workingRows("select distinct visibility from core.visibility where scope = 'project'"),
  ).toEqual([{ visibility: 50 }]);
});
