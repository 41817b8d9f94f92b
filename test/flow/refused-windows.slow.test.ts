import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openRig, type Rig } from './rig.ts';

const VISIBILITY = { endpoints: ['visibility'] };
const SUMMARY = { endpoints: ['response_summary'] };
const DAY_MS = 86_400_000;

function changed(sync: Partial<Config['sync']>): { change: (config: Config) => Config } {
  return { change: (config) => ({ ...config, sync: { ...config.sync, scopes: {}, ...sync } }) };
}

const LONG = { world: 'small', today: '2026-07-14', startDate: '2025-01-01', ...changed({}) } as const;

function asked(rig: Rig, path: string): number {
  return rig.simulator.requests.filter((request) => request.path.endsWith(path)).length;
}

function refuse(rig: Rig, message: string, status = 400): void {
  rig.simulator.override('/visibility-time-series', () => ({
    status,
    body: { error: 'Bad Request', message, details: {} },
  }));
}

it.each([
  ['Your trial period has expired.', 400],
  ['Your trial period has expired.', 422],
  ['querystring/range must be one of day, week', 400],
] as const)(
  'a refusal that speaks of no length costs three requests a series and teaches nothing: %s (%s)',
  async (message, status) => {
    await using rig = await openRig(LONG);
    refuse(rig, message, status);
    const report = await rig.sync(VISIBILITY);
    expect(report).toMatchObject({ exit_code: 3, slices_failed: 7 });
    expect(asked(rig, '/visibility-time-series')).toBe(3);
    expect(report.failures.every((failure) => failure.message.includes(message))).toBe(true);
    expect(await rig.workingRows('select * from meta.limits where max_window_days is not null')).toEqual([]);

    rig.simulator.override('/visibility-time-series', undefined);
    rig.simulator.resetRequests();
    expect(await rig.sync(VISIBILITY)).toMatchObject({ exit_code: 0, slices_failed: 0 });
    expect(asked(rig, '/visibility-time-series')).toBe(7);
  },
);

it('a length that is refused down to one day is no limit: the endpoint is not halved again', async () => {
  await using rig = await openRig(LONG);
  refuse(rig, 'The date range exceeds what your plan allows.');
  expect(await rig.sync(VISIBILITY)).toMatchObject({ exit_code: 3, slices_failed: 7 });
  // Three windows at once, each halved from 90 days to one.
  expect(asked(rig, '/visibility-time-series')).toBeLessThanOrEqual(3 * 7);
  expect(await rig.workingRows('select * from meta.limits where max_window_days is not null')).toEqual([]);
});

it('a shorter window that is answered is believed for a week, and the configuration outranks it', async () => {
  await using rig = await openRig({
    ...LONG,
    startDate: '2026-05-01',
    maxWindowDays: { 'visibility-time-series': { days: 20, answer: 'plain' } },
  });
  const full = { ...VISIBILITY, full: true };
  const refused = (): number => rig.simulator.requests.filter(({ status }) => status === 400).length;
  expect(await rig.sync(VISIBILITY)).toMatchObject({ exit_code: 0, slices_failed: 0 });
  expect(await rig.rows('select count(*) as days from core.visibility')).toEqual([{ days: 75 }]);
  expect(
    await rig.workingRows(
      `select max_window_days as days, refused_days as refused, cast(expires_at - learned_at as varchar) as kept
       from meta.limits where endpoint = 'visibility'`,
    ),
  ).toEqual([{ days: 18, refused: 37, kept: '7 days' }]);

  rig.simulator.resetRequests();
  await rig.sync(full);
  expect(refused()).toBe(0);
  expect(asked(rig, '/visibility-time-series')).toBe(5);

  Object.assign(rig.config.sync, { endpoints: { visibility: { maxWindowDays: 20 } } });
  rig.simulator.resetRequests();
  await rig.sync(full);
  expect([refused(), asked(rig, '/visibility-time-series')]).toEqual([0, 4]);

  Object.assign(rig.config.sync, { endpoints: {} });
  await rig.effects.sleep(8 * DAY_MS);
  rig.simulator.resetRequests();
  await rig.sync(full);
  expect(refused()).toBeGreaterThan(0);
});

it('a whole window that was refused as too long is entered as failed without asking, until the lesson expires', async () => {
  await using rig = await openRig({
    ...LONG,
    startDate: '2026-07-01',
    maxWindowDays: { 'responses/summary': 60 },
    ...changed({ windows: ['last_28_days', 'last_90_days'] }),
  });
  const failed = `select window_kind as kind, error_message like '%not asked%' as unasked from meta.slices where status = 'failed'`;
  expect(await rig.sync(SUMMARY)).toMatchObject({ exit_code: 3, slices_failed: 1 });
  expect(asked(rig, '/responses/summary')).toBe(2);
  expect(await rig.rows(failed)).toEqual([{ kind: 'last_90_days', unasked: false }]);

  rig.simulator.resetRequests();
  expect(await rig.sync({ ...SUMMARY, full: true })).toMatchObject({ exit_code: 3, slices_failed: 1 });
  expect(asked(rig, '/responses/summary')).toBe(1);
  expect(await rig.workingRows(failed)).toEqual([{ kind: 'last_90_days', unasked: true }]);

  await rig.effects.sleep(8 * DAY_MS);
  rig.simulator.resetRequests();
  await rig.sync({ ...SUMMARY, full: true });
  expect(asked(rig, '/responses/summary')).toBe(2);
});

it('a project that refuses every length keeps no other project from being halved, with few places at a time', async () => {
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
  const refused = {
    status: 400,
    body: { error: 'Bad Request', message: 'The date range exceeds what your plan allows.', details: {} },
  };
  const dayOf = (query: readonly (readonly [string, string])[], name: string): number =>
    Date.parse(query.find(([key]) => key === name)?.[1] ?? '') / DAY_MS;
  rig.simulator.override('/visibility-time-series', ({ projectId, query }, usual) =>
    projectId === first?.id || dayOf(query, 'endDate') - dayOf(query, 'startDate') >= 30 ? refused : usual,
  );
  await rig.sync({ endpoints: ['models'] });
  expect(await rig.sync(VISIBILITY)).toMatchObject({ exit_code: 3 });
  const loaded = await rig.rows(
    `select project_id, count(distinct date) as days from core.visibility where scope = 'project' group by 1 order by 1`,
  );
  const others = rig.simulator.world.projects.map(({ id }) => id).filter((id) => id !== first?.id);
  expect(loaded).toEqual(others.sort().map((id) => ({ project_id: id, days: 195 })));
  expect(
    await rig.workingRows("select distinct project_id from meta.slices where status = 'failed'"),
  ).toEqual([{ project_id: first?.id }]);
});
