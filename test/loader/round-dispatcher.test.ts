import { expect, test } from 'vitest';
import type { Intake } from '../../src/scale/loader/intake.ts';
import { openRoundDispatcher } from '../../src/scale/loader/round-dispatcher.ts';
import type { Jobs, QueuedJob } from '../../src/scale/queue/jobs.ts';
import type { RoundEnd, RoundJson } from '../../src/scale/queue/round.ts';
import { openWaitBudget } from '../../src/extract/pace.ts';
import { openQuota } from '../../src/extract/quota.ts';
import { silentLog } from '../../src/log.ts';
import { toDay } from '../../src/day.ts';
import { sliceOf } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';
import { ROUND_END } from './round-end.ts';

const END: RoundEnd = {
  ...ROUND_END,
  requests: 3,
  retries: 1,
  warnings: ['odd'],
  quotas: [['o1', { limit: 100, remaining: 40, resetAt: 0 }]],
};

type State = Pick<QueuedJob, 'state'> & { output?: unknown };

/** Dispatches a round of each organization; `states` has the states of each job, one look after the other. */
async function dispatch(states: Readonly<Record<string, State[]>>, signal = new AbortController().signal) {
  const cancelled: string[] = [];
  const loadedAt: number[] = [];
  const parts = [
    ...Object.keys(states).map((_, index) => `00000${String(index + 1)}`),
    'of an earlier round',
  ];
  const jobs: Pick<Jobs, 'send' | 'find' | 'cancel'> = {
    send: async (_queue, _round, options) => options?.singletonKey ?? '',
    find: async (_queue, ids) =>
      ids.flatMap((id) => {
        const state = states[id]?.shift();
        return state === undefined ? [] : [{ id, output: null, ...state }];
      }),
    cancel: async (_queue, id) => void cancelled.push(id),
  };
  const intake: Pick<Intake, 'take'> = {
    take: async (_start, takenBy) => {
      loadedAt.push(effects.now());
      for (const round of parts.splice(0)) {
        const taken = takenBy(round);
        taken.answered.push(sliceOf('visibility', { projectId: round }));
        taken.requests += 10;
      }
    },
  };
  const effects = virtualEffects(0);
  const quota = openQuota({ reserve: 0, waitBudget: openWaitBudget(0), effects, log: silentLog });
  const clients = { quotas: new Map([['o1', quota]]), totals: () => ({ requests: 2, retries: 0 }) };
  const logged: unknown[] = [];
  const dispatcher = openRoundDispatcher({
    jobs,
    intake,
    clients,
    effects,
    log: { ...silentLog, info: (...event) => void logged.push(event) },
    signal,
  });
  const ended = await Promise.all(
    Object.keys(states).map(async (organization) => {
      const round = {
        run: { ...FIRST_RUN, syncDay: toDay('2026-03-10') },
        organization,
      } as RoundJson;
      const { end, reason, taken } = await dispatcher.dispatch(round, organization === 'parked' ? 60_000 : 0);
      return [end?.requests ?? reason, taken.answered.map(({ projectId }) => projectId)];
    }),
  );
  return { ended, dispatcher, quota, cancelled, logged, loadedAt, tookMs: effects.now() };
}

test('rounds of all organizations end with their own answers, and every request is counted', async () => {
  const { ended, dispatcher, quota, tookMs } = await dispatch({
    o1: [{ state: 'created' }, { state: 'active' }, { state: 'completed', output: END }],
    o2: [{ state: 'retry' }, { state: 'failed', output: { message: 'the worker is gone' } }],
    o3: [{ state: 'completed', output: {} }],
    o4: [],
  });
  expect(ended).toEqual([
    [3, ['000001']],
    ['the worker is gone', ['000002']],
    [expect.stringContaining("the worker's report cannot be read"), ['000003']],
    ['the job is gone', ['000004']],
  ]);
  expect(dispatcher.totals()).toEqual({ requests: 55, retries: 1 });
  expect(dispatcher.warnings()).toEqual(['odd']);
  expect(quota.snapshot()).toMatchObject({ remaining: 40 });
  expect(tookMs).toBe(750);
});

test('what a long round has landed is loaded while it runs', async () => {
  const { loadedAt } = await dispatch({ o1: Array.from({ length: 20 }, () => ({ state: 'active' })) });
  expect(loadedAt).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 5_250]);
});

test('after the signal, rounds are cancelled and end without a reason', async () => {
  const { ended, cancelled } = await dispatch({ o1: [], o2: [] }, AbortSignal.abort());
  expect(ended).toEqual([
    [null, []],
    [null, []],
  ]);
  expect(cancelled).toEqual(['o1', 'o2']);
});

test('the log says until when a round is parked', async () => {
  const { logged } = await dispatch({ parked: [], o1: [] });
  expect(logged).toEqual([
    ['organization.parked', { organization: 'parked', until: '1970-01-01T00:01:00.000Z' }],
  ]);
});
