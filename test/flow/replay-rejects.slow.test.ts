import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { LoadRun } from '../../src/load/load-run.ts';
import { archiveFiles, archivePartPath, archiveTextsOf } from '../../src/load/raw-archive.ts';
import { readAnswers } from '../../src/load/read-archive.ts';
import { replayRejects } from '../../src/replay/replay-rejects.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig, type Rig } from './rig.ts';

it('a refused row that the program still refuses stays open', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  rig.simulator.override('visibility-time-series', (_, answer) => {
    const points = (answer.body as { date: string; value: unknown }[]).map((point) =>
      point.date === '2026-07-12' ? { ...point, value: 'high' } : point,
    );
    return { ...answer, body: points };
  });
  const first = await rig.sync();
  expect(first.rows_rejected).toBeGreaterThan(0);
  const refused = await rig.rows('select path, reason from meta.rejects');
  expect(refused[0]).toMatchObject({ path: '[2]', reason: expect.stringContaining('value') });
  const report = await replayRejects(rig.context);
  const { length } = refused;
  expect(report).toMatchObject({ open: length, loaded: 0, superseded: 0, still_refused: length });
});

/** As an older program would have left it: refused then, while the archive holds what is fine today. */
async function refuseLater(rig: Rig, runId: string): Promise<void> {
  const path = workingPath(rig.config.warehouse.path);
  await using database = await openDatabase({ path });
  const connection = await database.connect();
  await connection.run("delete from core.visibility where date = date '2026-07-12' and scope = 'project'");
  await connection.run(
    `insert into meta.rejects (endpoint, project_id, scope, scope_id, grain, window_start, window_end, path, reason, row, run_id, rejected_at)
     select endpoint, project_id, scope, scope_id, grain, window_start, window_end, '[2]', 'too strict', '{}', run_id, fetched_at
     from meta.slices where endpoint = 'visibility' and scope = 'project' and run_id = $1`,
    [runId],
  );
}

it('a refused row that a newer program accepts is loaded from the archive, once', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const run = await rig.sync();
  const before = await rig.rows("select * from core.visibility where scope = 'project' order by date");
  await refuseLater(rig, run.run_id);
  expect(await replayRejects(rig.context)).toMatchObject({ open: 1, loaded: 1, still_refused: 0 });
  expect(await rig.rows("select * from core.visibility where scope = 'project' order by date")).toEqual(
    before,
  );
  expect(await replayRejects(rig.context)).toMatchObject({ open: 0, loaded: 0 });
});

it('a refused row is found in any file of the archive: the loader of a queue writes one for each part', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const run = await rig.sync();
  const [file] = await archiveFiles(rig.config.raw.dir);
  const [first, second]: [ArchivedAnswer[], ArchivedAnswer[]] = [[], []];
  const runs: LoadRun[] = [];
  for await (const read of readAnswers(file?.path ?? '', () => undefined)) {
    (read.answer.slice.endpoint === 'visibility' ? second : first).push(read.answer);
    runs.push(read.run);
  }
  rmSync(file?.path ?? '');
  const [known] = runs;
  if (known === undefined) throw new Error('the archive is empty');
  for (const [place, answers] of [first, second].entries()) {
    const path = archivePartPath(rig.config.raw.dir, known, `00000${String(place)}-abc`);
    writeFileSync(path, gzipSync([...archiveTextsOf(known, answers)].join('')));
  }
  await refuseLater(rig, run.run_id);
  expect(await replayRejects(rig.context)).toMatchObject({ open: 1, loaded: 1, not_archived: 0 });
});

it('a refused row that a newer answer covers is left to that answer', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const run = await rig.sync();
  rig.simulator.setToday(toDay('2026-07-15'));
  await rig.effects.sleep(86_400_000);
  await rig.sync();
  await refuseLater(rig, run.run_id);
  expect(await replayRejects(rig.context)).toMatchObject({ open: 1, loaded: 0, superseded: 1 });
  expect(
    await rig.workingRows(
      "select * from core.visibility where date = date '2026-07-12' and scope = 'project'",
    ),
  ).toEqual([]);
});

