import { expect, it } from 'vitest';
import { waitForRun } from '../../src/cli/queue.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import type { QueuedJob } from '../../src/scale/queue/jobs.ts';
import { virtualEffects } from '../support/virtual-effects.ts';

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
    note: (text: string) => void notes.push(text),
  };
  const ended = waitForRun({
    find: async () => stateAt(effects.now() - START),
    problems: async () => problems(),
    context,
  });
  return { ended, notes, elapsedMs: () => effects.now() - START };
}

it('a run that is waited for survives a database that is away for four minutes, and says so once', async () => {
  const { ended, notes } = waiting((elapsedMs) => {
    if (elapsedMs > MINUTE_MS && elapsedMs < 5 * MINUTE_MS) away();
    return elapsedMs < 6 * MINUTE_MS ? job('active') : job('completed', { exit_code: 0 });
  });
  expect(await ended).toEqual({ exit_code: 0 });
  expect(notes).toEqual(['Waiting: PostgreSQL does not serve the queue.']);
});

it('a database that stays away ends the wait after five minutes', async () => {
  const { ended, elapsedMs } = waiting((elapsed) => (elapsed > MINUTE_MS ? away() : job('active')));
  await expect(ended).rejects.toMatchObject({ class: 'storage' });
  expect(elapsedMs()).toBeGreaterThanOrEqual(6 * MINUTE_MS);
  expect(elapsedMs()).toBeLessThan(6 * MINUTE_MS + 2_000);
});

it('a run without workers prints each reason once, and goes on when it is fixed', async () => {
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

it.each(['failed', 'cancelled', undefined] as const)('a run that is %s was given up', async (state) => {
  const { ended, notes } = waiting(() => (state === undefined ? undefined : job(state)));
  await expect(ended).rejects.toMatchObject({ class: 'transient' });
  expect(notes).toEqual([]);
});
