import { expect, it } from 'vitest';
import { openRig, SMALL } from './rig.ts';

const HOUR_MS = 3_600_000;

it('an hourly quota that does not reach parks the run; the next run goes on without asking again', async () => {
  await using whole = await openRig(SMALL);
  const uninterrupted = await whole.sync();
  await using rig = await openRig({ ...SMALL, quota: { perHour: 40 } });
  const parked = await rig.sync();
  expect(parked).toMatchObject({ status: 'parked', exit_code: 5, published: rig.config.warehouse.path });
  // A tenth of the hour is left to other people.
  expect(rig.simulator.requests.filter(({ apiKey }) => apiKey !== undefined)).toHaveLength(36);
  expect(await rig.rows('select status from meta.runs')).toEqual([{ status: 'parked' }]);
  expect(await rig.rows("select status from meta.slices where status = 'failed'")).toEqual([]);
  await rig.effects.sleep(HOUR_MS + 60_000);
  const rest = await rig.sync();
  expect(rest).toMatchObject({ status: 'ok', exit_code: 0 });
  expect(rig.simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
  const validations = 2;
  expect(parked.requests + rest.requests).toBeLessThanOrEqual(uninterrupted.requests + validations);
  expect(await rig.hashes()).toEqual(await whole.hashes());
});
