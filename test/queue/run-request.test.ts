import { expect, test } from 'vitest';
import { dueOf, enqueueRun, type Jobs } from '../../src/scale/queue/jobs.ts';
import { syncRequest } from '../../src/run/sync-request.ts';

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
