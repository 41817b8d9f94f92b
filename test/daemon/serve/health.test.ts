import { expect, it } from 'vitest';
import { previousTicks } from '../../../src/daemon/schedule/jobs.ts';
import { DaemonState } from '../../../src/daemon/serve/daemon-state.ts';
import { livenessOf, readinessOf } from '../../../src/daemon/serve/service.ts';

const START = Date.parse('2025-03-05T00:10:00Z');
const HOUR = 3_600_000;

function stateOf(schedules: Record<string, string>): DaemonState {
  const state = new DaemonState(
    Object.entries(schedules).map(([name, schedule]) => ({
      name,
      schedule,
      timezone: 'UTC',
      previousTicks: (nowMs, count) => previousTicks({ schedule, timezone: 'UTC' }, nowMs, count),
      nextTick: () => null,
    })),
  );
  state.readyMs = START;
  return state;
}

it('liveness is given while every clock strikes', () => {
  const state = stateOf({ hourly: '0 * * * *', nightly: '17 2 * * *' });
  expect(livenessOf(state, START, START + 40 * 60_000).ok).toBe(true);
  state.of('hourly').lastTickMs = Date.parse('2025-03-05T01:00:00Z');
  expect(livenessOf(state, START, START + HOUR + 40 * 60_000).ok).toBe(true);
});

it('liveness is lost when a tick went by unheard, with a minute and a half of grace', () => {
  const state = stateOf({ hourly: '0 * * * *' });
  const tick = Date.parse('2025-03-05T01:00:00Z');
  expect(livenessOf(state, START, tick + 80_000).ok).toBe(true);
  expect(livenessOf(state, START, tick + 100_000)).toEqual({
    ok: false,
    problems: ['job hourly missed its tick'],
  });
});

it('liveness is lost when the scheduler does not start', () => {
  const state = stateOf({});
  state.readyMs = null;
  expect(livenessOf(state, START, START + 60_000).ok).toBe(true);
  expect(livenessOf(state, START, START + 130_000).problems).toEqual(['the scheduler has not started']);
});

it('readiness needs a published file', () => {
  const state = stateOf({ nightly: '17 2 * * *' });
  const question = { state, fileProblem: 'nothing is published yet', nowMs: START };
  expect(readinessOf(question)).toEqual({ ok: false, problems: ['nothing is published yet'] });
  expect(readinessOf({ ...question, fileProblem: null }).ok).toBe(true);
});

it('readiness needs a run since the last but one tick of the busiest job; a run at work counts', () => {
  const state = stateOf({ hourly: '0 * * * *', nightly: '17 2 * * *' });
  state.of('nightly').lastEndMs = Date.parse('2025-03-05T02:30:00Z');
  const at = (time: string) =>
    readinessOf({ state, fileProblem: null, nowMs: Date.parse(`2025-03-05T${time}Z`) });
  expect(at('03:30:00').ok).toBe(true);
  expect(at('04:30:00').problems).toEqual([
    'the last run ended 2025-03-05T02:30:00.000Z, two ticks ago or more',
  ]);
  state.of('hourly').runningSinceMs = Date.parse('2025-03-05T03:00:00Z');
  expect(at('04:30:00').ok).toBe(true);
});

it('readiness is given up while stopping', () => {
  const state = stateOf({});
  state.isStopping = true;
  expect(readinessOf({ state, fileProblem: null, nowMs: START }).ok).toBe(false);
});
