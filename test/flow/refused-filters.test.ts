import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import type { SyncRequest } from '../../src/run/sync-request.ts';
import { openRig } from './rig.ts';
import type { UnpublishedRun } from './unpublished.ts';

const FIRST = toDay('2026-07-14');

it('a filter that is refused on three nights is not asked any more, but for a longer look-back', async () => {
  const change = (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, endpoints: { visibility: { grains: ['day'] } } },
  });
  await using rig = await openRig({ world: 'small', today: FIRST, startDate: '2026-07-12', change });
  let asked = 0;
  rig.simulator.override('visibility-time-series', ({ query }) => {
    if (!query.some(([name]) => name === 'models')) return undefined;
    asked += 1;
    return { status: 404, body: { error: 'no such model' } };
  });
  const night = async (
    number: number,
    request: Partial<SyncRequest> = {},
  ): Promise<[UnpublishedRun, number]> => {
    asked = 0;
    rig.simulator.setToday(addDays(FIRST, number));
    return [await rig.pull({ endpoints: ['models', 'visibility'], ...request }), asked];
  };
  for (const number of [0, 1, 2]) {
    const [{ exitCode: code, failures }, requests] = await night(number);
    expect([code, failures.length > 0, requests > 0]).toEqual([3, true, true]);
  }
  const { lookbackDays } = rig.config.sync;
  const [usual, none] = await night(3, { lookbackDays });
  expect([usual.exitCode, none]).toEqual([0, 0]);
  const [again, some] = await night(3, { lookbackDays: lookbackDays + 1 });
  expect([again.exitCode, again.failures, some > 0]).toEqual([0, [], true]);
});
