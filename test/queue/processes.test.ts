import { expect, test } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { HEARTBEAT, reconnecting } from '../../src/scale/queue/processes.ts';
import { virtualEffects } from '../support/virtual-effects.ts';

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
  const request = { kind: 'worker', effects, log: silentLog, heartbeat: HEARTBEAT } as const;
  const ended = reconnecting({ ...request, signal: stopping.signal }, async (begun) => {
    runs += 1;
    if (runs === 2) return stopping.abort();
    if (when === 'after it has begun') begun();
    throw error;
  });
  expect(await ended.catch((reason: unknown) => reason)).toBe(times === 1 ? error : 130);
  expect(runs).toBe(times);
  expect(effects.now()).toBe((times - 1) * HEARTBEAT.reconnectMs);
});
