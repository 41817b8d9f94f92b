import { expect, it } from 'vitest';
import type { SyncProgress } from '../../src/run/progress.ts';
import { openRig, type Rig } from './rig.ts';

const VISIBILITY = { endpoints: ['visibility'] };
const MID = { world: 'small', today: '2026-07-14', startDate: '2026-06-01' } as const;
const MID_DAYS = 44;

async function days(rig: Rig, table: string): Promise<number> {
  const [found] = await rig.workingRows(
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
    const shown: SyncProgress[] = [];
    Object.assign(rig.context, { onProgress: (progress: SyncProgress) => void shown.push(progress) });
    const first = await rig.pull(VISIBILITY);
    expect(first).toMatchObject({ exitCode: 0, totals: { slices_failed: 0 } });
    expect(await days(rig, 'visibility')).toBe(MID_DAYS);
    expect(refused(rig)).toBeGreaterThan(0);
    expect(refused(rig)).toBeLessThanOrEqual(10);
    const { done } = shown.at(-1) ?? {};
    expect(shown.at(-1)).toMatchObject({ done, planned: done });

    // Nothing is learned across runs: the next one finds the length out again.
    rig.simulator.resetRequests();
    const full = await rig.pull({ ...VISIBILITY, full: true });
    expect(full).toMatchObject({
      exitCode: 0,
      totals: { rows_inserted: 0, rows_updated: 0, rows_deleted: 0 },
    });
    expect(refused(rig)).toBeLessThanOrEqual(10);
  },
);

it.each([
  ['month', 20, 'day'],
  ['week', 6, 'day'],
  ['month', 20, 'month'],
] as const)(
  'a %s longer than the %i days a server accepts is asked a few times and fails, its siblings go on',
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
    const run = await rig.pull({ endpoints: ['visibility', 'sentiment'] });
    expect(run.exitCode).toBe(3);
    expect(refused(rig)).toBeLessThan(30);
    expect(
      await rig.workingRows(`select distinct grain from core.sentiment where grain = '${grain}'`),
    ).toEqual([{ grain }]);
    const loaded =
      "select grain, count(*)::integer as days from core.visibility where scope = 'project' group by all";
    // The running period is short enough.
    const running = { grain, days: 1 };
    expect(new Set(await rig.workingRows(loaded))).toEqual(
      new Set(other === grain ? [running] : [{ grain: other, days: 96 }, running]),
    );
  },
);

it('a list as long as its limit is truncated, counts as covered, and deletes nothing', async () => {
  await using rig = await openRig({ ...MID, startDate: '2026-07-01' });
  const endpoints = ['domain_citations', 'llm_sources'];
  await rig.pull({ endpoints });
  const before = await days(rig, 'domain_citations');
  const rows = await rig.workingRows('select count(*) as rows from core.domain_citations');
  const settings = { domain_citations: { limit: 4 }, llm_sources: { limit: 2 } };
  Object.assign(rig.config.sync, { endpoints: settings });
  expect(await rig.sync({ endpoints })).toMatchObject({ exit_code: 0, rows_deleted: 0 });
  const cut = await rig.workingRows(
    "select endpoint, count(*) as slices from meta.slices where status = 'truncated' and truncated group by 1 order by 1",
  );
  expect(cut.map((row) => row['endpoint'])).toEqual(endpoints);
  expect(await days(rig, 'domain_citations')).toBe(before);
  expect(await rig.workingRows('select count(*) as rows from core.domain_citations')).toEqual(rows);
  expect(await rig.rows("select * from main.sync_gaps where endpoint = 'domain_citations'")).toEqual([]);
});

it('whole windows that a server refuses as too long are asked for once, and none that is as long', async () => {
  await using rig = await openRig({ ...MID, maxWindowDays: { 'responses/summary': 20 } });
  Object.assign(rig.config.sync, { windows: ['month', 'last_28_days', 'last_7_days', 'last_90_days'] });
  // July so far and the last 7 days are answered.
  expect((await rig.pull({ endpoints: ['response_summary'] })).exitCode).toBe(3);
  expect(refused(rig)).toBeLessThanOrEqual(3);
  const answered =
    'select window_kind as kind, window_start as start from core.response_summary order by all';
  expect(await rig.workingRows(answered)).toEqual([
    { kind: 'last_7_days', start: '2026-07-07' },
    { kind: 'month', start: '2026-07-01' },
  ]);
});
