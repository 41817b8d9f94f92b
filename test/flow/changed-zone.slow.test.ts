import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig } from './rig.ts';

const TRAFFIC = { endpoints: ['visibility', 'crawler_requests', 'crawler_top_pages'] };

it('after a changed timezone every slice that carries it is owed again, and a plan says what that costs', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-06-20' });
  Object.assign(rig.config.sync, { scopes: {} });
  await rig.sync(TRAFFIC);
  const first = rig.simulator.requests.filter(({ path }) => path.includes('/crawlers/')).length;
  expect(await rig.rows('select distinct timezone from meta.slices order by 1')).toEqual([
    { timezone: 'UTC' },
    { timezone: null },
  ]);

  Object.assign(rig.config.sync, { timezone: 'Asia/Tokyo' });
  const plan = await rig.plan(TRAFFIC, false);
  expect(plan.warnings).toEqual([expect.stringMatching(/timezone of crawler_requests was changed/)]);

  rig.simulator.resetRequests();
  const report = await rig.sync(TRAFFIC);
  expect(report).toMatchObject({
    exit_code: 0,
    warnings: [expect.stringContaining('timezone of crawler_requests')],
  });
  const again = rig.simulator.requests.filter(({ path }) => path.includes('/crawlers/'));
  expect(again).toHaveLength(first);
  const starts = again.flatMap(({ query }) => query.filter(([name]) => name === 'startDate'));
  expect(starts).toContainEqual(['startDate', '2026-06-20']);
  expect(await rig.rows("select count(*) as other from meta.slices where timezone = 'UTC'")).toEqual([
    { other: 0 },
  ]);

  expect(await rig.sync(TRAFFIC)).toMatchObject({ exit_code: 0, warnings: [] });
});

it.each([
  ['UTC', '2026-07-14'],
  // On the fourteenth at 03:00 UTC the thirteenth is not over there.
  ['America/Los_Angeles', '2026-07-13'],
])(
  'a look-back of one day asks in %s again from %s on, because that day was partial there',
  async (zone, start) => {
    await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-05' });
    Object.assign(rig.config.sync, { scopes: {}, timezone: zone, lookbackDays: 1 });
    await rig.sync({ endpoints: ['crawler_requests'] });
    rig.simulator.setToday(toDay('2026-07-15'));
    rig.simulator.resetRequests();
    await rig.sync({ endpoints: ['crawler_requests'] });
    const starts = rig.simulator.requests.flatMap(({ query }) =>
      query.filter(([name]) => name === 'startDate'),
    );
    expect(starts).toEqual([['startDate', start]]);
  },
);
