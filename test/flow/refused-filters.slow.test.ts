import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import type { SyncRequest } from '../../src/run/sync-request.ts';
import { openRig, type Rig } from './rig.ts';

const FIRST = toDay('2026-07-14');

/** A project whose values of a filter are refused while `isRefused` says so; counts what was asked with the filter. */
async function openRefusing(filter: string, isRefused: (value: string) => boolean) {
  const change = (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, endpoints: { visibility: { grains: ['day'] } } },
  });
  const rig = await openRig({ world: 'small', today: FIRST, startDate: '2026-07-12', change });
  const state = { isOver: false, asked: 0 };
  rig.simulator.override('visibility-time-series', ({ query }) => {
    const value = query.find(([name]) => name === filter)?.[1];
    if (value === undefined) return undefined;
    state.asked += 1;
    return state.isOver || !isRefused(value) ? undefined : { status: 404, body: { error: 'not found' } };
  });
  const night = async (number: number, request: Partial<SyncRequest> = {}) => {
    state.asked = 0;
    rig.simulator.setToday(addDays(FIRST, number));
    const { exitCode } = await rig.pull({
      endpoints: ['models', 'prompts', 'events', 'visibility'],
      ...request,
    });
    return [exitCode, state.asked] as const;
  };
  return { rig, state, night };
}

const ALARMS = `select scope, scope_id, reason, days, known_since is not null as known from meta.alarms`;

async function rowsOf(rig: Rig, scope: string): Promise<unknown> {
  return (await rig.workingRows(`select count(*) as n from core.visibility where scope = '${scope}'`))[0]?.[
    'n'
  ];
}

it('a filter whose values are all refused is one alarm, asked weekly, and asked in full once it is answered', async () => {
  const { rig, state, night } = await openRefusing('llmMonitorId', () => true);
  await using _ = rig;
  for (const number of [0, 1, 2]) {
    const [code, asked] = await night(number);
    expect([code, asked > 0]).toEqual([3, true]);
  }
  expect(await rig.workingRows(ALARMS)).toEqual([
    { scope: 'monitor', scope_id: '', reason: 'refused', days: 3, known: false },
  ]);
  for (const number of [3, 8]) expect(await night(number)).toEqual([0, 0]);
  expect(await rig.workingRows(ALARMS)).toMatchObject([{ days: 3, known: true }]);
  const [code, asked] = await night(9);
  expect([code, asked]).toEqual([0, 2]);
  state.isOver = true;
  for (const number of [10, 15]) expect(await night(number)).toEqual([0, 0]);
  expect((await night(16))[0]).toBe(0);
  expect(await rig.workingRows(ALARMS)).toEqual([]);
  await night(17);
  expect(await rowsOf(rig, 'monitor')).toBe(40);
});

it('one value that is refused is an alarm of its own: the others are asked every night', async () => {
  let refused = '';
  const { rig, night } = await openRefusing('models', (value) => value === (refused ||= value));
  await using _ = rig;
  for (const number of [0, 1, 2]) expect((await night(number))[0]).toBe(3);
  expect(await rig.workingRows(ALARMS)).toMatchObject([{ scope: 'model', scope_id: refused, days: 3 }]);
  const [code, asked] = await night(3);
  expect([code, asked]).toEqual([0, 5]);
  const full = await night(4, { full: true });
  expect([full[0], full[1] > 5]).toEqual([0, true]);
});
