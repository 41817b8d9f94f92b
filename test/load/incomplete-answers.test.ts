import { expect, test } from 'vitest';
import { addDays, type Grain } from '../../src/day.ts';
import type { Coverage } from '../../src/plan/coverage.ts';
import { settleAlarms } from '../../src/run/alarms.ts';
import { readCoverage } from '../../src/run/read-coverage.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { CATALOGUE } from '../support/catalogue.ts';
import { answerOf, days, SYNC_DAY, sliceOf, WEEK } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { byDefault } from '../plan/input.ts';
import { promptList, week } from './lists.ts';

const MISSING = 'the list states a total of 5, and 1 came';

test('an incomplete list adds what it has, is no witness and names the missing pages', async () => {
  await using file = await WarehouseFile.open();
  const list = (...ids: readonly string[]) => promptList(...ids.map((id) => ({ id })));
  const present = 'select prompt_id from core.prompts where removed_at is null order by 1';
  const ledger = 'select status, truncated, error_class as class from meta.slices';
  await file.answered(1, list('a', 'b'));
  const entry = await file.answered(2, { ...list('c'), incomplete: MISSING });
  expect(entry.failure).toMatchObject({ alarm: 'incomplete', message: expect.stringContaining(MISSING) });
  expect(await file.column(present)).toEqual(['a', 'b', 'c']);
  expect(await file.rows(ledger)).toEqual([{ status: 'truncated', truncated: true, class: 'contract' }]);
  await file.answered(3, list('a', 'c'));
  expect(await file.column(present)).toEqual(['a', 'b', 'c']);
  await file.answered(4, list('a', 'c'));
  expect(await file.column(present)).toEqual(['a', 'c']);
  expect(await file.rows(ledger)).toEqual([{ status: 'loaded', truncated: false, class: null }]);
});

const QUESTION = { range: WEEK, lookbackDays: 0, chain: [], chainOnly: false, asksForOld: false, asked: [] };

async function coverageOf(file: WarehouseFile, endpoint: string, lookbackDays = 0): Promise<Coverage> {
  const asked = [{ ...byDefault(endpoint), limit: null }];
  const question = { ...QUESTION, today: addDays(SYNC_DAY, 2), lookbackDays, asked };
  return await readCoverage(file.connection, question);
}

/** The days of a series that no later run asks for. */
async function settled(
  file: WarehouseFile,
  endpoint: string,
  { grain = 'day', lookbackDays = 0 }: { grain?: Grain; lookbackDays?: number } = {},
) {
  const coverage = await coverageOf(file, endpoint, lookbackDays);
  return coverage.settled({ ...sliceOf(endpoint), grain });
}

test('the days of an incomplete series are still owed', async () => {
  await using file = await WarehouseFile.open();
  const whole = answerOf('brand_visibility', documentedBodies['brand_visibility']);
  await file.load([{ ...whole, incomplete: MISSING }]);
  expect(await settled(file, 'brand_visibility')).toEqual([]);
  await file.load([whole], { runId: 'run-2' });
  expect(await settled(file, 'brand_visibility')).toHaveLength(1);
});

test('a week is asked again until a week that began on its Sunday is over and settled too', async () => {
  await using file = await WarehouseFile.open();
  const window = days('2026-02-02', '2026-03-08');
  const [monday, sunday] = ['2026-03-02', '2026-03-08'].map((date) => ({ date, value: 1 }));
  await file.load([
    answerOf('visibility', [monday], { slice: { window, grain: 'week' } }),
    answerOf('visibility', [monday, sunday], { slice: { window } }),
  ]);
  const of = (grain: Grain) => settled(file, 'visibility', { grain, lookbackDays: 7 });
  expect(await of('day')).toEqual([days('2026-02-02', '2026-03-03')]);
  expect(await of('week')).toEqual([days('2026-02-02', '2026-02-22')]);
});

test('a day whose row one night lacks is asked about with its neighbours until a later night lacks it too', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, ...values: readonly unknown[]) => {
    await file.answered(number, week(values));
    const coverage = await coverageOf(file, 'visibility');
    const series = { ...sliceOf('visibility'), grain: 'day' as const };
    return [coverage.begin(series), coverage.needed(series), coverage.settled(series)];
  };
  const whole = [days('2026-03-02', '2026-03-08')];
  expect(await night(1, 2, 3, 4, 5, 6, 7, 8)).toEqual(['2026-03-09', [], whole]);
  const beside = [days('2026-03-04', '2026-03-06')];
  expect(await night(2, 2, 3, 4, undefined, 6, 7, 8)).toEqual(['2026-03-04', beside, whole]);
  expect(await night(3, 2, 3, 4, undefined, 6, 7, 8)).toEqual(['2026-03-09', [], whole]);
});

