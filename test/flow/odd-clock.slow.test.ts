import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openFolder } from '../support/folder.ts';
import { JULY, openRig, SMALL, withSync, type Rig } from './rig.ts';

const HOUR_MS = 3_600_000;
const PLAIN = { ...SMALL, change: withSync({ scopes: {} }) } as const;
const ONE = { endpoints: ['visibility', 'response_summary'] };
const NOW = Date.parse(`${SMALL.today}T03:00:00Z`);

it.each([37, -37])('a clock that differs by %i hours stops the run untouched', async (hours) => {
  await using rig = await openRig({ ...PLAIN, isNew: true, serverTime: () => NOW + hours * HOUR_MS });
  await expect(rig.sync({ ...ONE, today: null })).rejects.toMatchObject({ exitCode: 2 });
  expect(new Set(rig.simulator.requests.map(({ path }) => path))).toEqual(new Set(['/api/v2/auth/validate']));
  const { path } = rig.config.warehouse;
  expect([path, workingPath(path)].filter(existsSync)).toEqual([]);
});

/** A run on a clock that is wrong by some hours while the server's is right. */
async function syncOnClock(rig: Rig, wrongByHours: number): ReturnType<Rig['sync']> {
  const right = rig.effects.now;
  Object.assign(rig.effects, { now: () => right() + wrongByHours * HOUR_MS });
  const report = await rig.sync({ ...ONE, today: null });
  Object.assign(rig.effects, { now: right });
  return report;
}

it('a run on a clock that is behind leaves earlier runs as they were, and is the newest one', async () => {
  await using rig = await openRig(PLAIN);
  await syncOnClock(rig, 0);
  await rig.effects.sleep(HOUR_MS / 2);
  const behind = await syncOnClock(rig, -5);
  expect(behind).toMatchObject({ exit_code: 0, duration_ms: 0 });
  const runs = `select run_id, status from meta.runs where finished_at >= started_at order by started_at desc`;
  expect(await rig.workingRows(runs)).toMatchObject([{ run_id: behind.run_id }, { status: 'ok' }]);
});

const TABLES = ['visibility', 'response_sentiment', 'events', 'response_summary'];

it.each([3, -30])('a night whose server was %i hours ahead replays to the same tables', async (hours) => {
  let now = (): number => 0;
  await using rig = await openRig({ ...JULY, ...PLAIN, serverTime: () => now() });
  const [project = ''] = rig.projectIds;
  const days = { start: toDay('2026-07-10'), end: toDay('2026-07-13') };
  for (const day of ['2026-07-14', '2026-07-15', '2026-07-16', '2026-07-17']) {
    const skewMs = day === '2026-07-15' ? hours * HOUR_MS : 0;
    now = () => rig.effects.now() + skewMs;
    rig.simulator.setToday(toDay(day));
    rig.simulator.restate({ project, days, by: 0.1 });
    const report = await rig.sync({ endpoints: TABLES, today: null });
    expect(report, day).toMatchObject({ exit_code: 0, failures: [] });
  }
  const before = await rig.wholeHashes();
  expect(await replayArchive(rig.context, false)).toMatchObject({ runs: 4, slices_failed: 0 });
  expect(await rig.wholeHashes()).toEqual(before);
});

it('two warehouses that archive into one folder replay each their own runs', async () => {
  const raw = { dir: join(openFolder(), 'raw'), keepDays: 400 };
  const change = (config: Rig['config']): Rig['config'] => ({ ...PLAIN.change(config), raw });
  await using one = await openRig({ ...SMALL, change });
  await using other = await openRig({ ...SMALL, world: 'hostile', change });
  for (const day of ['2026-07-14', '2026-07-15'])
    for (const { night } of [one, other]) await night(day, { endpoints: TABLES });
  for (const rig of [one, other]) {
    const before = await rig.wholeHashes();
    expect(await replayArchive(rig.context, false)).toMatchObject({ runs: 2, slices_failed: 0 });
    expect(await rig.wholeHashes()).toEqual(before);
  }
});
