import { expect, it } from 'vitest';
import { openState, type DaemonState } from '../../../src/daemon/schedule/jobs.ts';
import { livenessOf, readinessOf } from '../../../src/daemon/serve/service.ts';
import { job } from '../jobs.ts';

const START = Date.parse('2025-03-05T00:10:00Z');
const HOUR = 3_600_000;

function stateOf(schedules: Record<string, string>): DaemonState {
  const state = openState(Object.entries(schedules).map(([name, schedule]) => job(name, schedule)));
  state.readyMs = START;
  return state;
}

it('liveness is lost when a tick went by unheard, with a minute and a half of grace', () => {
  const state = stateOf({ hourly: '0 * * * *', nightly: '17 2 * * *' });
  const tick = Date.parse('2025-03-05T01:00:00Z');
  const missed = ['job hourly missed its tick'];
  expect(livenessOf(state, START, tick - 1)).toEqual([]);
  expect(livenessOf(state, START, tick + 80_000)).toEqual([]);
  expect(livenessOf(state, START, tick + 100_000)).toEqual(missed);
  const [hourly] = state.jobs;
  if (hourly !== undefined) hourly.lastTickMs = tick;
  expect(livenessOf(state, START, tick + HOUR - 1)).toEqual([]);
  expect(livenessOf(state, START, tick + HOUR + 100_000)).toEqual(missed);
  state.isStopping = true;
  expect(livenessOf(state, START, tick + HOUR + 100_000)).toEqual([]);
});

it('liveness is lost when the scheduler does not start', () => {
  const state = stateOf({});
  state.readyMs = null;
  expect(livenessOf(state, START, START + 120_000)).toEqual([]);
  expect(livenessOf(state, START, START + 120_001)).toEqual(['the scheduler has not started']);
});

it('readiness needs a run since the last but one tick of the busiest job; a run at work counts', () => {
  const state = stateOf({ hourly: '0 * * * *', nightly: '17 2 * * *' });
  const [hourly, nightly] = state.jobs;
  if (hourly === undefined || nightly === undefined) throw new Error('no jobs');
  const at = (time: string) => readinessOf(state, Date.parse(`2025-03-05T${time}Z`));
  const old = (end: string) => [`the last run ended 2025-03-05T${end}:00.000Z, two ticks ago or more`];
  expect(at('01:30:00')).toEqual([]);
  expect(at('02:30:00')).toEqual(old('00:10'));
  hourly.lastEndMs = Date.parse('2025-03-05T01:00:00Z');
  nightly.lastEndMs = Date.parse('2025-03-05T02:30:00Z');
  expect(at('03:30:00')).toEqual([]);
  expect(at('04:30:00')).toEqual(old('02:30'));
  nightly.lastEndMs = Date.parse('2025-03-05T03:00:00Z');
  expect(at('04:30:00')).toEqual([]);
  nightly.lastEndMs = null;
  expect(at('04:30:00')).toEqual(old('01:00'));
  hourly.runningSinceMs = Date.parse('2025-03-05T03:00:00Z');
  expect(at('04:30:00')).toEqual([]);
});

it('readiness needs a scheduler that waits for its ticks', () => {
  const state = stateOf({});
  expect(readinessOf(state, START)).toEqual([]);
  state.isStopping = true;
  expect(readinessOf(state, START)).toEqual(['the scheduler is not running']);
  expect(readinessOf({ ...state, isStopping: false, readyMs: null }, START)).toHaveLength(1);
});
