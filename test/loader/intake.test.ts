import pLimit from 'p-limit';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { type FoundPart, landPart, MANIFEST_END, PART_END, partName } from '../../src/scale/landing/part.ts';
import { ZONE_FILE, type Zone } from '../../src/scale/landing/zone.ts';
import type { LoadRun } from '../../src/load/load-run.ts';
import { readAnswers } from '../../src/load/read-archive.ts';
import { archiveFiles } from '../../src/load/raw-archive.ts';
import { silentLog } from '../../src/log.ts';
import {
  batchesOf,
  type Intake,
  openIntake,
  takenNothing,
  type Taken,
} from '../../src/scale/loader/intake.ts';
import { realEffects } from '../../src/effects.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { toDay } from '../../src/day.ts';
import { PLAIN } from '../config/loaded.ts';
import { answerOf, days } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { newZone } from '../landing/zones.ts';
import { freshAnswers } from '../../src/load/ledger.ts';
import { enterKnownRun } from '../../src/run/run-record.ts';

const RUN: LoadRun = { ...FIRST_RUN, runId: '20260310T020000Z-aaaaaaaa' };
const LATER: LoadRun = {
  ...RUN,
  runId: '20260311T020000Z-bbbbbbbb',
  startedAt: RUN.startedAt + 86_400_000,
  syncDay: toDay('2026-03-11'),
  sequence: 2,
};

function visibility(run: LoadRun, window: [string, string], values: Record<string, number>): ArchivedAnswer {
  const { runId, startedAt, syncDay } = run;
  const body = Object.entries(values).map(([date, value]) => ({ date, value }));
  const answer = answerOf('visibility', body, { slice: { window: days(...window) } });
  const pages = answer.pages.map((page) => ({ ...page, fetchedAt: startedAt + 1_000 }));
  return { ...answer, runId, startedAt, syncDay, pages };
}

const FIRST = visibility(RUN, ['2026-03-02', '2026-03-08'], {
  '2026-03-02': 40,
  '2026-03-07': 41,
  '2026-03-08': 42,
});

/** Lands a part, and returns its name. */
async function land(
  zone: Zone,
  [run, round = '000001']: readonly [run: LoadRun, round?: string],
  ...answers: readonly ArchivedAnswer[]
): Promise<string> {
  const landed_at = new Date(0).toISOString();
  const facts = { version: '0.0.0', round, requests: answers.length, retries: 0, landed_at };
  return partName(await landPart(zone, { run, facts, answers }));
}

async function take(intake: Intake, start = ''): Promise<Taken> {
  const taken = takenNothing();
  await intake.take(start, () => taken);
  return taken;
}

