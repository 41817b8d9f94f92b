import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import type { SyncRequest } from '../../src/run/sync-request.ts';
import { openRig, SMALL, withSync } from './rig.ts';

const FIRST = toDay('2026-07-14');
const ALARMS = `select scope, scope_id, days, known_since is not null as known from meta.alarms where reason = 'refused'`;

/** A project whose values of a filter are refused while `isRefused` says so. */
async function openRefusing(filter: string, isRefused: (value: string) => boolean) {
  const change = withSync({ endpoints: { visibility: { grains: ['day'] } } });
  const rig = await openRig({ ...SMALL, startDate: '2026-07-12', change });
  rig.answer('visibility-time-series', ({ query }) => {
    const value = query.find(([name]) => name === filter)?.[1];
    return value !== undefined && isRefused(value)
      ? { status: 404, body: { error: 'not found' } }
      : undefined;
  });
  return Object.assign(rig, {
    /** Exit code, and how often the filter was asked with. */
    pullOn: async (number: number, request: Partial<SyncRequest> = {}) => {
      rig.simulator.setToday(addDays(FIRST, number));
      rig.simulator.resetRequests();
      const endpoints = ['models', 'prompts', 'events', 'visibility'];
      const { exit_code: code } = await rig.pull({ endpoints, ...request });
      return [code, rig.asked('visibility-time-series').filter((query) => filter in query).length];
    },
  });
}

it('a filter whose values are all refused is one alarm, asked weekly, and asked in full once it is answered', async () => {
  await using rig = await openRefusing('llmMonitorId', () => true);
  for (const number of [0, 1, 2]) expect(await rig.pullOn(number)).toEqual([3, 2]);
  expect(await rig.workingRows(ALARMS)).toEqual([{ scope: 'monitor', scope_id: '', days: 3, known: false }]);
  for (const number of [3, 8]) expect(await rig.pullOn(number)).toEqual([0, 0]);
  expect(await rig.workingRows(ALARMS)).toMatchObject([{ days: 3, known: true }]);
  expect(await rig.pullOn(9)).toEqual([0, 2]);
  rig.repair();
  for (const number of [10, 15]) expect(await rig.pullOn(number)).toEqual([0, 0]);
  for (const number of [16, 17]) expect((await rig.pullOn(number))[0]).toBe(0);
  expect(await rig.workingRows(ALARMS)).toEqual([]);
  const stored = "select count(*) as n from core.visibility where scope = 'monitor'";
  expect(await rig.workingRows(stored)).toEqual([{ n: 40 }]);
});

it('one value that is refused is an alarm of its own: the others are asked every night', async () => {
  let refused = '';
  await using rig = await openRefusing('models', (value) => value === (refused ||= value));
  for (const number of [0, 1, 2]) expect((await rig.pullOn(number))[0]).toBe(3);
  expect(await rig.workingRows(ALARMS)).toMatchObject([{ scope: 'model', scope_id: refused, days: 3 }]);
  expect(await rig.pullOn(3)).toEqual([0, 5]);
  const [code, asked] = await rig.pullOn(4, { full: true });
  expect([code, Number(asked) > 5]).toEqual([0, true]);
});
