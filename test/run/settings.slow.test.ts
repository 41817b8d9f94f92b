import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { silentLog } from '../../src/log.ts';
import { withOpenRun } from '../../src/run/sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { openRig, SMALL, withSync } from '../flow/rig.ts';

it('another end_date owes all slices of an endpoint again, once, and says so', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-03-01' });
  const nights: unknown[] = [];
  for (const day of ['2026-07-14', '2026-07-15', '2026-07-16']) {
    Object.assign(rig.config.api, { endDate: day === '2026-07-14' ? 'inclusive' : 'exclusive' });
    rig.simulator.setToday(toDay(day));
    rig.simulator.resetRequests();
    const { exit_code: code, warnings } = await rig.pull({ endpoints: ['crawler_requests'] });
    const asked = rig.simulator.requests.filter(({ path }) => path.endsWith('/trend')).length;
    nights.push([code, asked, ...warnings]);
  }
  const changed = expect.stringContaining('instants of crawler_requests was changed');
  expect(nights).toEqual([
    [0, 2],
    [0, 2, changed],
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

const ofMonths = withSync({ scopes: {}, windows: ['month'] });

const HOUR_MS = 3_600_000;
const TODAY = '2026-07-14';
const NOW = Date.parse(`${TODAY}T03:00:00Z`);

const AHEAD = /clock is 5h ahead of the server's: 2026-07-13 counts as today/;
const SKEWED = ['clock.skewed', expect.stringMatching(AHEAD)];

const UNTOLD = ['clock.untold', expect.stringContaining("the day is that of this machine's clock")];

it.each([
  ['five hours behind ours is obeyed, with a warning', -5, '2026-07-13T22:00:00.000Z', SKEWED],
  ['an hour ahead is taken for ours', 1, '2026-07-14T03:00:00.000Z', []],
  ['that is not told leaves the day to this machine', null, '2026-07-14T03:00:00.000Z', UNTOLD],
] as const)('a clock of the server %s', async (...[, ahead, started, told]) => {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void warned.push(event) };
  const serverTime = (): number | null => (ahead === null ? null : NOW + ahead * HOUR_MS);
  await using rig = await openRig({ world: 'small', today: TODAY, startDate: '2026-07-05', serverTime, log });
  const { warnings } = await rig.pull({ endpoints: ['models'], today: null });
  const runs = 'select sync_day, started_at, finished_at from meta.runs';
  expect(await rig.workingRows(runs)).toEqual([
    { sync_day: started.slice(0, 10), started_at: started, finished_at: started },
  ]);
  expect([...warned, ...warnings]).toEqual(told);
});

it.each([
  ['leaves out', 'exclusive', []],
  ['leaves out', 'inclusive', ['its last day, so the server does not seem to count endDate']],
  ['counts', 'inclusive', []],
  ['counts', 'exclusive', ['its day after, so the server seems to count endDate']],
] as const)(
  'a server that %s endDate, asked with the setting %s, fails with %j',
  async (says, endDate, failures) => {
    await using rig = await openRig({
      world: 'small',
      today: '2026-07-14',
      startDate: '2026-05-20',
      endDateInclusive: says === 'counts',
      change: (config) => ofMonths({ ...config, api: { ...config.api, endDate } }),
    });
    const run = await rig.pull({ endpoints: ['response_sentiment', 'response_summary'] });
    const told = failures.map((text) => ({ message: expect.stringContaining(text) as string }));
    expect(run.failures).toMatchObject(told);
    expect(run.exit_code).toBe(failures.length === 0 ? 0 : 3);
    const days = 'select count(*)::integer as days, max(date) as last from core.response_sentiment';
    const all = [{ days: 56, last: '2026-07-14' }];
    expect(failures.length === 0 ? await rig.workingRows(days) : all).toEqual(all);
  },
);

it('a first run expects the series of the models that it lists itself', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  const expected =
    "select scope, count(*)::integer as series from meta.expected_series where endpoint = 'visibility' group by 1 order by 1";
  const [project, model] = [
    { scope: 'project', series: 1 },
    { scope: 'model', series: 6 },
  ];
  await rig.pull({ endpoints: ['visibility'] });
  expect(await rig.workingRows(expected)).toEqual([project]);
  await rig.pull({ endpoints: ['models', 'visibility'] });
  expect(await rig.workingRows(expected)).toEqual([model, project]);
});

it('a run of named days asks again for exactly those days, and for one more that shows the end', async () => {
  await using rig = await openRig({ ...SMALL, change: withSync({ scopes: {} }) });
  const endpoints = ['visibility', 'response_sentiment'];
  await rig.pull({ endpoints });
  rig.simulator.resetRequests();
  await rig.pull({ endpoints, from: toDay('2026-07-06'), to: toDay('2026-07-08') });
  const asked = rig.simulator.requests.map(({ query }) => Object.fromEntries(query));
  const days = asked.filter(({ startDate }) => startDate !== undefined);
  const named = { startDate: '2026-07-06', endDate: '2026-07-09' };
  expect(days).toMatchObject(endpoints.map(() => named));
});

it('a run is a witness where it looks back all 7 days, or asks again for all', async () => {
  await using rig = await openRig(SMALL);
  const isWitness = (lookbackDays: number, full: boolean): Promise<boolean> => {
    const request = syncRequest({ today: rig.simulator.today, lookbackDays, full });
    return withOpenRun(request, rig.context, ({ run }) => Promise.resolve(run.run.isWitness));
  };
  expect([await isWitness(7, false), await isWitness(6, false), await isWitness(6, true)]).toEqual([
    true,
    false,
    true,
  ]);
});
