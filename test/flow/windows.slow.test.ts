import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const VISIBILITY = { endpoints: ['visibility'] };
const MID = { world: 'small', today: '2026-07-14', startDate: '2026-05-01' } as const;
const MID_DAYS = 75;

async function days(rig: Rig, table: string): Promise<number> {
  const [found] = await rig.rows(
    `select count(distinct date) as days from core.${table} where scope = 'project'`,
  );
  return Number(found?.['days']);
}

function refused(rig: Rig): number {
  return rig.simulator.requests.filter(({ status }) => status === 400 || status === 422).length;
}

it.each(['code', 'unprocessable', 'plain'] as const)(
  'a window that is refused as too long (%s) is halved until it fits and loads every day',
  async (answer) => {
    await using rig = await openRig({
      ...MID,
      maxWindowDays: { 'visibility-time-series': { days: 20, answer } },
    });
    const first = await rig.sync(VISIBILITY);
    expect(first).toMatchObject({ exit_code: 0, slices_failed: 0 });
    expect(await days(rig, 'visibility')).toBe(MID_DAYS);
    expect(refused(rig)).toBeGreaterThan(0);
    expect(refused(rig)).toBeLessThanOrEqual(10);

    // Nothing is learned across runs: the next one finds the length out again.
    rig.simulator.resetRequests();
    const full = await rig.sync({ ...VISIBILITY, full: true });
    expect(full).toMatchObject({ exit_code: 0, rows_inserted: 0, rows_updated: 0, rows_deleted: 0 });
    expect(refused(rig)).toBeLessThanOrEqual(10);
  },
);

it.each([
  ['month', 20, 'day'],
  ['week', 6, 'day'],
  ['month', 20, 'month'],
] as const)(
  'a %s that is longer than the %i days a server accepts is asked a few times and fails, and its siblings go on',
  async (grain, longest, other) => {
    await using rig = await openRig({
      ...MID,
      startDate: '2026-04-10',
      maxWindowDays: { 'visibility-time-series': longest },
      change: (config) => ({
        ...config,
        sync: { ...config.sync, scopes: {}, grains: [...new Set([grain, other])] },
      }),
    });
    const report = await rig.sync({ endpoints: ['visibility', 'sentiment'] });
    expect(report.exit_code).toBe(3);
    expect(refused(rig)).toBeLessThan(30);
    expect(await rig.rows(`select distinct grain from core.sentiment where grain = '${grain}'`)).toEqual([
      { grain },
    ]);
    const loaded =
      "select grain, count(*)::integer as days from core.visibility where scope = 'project' group by all";
    // The running period is short enough.
    const running = { grain, days: 1 };
    expect(new Set(await rig.rows(loaded))).toEqual(
      new Set(other === grain ? [running] : [{ grain: other, days: 96 }, running]),
    );
  },
);

it('shorter windows hold the same rows as long ones, none lost and none doubled', async () => {
  const limits = { 'visibility-time-series': { days: 7, answer: 'plain' as const }, events: 30 };
  const endpoints = ['visibility', 'events'];
  await using rig = await openRig({ ...MID, maxWindowDays: limits });
  await using free = await openRig(MID);
  expect(await rig.sync({ endpoints })).toMatchObject({ exit_code: 0 });
  await free.sync({ endpoints });
  for (const table of ['visibility', 'events']) {
    const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
    expect(await rig.rows(sql)).toEqual(await free.rows(sql));
  }
});

it('a window kind that the server refuses as too long fails alone: it cannot be cut', async () => {
  await using rig = await openRig({ ...MID, maxWindowDays: { 'responses/summary': 30 } });
  const report = await rig.sync({ endpoints: ['response_summary', 'visibility'] });
  expect(report.exit_code).toBe(3);
  const kinds = await rig.rows(
    "select distinct window_kind, status from meta.slices where endpoint = 'response_summary' order by all",
  );
  expect(kinds).toContainEqual({ window_kind: 'last_28_days', status: 'loaded' });
  expect(kinds).toContainEqual({ window_kind: 'month', status: 'failed' });
  expect(await days(rig, 'visibility')).toBe(MID_DAYS);
});

it('a server that ignores the window stores nothing of it, says so and lets the others through', async () => {
  await using rig = await openRig({ ...MID, ignoreDates: ['visibility-time-series'] });
  const report = await rig.sync({ endpoints: ['visibility', 'sentiment'] });
  expect(report).toMatchObject({ exit_code: 3, status: 'partial' });
  expect(report.failures[0]?.message).toContain('window ignored');
  expect(await rig.rows('select * from core.visibility')).toEqual([]);
  expect(await days(rig, 'sentiment')).toBe(MID_DAYS);
  const [slice] = await rig.rows(
    "select status, error_class, rows_changed from meta.slices where endpoint = 'visibility' and scope = 'project'",
  );
  expect(slice).toEqual({ status: 'failed', error_class: 'contract', rows_changed: 0 });
});