test.each([
  [['run-1'], [true, true, true]],
  [['run-0'], [false, false, false]],
])('days, windows and lists of run-1 are settled for the chain %j: %j', async (chain, isLoaded) => {
  await using file = await WarehouseFile.open();
  const slice = { windowKind: 'month', window: days('2026-02-01', '2026-02-28') } as const;
  const summary = answerOf('response_summary', documentedBodies['response_summary'], { slice });
  await file.load([week([1]), summary, promptList({ id: 'a' })]);
  const question = { ...QUESTION, today: SYNC_DAY, chain, chainOnly: true };
  const coverage = await readCoverage(file.connection, question);
  const keys = [
    { ...sliceOf('visibility'), grain: 'day' },
    { ...summary.slice, grain: null, windowKind: 'month' },
    { ...sliceOf('prompts'), grain: null },
  ] as const;
  expect(keys.map((key) => coverage.settled(key).length > 0)).toEqual(isLoaded);
});

/** Loads and settles a night; the alarms that are left. */
async function alarmsOf(file: WarehouseFile, number: number, answer: ArchivedAnswer): Promise<unknown[]> {
  await file.answered(number, answer);
  return await settledAlarms(file, number);
}

async function settledAlarms(file: WarehouseFile, number: number): Promise<unknown[]> {
  const syncDay = addDays(SYNC_DAY, number - 1);
  const lost = { unreached: new Map(), isDecided: false };
  const run = { ...FIRST_RUN, runId: `run-${String(number)}`, syncDay };
  await settleAlarms(file.connection, run, { catalogue: CATALOGUE, lost });
  const alarms = `select concat_ws(' ', endpoint, reason, days, if(known_since is null, 'new', 'known')) from meta.alarms`;
  return await file.column(alarms);
}

test('an alarm counts the days of bad answers, stays while nothing is asked, and ends with a good one', async () => {
  await using file = await WarehouseFile.open();
  const bad = { ...week([1, 2, 3]), incomplete: 'no total' };
  expect(await alarmsOf(file, 1, bad)).toEqual(['visibility incomplete 1 new']);
  expect(await alarmsOf(file, 2, bad)).toEqual(['visibility incomplete 2 new']);
  expect(await alarmsOf(file, 3, week([1], {}, 'sentiment'))).toEqual(['visibility incomplete 2 new']);
  expect(await alarmsOf(file, 4, bad)).toEqual(['visibility incomplete 3 new']);
  expect(await alarmsOf(file, 5, week([1, 2, 3]))).toEqual([]);
});

test('a failure of the server is a refusal where it is of one value of a filter alone', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, ...models: readonly string[]) => {
    await file.answered(number, week([1, 2, 3]));
    const syncDay = addDays(SYNC_DAY, number - 1);
    const loader = await file.loader({ runId: `run-${String(number)}`, sequence: number, syncDay });
    const failed = {
      kind: 'failed',
      error: new Error('500'),
      requests: 1,
      httpStatus: 500,
      at: number,
    } as const;
    const slice = { ...sliceOf('visibility'), scope: 'model' } as const;
    await loader.load(
      models.map((scopeId) => ({ ...failed, slice: { ...slice, scopeId }, alarm: 'refused' })),
    );
    return await settledAlarms(file, number);
  };
  expect(await night(1, 'a', 'b')).toEqual([]);
  for (const [number, state] of [
    [2, '1 new'],
    [3, '2 new'],
    [4, '3 new'],
    [5, '4 known'],
  ] as const)
    expect(await night(number, 'a')).toEqual([`visibility refused ${state}`]);
});

test('a list of which a later page fails on the server is never known', async () => {
  await using file = await WarehouseFile.open();
  const failing = { ...promptList({ id: 'a' }), incomplete: 'page 2 answered 500', isOutage: true };
  for (const number of [1, 2, 3, 4]) expect(await alarmsOf(file, number, failing)).toEqual([]);
  const ledger = 'select status, error_class as class from meta.slices';
  expect(await file.rows(ledger)).toEqual([{ status: 'truncated', class: 'transient' }]);
  expect(await file.column('select prompt_id from core.prompts')).toEqual(['a']);
});