async function openPlace() {
  const file = await WarehouseFile.open();
  const zone = await newZone('a folder');
  const config = { ...PLAIN, raw: { dir: `${file.folder}/raw`, keepDays: 400 } };
  const { signal } = new AbortController();
  const { connection } = file;
  const open = (effects = realEffects): Intake =>
    openIntake({ config, effects, log: silentLog, zone, connection, limitWrites: pLimit(1), signal });
  const intake = open();
  return {
    file,
    zone,
    open,
    intake,
    /** What is taken from the zone once a part is landed. */
    taken: async (run: readonly [LoadRun, string?], ...answers: readonly ArchivedAnswer[]) => {
      await land(zone, run, ...answers);
      return await take(intake);
    },
    /** Each row of a query as text. */
    rows: async (sql: string) =>
      (await connection.rows(sql)).map((row) => Object.values(row).map(String).join(' ')),
    rawDir: config.raw.dir,
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

const VALUES = 'select date, visibility from core.visibility order by 1';
const KEPT = ['2026-03-02 40', '2026-03-07 41', '2026-03-08 42'];

test('a part is loaded once, also under another name, with ledger, entry and answers in the raw archive', async () => {
  await using place = await openPlace();
  const name = await land(place.zone, [RUN], FIRST);
  const { results, requests } = await take(place.intake);
  expect([results.map(({ status }) => status), requests]).toEqual([['loaded'], 1]);
  expect((await take(place.intake)).results).toEqual([]);
  await land(place.zone, [RUN, '000002'], FIRST);
  const next = place.open();
  expect((await take(next)).results).toEqual([]);
  expect(next.counts()).toEqual({ parts_waiting: 0, parts_repeated: 1, parts_refused: 0 });
  expect(await place.rows('select name, answers, superseded from meta.parts')).toEqual([`${name} 1 0`]);
  expect(await place.rows(VALUES)).toEqual(KEPT);
  expect(await place.rows('select count(*) from meta.slices')).toEqual(['1']);
  const archived: ArchivedAnswer[] = [];
  for (const { path } of await archiveFiles(place.rawDir)) {
    for await (const { answer } of readAnswers(path, () => undefined)) archived.push(answer);
  }
  expect(archived).toEqual([FIRST]);
  await land(place.zone, [LATER], visibility(LATER, ['2026-03-09', '2026-03-09'], { '2026-03-09': 1 }));
  expect((await take(place.intake, dirname(name))).results).toEqual([]);
});

test('the intake removes a part, and its entry, a week after it was loaded', async () => {
  await using place = await openPlace();
  const name = await land(place.zone, [RUN], FIRST);
  await take(place.intake);
  await place.intake.prune();
  expect(await place.zone.list('')).toEqual([name + MANIFEST_END, name + PART_END, ZONE_FILE]);
  const laterMs = 9 * 86_400_000;
  await place.open({ ...realEffects, now: () => Date.now() + laterMs }).prune();
  expect(readdirSync(place.zone.place)).toEqual([ZONE_FILE]);
  expect(await place.rows('select name from meta.parts')).toEqual([]);
  expect(await place.rows(VALUES)).toEqual(KEPT);
});

test('the intake of parts reports a torn part once, loads its siblings, and loads it whole later', async () => {
  await using place = await openPlace();
  const torn = await land(place.zone, [RUN], FIRST);
  const body = (await place.zone.read(torn + PART_END)) ?? Buffer.alloc(0);
  await place.zone.write(torn + PART_END, body.subarray(0, 30));
  const sibling = visibility(RUN, ['2026-02-23', '2026-03-01'], { '2026-03-01': 39 });
  const { damages } = await place.taken([RUN, '000002'], sibling);
  expect(damages).toMatchObject([{ part: torn, damage: expect.stringMatching(/^it is torn/) }]);
  expect(await place.rows(VALUES)).toEqual(['2026-03-01 39']);
  expect((await take(place.intake)).damages).toEqual([]);
  await place.zone.write(torn + PART_END, body);
  expect((await take(place.open())).results).toHaveLength(1);
  expect(await place.rows(VALUES)).toEqual(['2026-03-01 39', ...KEPT]);
});

test('a slice that breaks the transaction of its parts is recorded as failed, and the others are loaded', async () => {
  await using place = await openPlace();
  const sentiment = { ...answerOf('sentiment', [{ date: '2026-03-03', value: 1 }]), runId: RUN.runId };
  await land(place.zone, [RUN], FIRST, sentiment);
  await place.file.connection.run('alter table core.sentiment drop column sentiment');
  const empty = visibility(RUN, ['2026-02-23', '2026-03-01'], {});
  const { results } = await place.taken([RUN, '000002'], empty);
  expect(results.map(({ slice, status }) => `${slice.endpoint} ${status}`).sort()).toEqual([
    'sentiment failed',
    'visibility empty',
    'visibility loaded',
  ]);
  expect(await place.rows('select answers from meta.parts order by name')).toEqual(['2', '1']);
});

test('the intake of parts takes a part without a manifest for one that is still being written', async () => {
  await using place = await openPlace();
  const name = await land(place.zone, [RUN], FIRST);
  await place.zone.remove(name + MANIFEST_END);
  expect(await take(place.intake)).toMatchObject({ results: [], damages: [] });
});

test('the intake of parts never lets an older run overwrite a newer one that was loaded before it', async () => {
  await using place = await openPlace();
  const newer = { '2026-03-07': 50, '2026-03-08': 51, '2026-03-09': 52 };
  await place.taken([LATER], visibility(LATER, ['2026-03-03', '2026-03-09'], newer));
  expect((await place.taken([RUN], FIRST)).results).toEqual([]);
  expect(await place.rows(VALUES)).toEqual(['2026-03-07 50', '2026-03-08 51', '2026-03-09 52']);
  expect(await place.rows('select superseded from meta.parts order by run_id')).toEqual(['1', '0']);
});

test('the intake of parts loads a late part of a window that moves, although its days overlap a later run', async () => {
  await using place = await openPlace();
  const summary = (run: LoadRun, window: [string, string], totalResponses: number): ArchivedAnswer => {
    const { runId, startedAt, syncDay } = run;
    const body = { totalResponses, totalBrandMentions: 1, brandMentionRate: 0.1 };
    const slice = { windowKind: 'last_7_days', window: days(...window) } as const;
    return { ...answerOf('response_summary', body, { slice }), runId, startedAt, syncDay };
  };
  await place.taken([LATER], summary(LATER, ['2026-03-04', '2026-03-10'], 71));
  await place.taken([RUN], summary(RUN, ['2026-03-03', '2026-03-09'], 70));
  expect(
    await place.rows('select window_start, total_responses from core.response_summary order by 1'),
  ).toEqual(['2026-03-03 70', '2026-03-04 71']);
});

test('parts share a transaction up to 64 or 2 MiB, if they are of one run and have no common slice', () => {
  const part = (name: string, run = 'run', bytes = 1): FoundPart => {
    return { name, manifest: { run, bytes, slices: [name] } as FoundPart['manifest'] };
  };
  const sizes = (parts: FoundPart[]): number[] => batchesOf(parts).map((batch) => batch.length);
  expect(sizes([])).toEqual([]);
  expect(sizes([part('a'), part('b'), part('a'), part('c', 'next'), part('d', 'next')])).toEqual([2, 1, 2]);
  const half = 1_048_576;
  expect(sizes([part('a', 'run', half), part('b', 'run', half), part('c')])).toEqual([2, 1]);
  expect(sizes(Array.from({ length: 65 }, (_, index) => part(String(index))))).toEqual([64, 1]);
});

const HOUR = 3_600_000;
const START = FIRST_RUN.startedAt;
/** The loader whose clock ran ahead gave it an id of the future. */
const AHEAD = { ...RUN, runId: '20260312T080000Z-cccccccc', startedAt: START + 54 * HOUR };
const BEFORE = { ...AHEAD, runId: '20260313T080000Z-dddddddd', sequence: 0 };

/** Requests that every night repeats: lists, and a month that is not over. */
function nightOf(run: LoadRun, fetchedAt: number): ArchivedAnswer[] {
  const month = { windowKind: 'month', window: days('2026-03-01', run.syncDay) } as const;
  const summary = { totalResponses: 70, totalBrandMentions: 7, brandMentionRate: 10 };
  return [
    answerOf('prompts', { prompts: [], total: 0, totalPages: 1 }),
    answerOf('response_summary', summary, { slice: month }),
  ].map((answer) => ({ ...answer, ...run, pages: answer.pages.map((page) => ({ ...page, fetchedAt })) }));
}

const OF_LATER = nightOf(LATER, LATER.startedAt + 1_000);
const lateOf = (run: LoadRun, known: LoadRun, fetchedAt: number): ArchivedAnswer[] =>
  nightOf({ ...run, syncDay: known.syncDay }, fetchedAt);

test.each<[string, [LoadRun, ArchivedAnswer[]][], [LoadRun, ArchivedAnswer[]], number[]]>([
  [
    'a worker whose clock ran 30 hours ahead leaves no answers that overtake those of the next night',
    [[RUN, nightOf(RUN, START + 30 * HOUR)]],
    [LATER, OF_LATER],
    [],
  ],
  [
    'a worker whose clock is 30 hours behind does not bring answers of an earlier night back',
    [[LATER, nightOf(LATER, LATER.startedAt - 30 * HOUR)]],
    [RUN, lateOf(RUN, LATER, START + 1_000)],
    [0, 1],
  ],
  [
    'a loader whose clock ran ahead gave its run an id of the future, which overtakes no later run',
    [
      [AHEAD, nightOf(AHEAD, START)],
      [LATER, []],
    ],
    [LATER, OF_LATER],
    [],
  ],
  [
    'a part of a run that is not entered yet is ordered by the sequence of the run, not by its clock',
    [[AHEAD, nightOf(AHEAD, START)]],
    [BEFORE, lateOf(BEFORE, AHEAD, AHEAD.startedAt + HOUR)],
    [0, 1],
  ],
  [
    'of two answers of one run the one that was fetched last stays',
    [[RUN, nightOf(RUN, START + 2_000)]],
    [RUN, [...nightOf(RUN, START + 1_000), ...nightOf(RUN, START + 3_000)]],
    [0, 1],
  ],
])('%s', async (...[_title, entered, [run, arriving], superseded]) => {
  await using file = await WarehouseFile.open();
  for (const [known, answers] of entered) {
    await enterKnownRun(file.connection, known, { status: 'ok', version: '0.0.0', message: '' });
    await file.load(answers, known);
  }
  const fresh = arriving.filter((_, index) => !superseded.includes(index));
  expect(await freshAnswers(file.connection, arriving, run)).toEqual(fresh);
});
