import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openRig, type Rig } from './rig.ts';

const PATH = '/visibility-time-series';
const VISIBILITY = { endpoints: ['visibility'] };
const TRIAL = {
  status: 400,
  body: { error: 'Bad Request', message: 'Your trial period has expired.', details: {} },
};
const DAY_MS = 86_400_000;

/** A server that refuses days before `first`, where a window is no longer than it accepts. */
async function openTrial({ first, days, concurrency }: Trial): Promise<Rig & { refused: () => number }> {
  const rig = await openRig({
    world: 'small',
    today: '2026-07-14',
    startDate: '2016-01-01',
    ...(days === null ? {} : { maxWindowDays: { 'visibility-time-series': { days, answer: 'plain' } } }),
    change: (config: Config): Config => ({
      ...config,
      api: { ...config.api, concurrency },
      sync: { ...config.sync, scopes: {} },
    }),
  });
  let refused = 0;
  rig.simulator.override(PATH, ({ query }, usual) => {
    const asked = new Map(query);
    const start = asked.get('startDate') ?? '';
    const length = (Date.parse(asked.get('endDate') ?? '') - Date.parse(start)) / DAY_MS + 1;
    if (start >= first || length > (days ?? Infinity)) return usual;
    refused += 1;
    return TRIAL;
  });
  return Object.assign(rig, { refused: () => refused });
}

interface Trial {
  first: string;
  /** Longest window that is accepted; null: any. */
  days: number | null;
  concurrency: number;
}

it.each([
  ['50 at a time', { first: '2026-03-01', days: null, concurrency: 50 }],
  ['50 at a time, in windows that are cut shorter', { first: '2026-06-20', days: 22, concurrency: 50 }],
])('a series whose old days are refused costs three refusals: %s', async (_, trial) => {
  await using rig = await openTrial(trial);
  const first = await rig.pull(VISIBILITY);
  expect(first.exitCode).toBe(3);
  expect(rig.refused()).toBe(3);
  const newest = 'select max(date) as newest, count(*) > 10 as has_days from core.visibility';
  expect(await rig.workingRows(newest)).toEqual([{ newest: '2026-07-14', has_days: true }]);
  await rig.pull(VISIBILITY);
  expect(rig.refused()).toBe(6);
});
