import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const VISIBILITY = { endpoints: ['visibility'] };
const DAY_MS = 86_400_000;

function changed(sync: Partial<Config['sync']>): { change: (config: Config) => Config } {
  return { change: (config) => ({ ...config, sync: { ...config.sync, scopes: {}, ...sync } }) };
}

const LONG = { world: 'small', today: '2026-07-14', startDate: '2025-01-01', ...changed({}) } as const;

function asked(rig: Rig): number {
  return rig.simulator.requests.filter(({ path }) => path.endsWith('/visibility-time-series')).length;
}

function refusal(message: string, status = 400): { status: number; body: unknown } {
  return { status, body: { error: 'Bad Request', message, details: {} } };
}

function dayOf(query: readonly (readonly [string, string])[], name: string): string {
  return query.find(([key]) => key === name)?.[1] ?? '';
}

it.each([
  [422, 3, 'Your trial period has expired.'],
  [409, 7, 'Another change is under way.'],
] as const)(
  'a series that answers %i costs %i requests, because only a wrong question is the same for all: %s',
  async (status, requests, message) => {
    await using rig = await openRig(LONG);
    rig.simulator.override('/visibility-time-series', () => refusal(message, status));
    const run = await rig.pull(VISIBILITY);
    expect(run).toMatchObject({ exitCode: 3, totals: { slices_failed: 7 } });
    expect(asked(rig)).toBe(requests);
    expect(run.failures.every((failure) => failure.includes(message))).toBe(true);

    rig.simulator.override('/visibility-time-series', undefined);
    rig.simulator.resetRequests();
    expect(await rig.pull(VISIBILITY)).toMatchObject({ exitCode: 0, totals: { slices_failed: 0 } });
    expect(asked(rig)).toBe(7);
  },
);

it('a range that is refused down to one day fails, in as few requests as halving takes', async () => {
  await using rig = await openRig(LONG);
  rig.simulator.override('/visibility-time-series', () => refusal('The date range exceeds your plan.'));
  expect(await rig.pull(VISIBILITY)).toMatchObject({ exitCode: 3 });
  expect(await rig.workingRows('select * from core.visibility')).toEqual([]);
  expect(asked(rig)).toBe(9);
});

it('a project that refuses every length keeps no other project from being halved', async () => {
  await using rig = await openRig({
    world: 'demo',
    today: '2026-07-14',
    startDate: '2026-01-01',
    change: (config) => ({
      ...config,
      api: { ...config.api, concurrency: 2 },
      sync: { ...config.sync, scopes: {} },
    }),
  });
  const [first] = rig.simulator.world.projects;
  const refused = refusal('The date range exceeds what your plan allows.');
  rig.simulator.override('/visibility-time-series', ({ projectId, query }, usual) => {
    const days = (Date.parse(dayOf(query, 'endDate')) - Date.parse(dayOf(query, 'startDate'))) / DAY_MS;
    return projectId === first?.id || days >= 30 ? refused : usual;
  });
  await rig.pull({ endpoints: ['models'] });
  expect(await rig.pull(VISIBILITY)).toMatchObject({ exitCode: 3 });
  const loaded = await rig.workingRows(
    `select project_id, count(distinct date) as days from core.visibility where scope = 'project' group by 1 order by 1`,
  );
  const others = rig.simulator.world.projects.map(({ id }) => id).filter((id) => id !== first?.id);
  expect(loaded).toEqual(others.sort().map((id) => ({ project_id: id, days: 195 })));
});

it('days refused for their age are asked again by a run that looks further back, and by no other', async () => {
  await using rig = await openRig({ ...LONG, startDate: '2026-01-01' });
  const loaded = async (): Promise<unknown> =>
    (await rig.workingRows('select count(distinct date)::integer as days from core.visibility'))[0];
  rig.simulator.override('/visibility-time-series', ({ query }) =>
    dayOf(query, 'startDate') < '2026-06-05'
      ? refusal('startDate must not be earlier than 2026-06-05')
      : undefined,
  );
  expect(await rig.pull(VISIBILITY)).toMatchObject({ exitCode: 0, failures: [] });
  expect(await loaded()).toEqual({ days: 40 });
  rig.simulator.override('/visibility-time-series', undefined);
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.resetRequests();
  expect(await rig.pull(VISIBILITY)).toMatchObject({ exitCode: 0 });
  expect([asked(rig), await loaded()]).toEqual([1, { days: 41 }]);
  expect(await rig.pull({ ...VISIBILITY, lookbackDays: 400 })).toMatchObject({ exitCode: 0 });
  expect(await loaded()).toEqual({ days: 196 });
});

it('a whole window that is too old is left out once a single day of it was refused too', async () => {
  await using rig = await openRig({ ...LONG, startDate: '2026-05-01', ...changed({ windows: ['month'] }) });
  rig.simulator.override('/responses/summary', ({ query }) =>
    dayOf(query, 'startDate') < '2026-07-01'
      ? refusal('startDate must not be earlier than 2026-07-01')
      : undefined,
  );
  expect(await rig.pull({ endpoints: ['response_summary'] })).toMatchObject({ exitCode: 0, failures: [] });
  expect(
    await rig.workingRows(
      'select window_start as month, status, requests from meta.slices where window_start is not null order by 1',
    ),
  ).toEqual([
    { month: '2026-05-01', status: 'refused', requests: 0 },
    { month: '2026-06-01', status: 'refused', requests: 2 },
    { month: '2026-07-01', status: 'loaded', requests: 1 },
  ]);
});

it('a whole window is too old where nothing newer was asked for: its last day is answered, its first is not', async () => {
  await using rig = await openRig({ ...LONG, ...changed({ windows: ['last_28_days'] }) });
  rig.simulator.override('/responses/summary', ({ query }) =>
    dayOf(query, 'startDate') < '2026-07-12'
      ? refusal('startDate must not be earlier than 2026-07-12')
      : undefined,
  );
  expect(await rig.pull({ endpoints: ['response_summary'] })).toMatchObject({ exitCode: 0, failures: [] });
  expect(
    await rig.workingRows('select status, requests from meta.slices where window_start is not null'),
  ).toEqual([{ status: 'refused', requests: 3 }]);
});