/** The archive as a newer program reads it: what was refused as text is a number. */
async function acceptTexts(rig: Rig): Promise<void> {
  for (const { path } of await archiveFiles(rig.config.raw.dir)) {
    const text = gunzipSync(readFileSync(path)).toString();
    writeFileSync(path, gzipSync(text.replaceAll(/"(value|averageVisibility)":"(\d+)"/g, '"$1":$2')));
  }
}

/** The figure of every day, and days whose figure comes as text. */
function tell(rig: Rig, value: number, texts: readonly string[]): void {
  rig.simulator.override('visibility-time-series', (_, answer) => {
    const points = (answer.body as { date: string }[]).map(({ date }) => ({
      date,
      value: texts.includes(date) ? String(value) : value,
    }));
    return { ...answer, body: points };
  });
}

const TOLD =
  "select date, visibility from core.visibility where scope = 'project' and date >= '2026-07-12' order by 1";

it('a refused row does not replace the newer value of its day, even beside another refused row', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  tell(rig, 12, ['2026-07-12']);
  await rig.sync();
  rig.simulator.setToday(toDay('2026-07-15'));
  await rig.effects.sleep(86_400_000);
  tell(rig, 60, ['2026-07-13']);
  await rig.sync();
  await acceptTexts(rig);
  await replayRejects(rig.context);
  expect(await rig.workingRows(TOLD)).toEqual(
    ['2026-07-12', '2026-07-13', '2026-07-14', '2026-07-15'].map((date) => ({ date, visibility: 60 })),
  );
});

it('a refused row is not loaded over a newer value whose entry in the ledger a failure has replaced', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  tell(rig, 12, ['2026-07-12']);
  await rig.sync();
  await rig.effects.sleep(3_600_000);
  tell(rig, 60, []);
  await rig.sync();
  await rig.effects.sleep(3_600_000);
  rig.simulator.override('visibility-time-series', () => ({ status: 400, body: { error: 'no' } }));
  await rig.sync();
  await acceptTexts(rig);
  expect(await replayRejects(rig.context)).toMatchObject({ loaded: 0 });
  expect(await rig.workingRows(TOLD)).toEqual(
    ['2026-07-12', '2026-07-13', '2026-07-14'].map((date) => ({ date, visibility: 60 })),
  );
});

it('a refused row that a newer answer lacks is gone on the days that this answer has, and no others', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const point = (brand: string, day: number, averageVisibility: unknown) => ({
    date: `2026-07-${String(day)}`,
    brand: { id: brand, name: brand, domain: `${brand}.example`, relation: 'OTHER' },
    averageVisibility,
    mentionCount: 1,
    totalResponses: 2,
    visibilityPercentage: 50,
  });
  const sync = async (points: readonly object[]): Promise<void> => {
    rig.simulator.override('visibility-over-time', [...points]);
    await rig.sync({ endpoints: ['brand_visibility'] });
    await rig.effects.sleep(3_600_000);
  };
  const refused = [10, 11, 12, 13, 14].flatMap((day) => [point('kept', day, 1), point('lost', day, '2')]);
  await sync(refused);
  await sync([...[11, 12, 13].map((day) => point('kept', day, 3)), point('lost', 12, 3)]);
  // An answer without a row shows nothing.
  await sync([]);
  await acceptTexts(rig);
  expect(await replayRejects(rig.context)).toMatchObject({ open: 5, still_refused: 0, not_archived: 0 });
  expect(
    await rig.workingRows("select date from core.brand_visibility where brand_id = 'lost' order by 1"),
  ).toEqual([{ date: '2026-07-10' }, { date: '2026-07-12' }, { date: '2026-07-14' }]);
});
