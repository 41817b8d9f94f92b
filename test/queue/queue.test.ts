import { expect, test } from 'vitest';
import { queueLines, type QueueState } from '../../src/scale/queue/queue-state.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { HEARTBEAT, reconnecting } from '../../src/scale/queue/processes.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { dueOf, enqueueRun, type Jobs, type QueuedJob } from '../../src/scale/queue/jobs.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { waitForRun } from '../../src/cli/queue.ts';

const since = new Date('2026-03-01T02:10:00Z');
const round = { job_id: '1', run: 'run-1', round: '000001', slices: 24, tries: 0, since };
const state: QueueState = {
  isPaused: false,
  processes: [],
  runs: [],
  organizations: [],
  deadLetters: [],
  partsWaiting: 0,
  zone: null,
};

test('the state of the queue says who waits since when, and who until when', () => {
  const organizations: QueueState['organizations'] = [
    { ...round, organization: 'account:acme', state: 'under way' },
    { ...round, organization: 'o1', state: 'parked' },
    { ...round, organization: 'o2', state: 'waiting' },
    { ...round, organization: 'o3', state: 'tried again', slices: 1, tries: 2 },
  ];
  expect(queueLines({ ...state, organizations }).slice(1)).toEqual([
    '  account acme: under way since 2026-03-01 02:10 UTC, 24 slices',
    '  organization o1: parked until 2026-03-01 02:10 UTC, 24 slices',
    '  organization o2: waiting since 2026-03-01 02:10 UTC, 24 slices',
    '  organization o3: tried again from 2026-03-01 02:10 UTC, 1 slice, try 3',
    '  ! no worker is running: start answerlake worker',
    '  ! no loader is running: start answerlake loader',
  ]);
});

test('a paused queue, missing processes and dead letters are told with what to do', () => {
  const process = { process_id: '1', host: 'h1', version: '0.0.0', started_at: since, seen_at: since };
  const processes: QueueState['processes'] = [
    { ...process, kind: 'worker', is_alive: false, detail: { landing_problem: 'gone' } },
    {
      ...process,
      kind: 'loader',
      is_alive: true,
      detail: { landing_problem: 'it is full.', parked: [['account:acme', since.getTime()]] },
    },
  ];
  const dead = {
    id: '1',
    run: 'run-1',
    organization: 'o1',
    slices: 3,
    reason: 'it cannot land',
    died_at: since,
  };
  expect(queueLines({ ...state, processes, isPaused: true, deadLetters: [dead], partsWaiting: 1 })).toEqual([
    '0 workers, 1 loader',
    '  account acme: parked until 2026-03-01 02:10 UTC',
    '  1 part is not loaded yet',
    '  ! the queue is paused: to continue, run answerlake queue resume',
    '  ! no worker is running: start answerlake worker',
    '  ! the loader on h1 waits for the landing zone: it is full',
    '  ! organization o1 was abandoned (it cannot land): run answerlake queue retry to try again',
  ]);
});

test.each([
  ['locked', 'at its start', 2],
  ['storage', 'after it has begun', 2],
  ['storage', 'at its start', 1],
  ['configuration', 'after it has begun', 1],
] as const)('a process that an error of class %s ends %s runs %i times', async (of, when, times) => {
  const stopping = new AbortController();
  const error = new AnswerlakeError('it ended', { class: of });
  const effects = virtualEffects(0);
  let runs = 0;
  const context = { effects, log: silentLog, signal: stopping.signal };
  const ended = reconnecting('worker', { context, heartbeat: HEARTBEAT }, async (begun) => {
    runs += 1;
    if (runs === 2) return stopping.abort();
    if (when === 'after it has begun') begun();
    throw error;
  });
  expect(await ended.catch((reason: unknown) => reason)).toBe(times === 1 ? error : 130);
  expect(runs).toBe(times);
  expect(effects.now()).toBe((times - 1) * HEARTBEAT.reconnectMs);
});

const TICK = Date.parse('2026-03-10T02:00:00Z');

