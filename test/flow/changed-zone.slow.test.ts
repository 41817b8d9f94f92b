import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig } from './rig.ts';

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
