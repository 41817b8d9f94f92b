import { expect, test } from 'vitest';
import { addDays, type Grain } from '../../src/day.ts';
import { readCoverage } from '../../src/run/read-coverage.ts';
import { answerOf, days, SYNC_DAY, sliceOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { promptList } from './lists.ts';

const MISSING = 'the list says that it has 5 entries, and 1 came';

test('an incomplete list adds what it has, is no witness and names the missing pages', async () => {
  await using file = await WarehouseFile.open();
  const list = (...ids: readonly string[]) => promptList(...ids.map((id) => ({ id })));
  const present = 'select prompt_id as id from core.prompts where removed_at is null order by 1';
  await file.night(1, [list('a', 'b')]);
  const incomplete = { ...list('c'), incomplete: MISSING };
  const [entry] = await file.night(2, [incomplete]);
  expect(entry?.failure).toMatchObject({ alarm: 'incomplete', message: expect.stringContaining(MISSING) });
  expect(await file.rows(present)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect(await file.rows('select status, truncated, error_class from meta.slices')).toEqual([
    { status: 'truncated', truncated: true, error_class: 'contract' },
  ]);
  await file.night(3, [list('a', 'c')]);
  expect(await file.rows(present)).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  await file.night(4, [list('a', 'c')]);
  expect(await file.rows(present)).toEqual([{ id: 'a' }, { id: 'c' }]);
  expect(await file.rows('select status, error_class from meta.slices')).toEqual([
    { status: 'loaded', error_class: null },
  ]);
});

const QUESTION = {
  today: addDays(SYNC_DAY, 2),
  lookbackDays: 0,
  chain: [],
  chainOnly: false,
  asksForOld: false,
  asked: ['brand_visibility', 'visibility'].map((endpoint) => ({
    endpoint,
    askedWith: 'today',
    limit: null,
  })),
};

test('the days of an incomplete series are still owed', async () => {
  await using file = await WarehouseFile.open();
  const whole = answerOf('brand_visibility', documentedBodies['brand_visibility']);
  const settled = async (): Promise<readonly unknown[]> => {
    const ledger = await readCoverage(file.connection, QUESTION);
    return ledger.settled({ ...sliceOf('brand_visibility'), grain: 'day' });
  };
  await file.load([{ ...whole, incomplete: MISSING }]);
  expect(await settled()).toEqual([]);
  await file.load([whole], { runId: 'run-2' });
  expect(await settled()).toHaveLength(1);
});

test('a week is asked again until a week that began on its Sunday is over and settled too', async () => {
  await using file = await WarehouseFile.open();
  const window = days('2026-02-02', '2026-03-08');
  const slice = { window, grain: 'week' as const };
  const point = (date: string): unknown => ({ date, value: 1 });
  await file.load([
    answerOf('visibility', [point('2026-03-02')], { slice }),
    answerOf('visibility', [point('2026-03-02'), point('2026-03-08')], { slice: { window } }),
  ]);
  const ledger = await readCoverage(file.connection, { ...QUESTION, lookbackDays: 7 });
  const settled = (grain: Grain) => ledger.settled({ ...sliceOf('visibility'), grain });
  expect(settled('day')).toEqual([days('2026-02-02', '2026-03-03')]);
  expect(settled('week')).toEqual([days('2026-02-02', '2026-02-22')]);
});

test('a day whose row one night lacks is owed until a later night lacks it too', async () => {
  await using file = await WarehouseFile.open();
  const night = async (number: number, ...of: readonly number[]) => {
    const points = of.map((day) => ({ date: `2026-03-0${String(day)}`, value: day }));
    await file.night(number, [answerOf('visibility', points)]);
    const ledger = await readCoverage(file.connection, QUESTION);
    return ledger.settled({ ...sliceOf('visibility'), grain: 'day' });
  };
  const whole = [days('2026-03-02', '2026-03-08')];
  expect(await night(1, 2, 3, 4, 5, 6, 7, 8)).toEqual(whole);
  expect(await night(2, 2, 3, 4, 6, 7, 8)).toEqual([
    days('2026-03-02', '2026-03-04'),
    days('2026-03-06', '2026-03-08'),
  ]);
  expect(await night(3, 2, 3, 4, 6, 7, 8)).toEqual(whole);
});