test.each([
  ['two hosts whose clocks differ enqueue a tick once', [0, 0], 'nightly', [true, false]],
  [
    'a job makes one run a minute at most',
    [0, 10_000, 59_999, 60_000],
    'nightly',
    [true, false, false, true],
  ],
  ['another job of the same tick makes a run of its own', [0, 0], 'hourly', [true, true]],
])('%s, because the id of a run is its due minute', async (...[_title, afterMs, last, made]) => {
  // Takes each id once, as PostgreSQL does.
  const known = new Set<string>();
  const send: Jobs['send'] = async (_queue, _data, options) => {
    const id = options?.id ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    return known.has(id) ? null : ([...known.add(id)].at(-1) ?? null);
  };
  const runs: boolean[] = [];
  for (const [index, after] of afterMs.entries()) {
    const job = index === afterMs.length - 1 ? last : 'nightly';
    const jobs = { findWaiting: () => Promise.resolve([]), send };
    runs.push((await enqueueRun(jobs, syncRequest({ job }), { job, dueMs: TICK + after })).isNew);
  }
  expect(runs).toEqual(made);
});

test('a run missed during downtime is enqueued whatever ran before, except a tick that others enqueue now', () => {
  expect(dueOf(TICK, TICK + 3_600_000)).toBe(TICK + 3_600_000);
  expect(dueOf(TICK, TICK + 60_000)).toBe(TICK + 60_000);
  expect(dueOf(TICK, TICK + 59_999)).toBe(TICK);
});

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 5, 2);

const job = (state: QueuedJob['state'], output: unknown = null): QueuedJob => ({
  id: '1',
  state,
  output,
});
const away = (): never => {
  throw new AnswerlakeError('queue.url: PostgreSQL does not serve the queue', { class: 'storage' });
};

/** Waits for a run that is as `stateAt` says, by milliseconds since the start. */
function waiting(stateAt: (elapsedMs: number) => QueuedJob | undefined, problems: () => string[] = () => []) {
  const effects = virtualEffects(START);
  const notes: string[] = [];
  const context = {
    effects,
    signal: new AbortController().signal,
    note: (text: string | null) => void notes.push(text ?? ''),
  };
  const ended = waitForRun({
    find: async () => stateAt(effects.now() - START),
    problems: async () => problems(),
    context,
  });
  return { ended, notes, elapsedMs: () => effects.now() - START };
}

test('a run that is waited for survives a database that is away for four minutes, and says so once', async () => {
  const { ended, notes } = waiting((elapsedMs) => {
    if (elapsedMs > MINUTE_MS && elapsedMs < 5 * MINUTE_MS) away();
    return elapsedMs < 6 * MINUTE_MS ? job('active') : job('completed', { exit_code: 0 });
  });
  expect(await ended).toEqual({ exit_code: 0 });
  expect(notes).toEqual(['Waiting: PostgreSQL does not serve the queue.']);
});

test('a database that stays away ends the wait after five minutes', async () => {
  const { ended, elapsedMs } = waiting((elapsed) => (elapsed > MINUTE_MS ? away() : job('active')));
  await expect(ended).rejects.toMatchObject({ class: 'storage' });
  expect(elapsedMs()).toBeGreaterThanOrEqual(6 * MINUTE_MS);
  expect(elapsedMs()).toBeLessThan(6 * MINUTE_MS + 2_000);
});

test('a run without workers prints each reason once, and goes on when it is fixed', async () => {
  let problems = ['the queue is paused', 'no worker is there'];
  let looks = 0;
  const { ended, notes } = waiting(
    (elapsedMs) => {
      if (elapsedMs > 2 * MINUTE_MS) problems = [];
      return elapsedMs < 3 * MINUTE_MS ? job('created') : job('completed', 'done');
    },
    () => {
      looks += 1;
      return problems;
    },
  );
  expect(await ended).toBe('done');
  // Every ten seconds.
  expect(looks).toBe(17);
  expect(notes).toEqual(['Waiting: the queue is paused.', 'Waiting: no worker is there.']);
});

test.each(['failed', 'cancelled', undefined] as const)('a run that is %s was given up', async (state) => {
  const { ended, notes } = waiting(() => (state === undefined ? undefined : job(state)));
  await expect(ended).rejects.toMatchObject({ class: 'transient' });
  expect(notes).toEqual([]);
});
