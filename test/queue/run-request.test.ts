import { expect, test } from 'vitest';
import { dueOf, enqueueRun } from '../../src/scale/queue/jobs.ts';
import type { Jobs } from '../../src/scale/queue/jobs.ts';
import { syncRequest } from '../../src/run/sync-request.ts';

const TICK = Date.parse('2026-03-10T02:00:00Z');

/** Takes each id once, as PostgreSQL does; returns which due jobs made a run. */
async function enqueueAll(...dues: readonly (readonly [job: string, dueMs: number])[]): Promise<boolean[]> {
  const known = new Set<string>();
  const send: Jobs['send'] = async (_queue, _data, options) => {
    const id = options?.id ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    if (known.has(id)) return null;
    known.add(id);
    return id;
  };
  const made: boolean[] = [];
  for (const [job, dueMs] of dues) {
    const findWaiting = (): Promise<[]> => Promise.resolve([]);
    const { isNew } = await enqueueRun({ findWaiting, send }, syncRequest({ job }), { job, dueMs });
    made.push(isNew);
  }
  return made;
}

test('two hosts whose clocks are 0.3 s apart enqueue the same tick once, because its id is its due minute', async () => {
  // One asks 0.2 s before the minute of PostgreSQL begins, the other 0.1 s after.
  expect(await enqueueAll(['nightly', TICK], ['nightly', TICK])).toEqual([true, false]);
});

test('a job makes one run a minute at most, and the next minute is another', async () => {
  const dues = [0, 10_000, 59_999, 60_000].map((afterMs) => ['often', TICK + afterMs] as const);
  expect(await enqueueAll(...dues)).toEqual([true, false, false, true]);
  expect(await enqueueAll(['nightly', TICK], ['hourly', TICK])).toEqual([true, true]);
});

test('a run missed during downtime is enqueued whatever ran before, except a tick that others enqueue now', async () => {
  expect(dueOf(TICK, TICK + 3_600_000)).toBe(TICK + 3_600_000);
  expect(dueOf(TICK, TICK + 60_000)).toBe(TICK + 60_000);
  expect(dueOf(TICK, TICK + 59_999)).toBe(TICK);
});
