import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import type { RunReport, SyncRequest } from '../../src/run/sync-request.ts';
import { openRig } from './rig.ts';

const FIRST = toDay('2026-07-14');

it('a filter that is refused on three nights is not asked any more, but for a longer look-back', async () => {
  await using rig = await openRig({ world: 'small', today: FIRST, startDate: '2026-07-12' });
  let asked = 0;
  rig.simulator.override('visibility-time-series', ({ query }) => {
    if (!query.some(([name]) => name === 'models')) return undefined;
    asked += 1;
    return { status: 404, body: { error: 'no such model' } };
  });
  const night = async (number: number, request: Partial<SyncRequest> = {}): Promise<[RunReport, number]> => {
    asked = 0;
    rig.simulator.setToday(addDays(FIRST, number));
    return [await rig.sync({ endpoints: ['models', 'visibility'], ...request }), asked];
  };
  for (const number of [0, 1, 2]) {
    const [{ exit_code: code, failures }, requests] = await night(number);
    expect([code, failures.length > 0, requests > 0]).toEqual([3, true, true]);
  }
  const { lookbackDays } = rig.config.sync;
  const [usual, none] = await night(3, { lookbackDays });
  expect([usual.exit_code, none]).toEqual([0, 0]);
  const [again, some] = await night(3, { lookbackDays: lookbackDays + 1 });
  expect([again.exit_code, again.failures, some > 0]).toEqual([0, [], true]);
});
