import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { addDays } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { openRig, type Rig } from './rig.ts';

const HOUR_MS = 3_600_000;
const SMALL = {
  world: 'small',
  today: '2026-07-14',
  startDate: '2026-07-05',
  change: (config: Config): Config => ({ ...config, sync: { ...config.sync, scopes: {} } }),
} as const;
const ONE = { endpoints: ['visibility', 'response_summary'] };
const NOW = Date.parse(`${SMALL.today}T03:00:00Z`);

it.each([37, -37])(
  'a clock that differs by more than 36 hours (%i) stops the run untouched',
  async (hours) => {
    await using rig = await openRig({ ...SMALL, isNew: true, serverTime: () => NOW + hours * HOUR_MS });
    await expect(rig.sync({ ...ONE, today: null })).rejects.toMatchObject({ exitCode: 2 });
    expect(rig.simulator.requests.map(({ path }) => path)).toEqual(
      rig.simulator.requests.map(() => '/api/v2/auth/validate'),
    );
    expect(await rig.workingRows('select * from meta.runs')).toEqual([]);
    expect(existsSync(rig.config.warehouse.path)).toBe(false);
  },
);

it('--today is never after the day of the server', async () => {
  await using rig = await openRig(SMALL);
  const tomorrow = addDays(rig.simulator.today, 1);
  await expect(rig.sync({ ...ONE, today: tomorrow })).rejects.toMatchObject({ exitCode: 2 });
  await expect(rig.sync({ ...ONE, today: addDays(tomorrow, 30) })).rejects.toMatchObject({ exitCode: 2 });
  expect(await rig.workingRows('select * from meta.runs')).toEqual([]);
});

/** A run on a clock that is wrong by some hours while the server's is right. */
async function syncOnClock(rig: Rig, wrongByHours: number, full = false): ReturnType<Rig['sync']> {
  const right = rig.effects.now;
  Object.assign(rig.effects, { now: () => right() + wrongByHours * HOUR_MS });
  const report = await rig.sync({ ...ONE, today: null, full });
  Object.assign(rig.effects, { now: right });
  return report;
}

it('a run on a clock that is behind leaves earlier runs as they were, and is the newest one', async () => {
  await using rig = await openRig(SMALL);
  await syncOnClock(rig, 0);
  await rig.effects.sleep(HOUR_MS / 2);
  const behind = await syncOnClock(rig, -5);
  expect(behind).toMatchObject({ exit_code: 0, duration_ms: 0 });
  const runs =
    'select run_id, status, finished_at >= started_at as in_order from meta.runs order by started_at desc';
  expect(await rig.workingRows(runs)).toMatchObject([
    { run_id: behind.run_id, status: 'ok', in_order: true },
    { status: 'ok', in_order: true },
  ]);
});

it.each([20, -20])(
  'a replay gives the newest answers the last word, though a clock was wrong by %i hours',
  async (hours) => {
    await using rig = await openRig(SMALL);
    const [wrongFirst, wrongThen] = hours > 0 ? [hours, 0] : [0, hours];
    await syncOnClock(rig, wrongFirst);
    await rig.effects.sleep(3 * HOUR_MS);
    rig.simulator.override('visibility-time-series', (_, answer) => ({
      ...answer,
      body: (answer.body as object[]).map((point) => ({ ...point, value: 50 })),
    }));
    await syncOnClock(rig, wrongThen, true);
    expect(await replayArchive(rig.context, false)).toMatchObject({ runs: 2, losses: [] });
    expect(await rig.rows('select distinct visibility from core.visibility')).toEqual([{ visibility: 50 }]);
  },
);
