import { expect, it } from 'vitest';
import { openRig, SMALL, withSync } from './rig.ts';

it.each([
  ['UTC', '2026-07-14'],
  // On the fourteenth at 03:00 UTC the thirteenth is not over there.
  ['America/Los_Angeles', '2026-07-13'],
])('a look-back of a day asks in %s again from %s on, partial there', async (timezone, start) => {
  await using rig = await openRig({ ...SMALL, change: withSync({ scopes: {}, timezone, lookbackDays: 1 }) });
  for (const day of ['2026-07-14', '2026-07-15']) await rig.night(day, { endpoints: ['crawler_requests'] });
  expect(rig.asked('/crawlers/trend').map(({ startDate }) => startDate)).toEqual([start]);
});
