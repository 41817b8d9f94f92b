import { expect, it } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { openRig } from '../flow/rig.ts';

const HOUR_MS = 3_600_000;
const TODAY = '2026-07-14';
const NOW = Date.parse(`${TODAY}T03:00:00Z`);

const SKEWED = [
  'clock.skewed',
  expect.stringMatching(/clock is 5h ahead of the server's: 2026-07-13 counts as today/),
];

it.each([
  ['five hours behind ours is obeyed, with a warning', -5, '2026-07-13T22:00:00.000Z', SKEWED],
  ['an hour ahead is taken for ours', 1, '2026-07-14T03:00:00.000Z', []],
  ['that is not told leaves the day to this machine', null, '2026-07-14T03:00:00.000Z', []],
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
