import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig } from '../flow/rig.ts';

it('another end_date owes all slices of an endpoint again, once, and says so', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-03-01' });
  const nights: unknown[] = [];
  for (const [day, endDate] of [
    ['2026-07-14', 'inclusive'],
    ['2026-07-15', 'exclusive'],
    ['2026-07-16', 'exclusive'],
  ] as const) {
    Object.assign(rig.config.api, { endDate });
    rig.simulator.setToday(toDay(day));
    rig.simulator.resetRequests();
    const { exit_code: code, warnings } = await rig.pull({ endpoints: ['crawler_requests'] });
    const asked = rig.simulator.requests.filter(({ path }) => path.endsWith('/trend')).length;
    nights.push([code, asked, ...warnings]);
  }
  expect(nights).toEqual([
    [0, 2],
    [0, 2, expect.stringContaining('end_date or timezone of crawler_requests was changed')],
    [0, 1],
  ]);
});

it('another base_url is a warning that names both addresses, owes nothing, and is told once', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-01' });
  const { url } = rig.simulator;
  const other = url.replace('127.0.0.1', 'localhost');
  const nights: unknown[] = [];
  for (const baseUrl of [url, other, other]) {
    Object.assign(rig.config.api, { baseUrl });
    rig.simulator.resetRequests();
    const { warnings } = await rig.pull({ endpoints: ['response_sentiment'] });
    nights.push([rig.simulator.requests.length, ...warnings]);
  }
  const told = `api.base_url is ${other}, and the run before asked ${url}`;
  expect(nights).toEqual([[3], [3, expect.stringContaining(told)], [3]]);
});
