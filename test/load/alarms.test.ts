import { expect, test } from 'vitest';
import { addDays } from '../../src/day.ts';
import { settleAlarms } from '../../src/run/alarms.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { SYNC_DAY } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';
import { week } from './lists.ts';

/** Loads and settles a night; the alarms that are left. */
async function night(file: WarehouseFile, number: number, answer: ArchivedAnswer): Promise<unknown[]> {
  await file.answered(number, answer);
  const syncDay = addDays(SYNC_DAY, number - 1);
  await settleAlarms(file.connection, { ...FIRST_RUN, runId: `run-${String(number)}`, syncDay });
  const alarms = `select concat_ws(' ', endpoint, reason, days, if(known_since is null, 'new', 'known')) from meta.alarms`;
  return await file.column(alarms);
}

test('an alarm counts the days of bad answers, stays while nothing is asked, and ends with a good one', async () => {
  await using file = await WarehouseFile.open();
  const bad = { ...week([1, 2, 3]), incomplete: 'no total' };
  expect(await night(file, 1, bad)).toEqual(['visibility incomplete 1 new']);
  expect(await night(file, 2, bad)).toEqual(['visibility incomplete 2 new']);
  expect(await night(file, 3, week([1], {}, 'sentiment'))).toEqual(['visibility incomplete 2 new']);
  expect(await night(file, 4, bad)).toEqual(['visibility incomplete 3 new']);
  expect(await night(file, 5, week([1, 2, 3]))).toEqual([]);
});