it('a server that does not count the end day loses no day and doubles none over two nights', async () => {
  const start = '2026-07-01';
  const series = [
    'visibility',
    'share_of_voice',
    'brand_visibility',
    'response_sentiment',
    'crawler_requests',
  ];
  const endpoints = [...series, 'domain_citations', 'events'];
  await using rig = await openRig({ ...MID, startDate: start, endDateInclusive: false });
  await using plain = await openRig({ ...MID, startDate: start });
  let today = toDay(MID.today);
  for (let night = 0; night < 2; night += 1) {
    rig.simulator.setToday(today);
    plain.simulator.setToday(today);
    expect(await rig.sync({ endpoints })).toMatchObject({ exit_code: 0 });
    await plain.sync({ endpoints });
    for (const table of series) {
      const sql = `select * exclude (_run_id, _changed_at) from core.${table} where scope = 'project' and date < '${today}' order by all`;
      expect(await rig.rows(sql), `${table}, night ${String(night)}`).toEqual(await plain.rows(sql));
    }
    const events = `select * exclude (_run_id, _changed_at) from core.events where date < '${today}' order by all`;
    expect(await rig.rows(events)).toEqual(await plain.rows(events));
    today = addDays(today, 1);
  }
  expect(await rig.rows("select * from meta.restatements where change = 'deleted'")).toEqual([]);
});

it('a server that does not count the end day is asked as often as any other once it is known', async () => {
  await using rig = await openRig({ ...MID, startDate: '2026-07-01', endDateInclusive: false });
  await rig.sync(VISIBILITY);
  rig.simulator.setToday(toDay('2026-07-15'));
  rig.simulator.resetRequests();
  await rig.sync(VISIBILITY);
  const asked = rig.simulator.requests.filter(({ path }) => path.endsWith('/visibility-time-series'));
  const scopes = await rig.rows('select distinct scope, scope_id from core.visibility');
  expect(asked.length).toBeLessThanOrEqual(scopes.length);
});

it.each(['null', 'absent'] as const)(
  'a day without data is %s as the server has it, and settled either way',
  async (missingDays) => {
    await using rig = await openRig({ ...MID, startDate: '2026-06-01', missingDays });
    const [project] = rig.simulator.world.projects;
    if (project === undefined) throw new Error('no project');
    project.gapShare = 0.3;
    expect(await rig.sync(VISIBILITY)).toMatchObject({ exit_code: 0 });
    const [count] = await rig.rows(
      "select count(*) as rows, count(visibility) as known from core.visibility where scope = 'project'",
    );
    expect(Number(count?.['known'])).toBeLessThan(44);
    expect(count?.['rows']).toBe(missingDays === 'null' ? 44 : count?.['known']);
    rig.simulator.setToday(toDay('2026-07-15'));
    rig.simulator.resetRequests();
    await rig.sync(VISIBILITY);
    const starts = rig.simulator.requests.flatMap(({ query }) =>
      query.filter(([name]) => name === 'startDate').map(([, value]) => value),
    );
    expect(new Set(starts)).toEqual(new Set(['2026-07-08']));
  },
);

it('a day that gets data later becomes a row, and a day that loses its data vanishes from the series', async () => {
  await using rig = await openRig({ ...MID, startDate: '2026-06-01', missingDays: 'absent' });
  const [project] = rig.simulator.world.projects;
  if (project === undefined) throw new Error('no project');
  await rig.sync(VISIBILITY);
  rig.simulator.override('/visibility-time-series', (_: unknown, usual: { body: unknown }) => ({
    body: (usual.body as { date: string }[]).filter(({ date }) => date !== '2026-07-10'),
  }));
  const nights = [toDay('2026-07-15'), toDay('2026-07-16')];
  for (const night of nights) {
    expect(await rig.rows('select * from meta.restatements')).toEqual([]);
    rig.simulator.setToday(night);
    expect(await rig.sync(VISIBILITY)).toMatchObject({ exit_code: 0 });
  }
  expect(await rig.rows("select * from core.visibility where date = '2026-07-10'")).toEqual([]);
  expect(await rig.rows('select distinct table_name, change from meta.restatements')).toEqual([
    { table_name: 'visibility', change: 'deleted' },
  ]);
  rig.simulator.override('/visibility-time-series', undefined);
  await rig.sync(VISIBILITY);
  expect((await rig.rows("select * from core.visibility where date = '2026-07-10'")).length).toBeGreaterThan(
    0,
  );
});

it('a list as long as its limit is truncated, counts as covered, and deletes nothing', async () => {
  await using rig = await openRig({ ...MID, startDate: '2026-07-01' });
  const endpoints = ['domain_citations', 'llm_sources'];
  await rig.sync({ endpoints });
  const before = await days(rig, 'domain_citations');
  const rows = await rig.rows('select count(*) as rows from core.domain_citations');
  const settings = { domain_citations: { limit: 4 }, llm_sources: { limit: 2 } };
  Object.assign(rig.config.sync, { endpoints: settings });
  const report = await rig.sync({ endpoints });
  expect(report).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  const cut = await rig.rows(
    "select endpoint, count(*) as slices from meta.slices where status = 'truncated' and truncated group by 1 order by 1",
  );
  expect(cut.map((row) => row['endpoint'])).toEqual(endpoints);
  expect(await days(rig, 'domain_citations')).toBe(before);
  expect(await rig.rows('select count(*) as rows from core.domain_citations')).toEqual(rows);
  expect(await rig.rows("select * from main.sync_gaps where endpoint = 'domain_citations'")).toEqual([]);
});
