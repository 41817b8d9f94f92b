import { expect, test } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { waitingZone } from '../../src/scale/landing/zone.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { stubZone } from './zones.ts';

const away = (): AnswerlakeError => new AnswerlakeError('away', { class: 'storage' });

/** Runs calls on a zone that fails with `errors`; returns what was reported, and when. */
function open(errors: unknown[], signal = new AbortController().signal) {
  const effects = virtualEffects(0);
  const reported: (readonly [problem: string | null, atMs: number])[] = [];
  const fail = async (): Promise<void> => {
    if (errors.length > 0) throw errors.shift();
  };
  const zone = waitingZone(stubZone(fail), {
    effects,
    pauseMs: 5_000,
    signal,
    report: async (problem) => void reported.push([problem, effects.now()]),
  });
  return { zone, reported };
}

test('a call on a zone that is away waits, and reports the problem before each pause, and its end', async () => {
  const errors: unknown[] = [];
  const { zone, reported } = open(errors);
  await zone.write('name', Buffer.from(''));
  expect(reported.splice(0)).toEqual([[null, 0]]);
  errors.push(away(), away());
  expect(await zone.list('')).toEqual([]);
  expect(reported).toEqual([
    ['away', 0],
    ['away', 5_000],
    [null, 10_000],
  ]);
});

test('a call on a zone that is away fails after the signal, and at once with any other error', async () => {
  const stopped = open([away()], AbortSignal.abort());
  await expect(stopped.zone.read('name')).rejects.toThrow('away');
  expect(stopped.reported).toEqual([]);
  for (const error of [new Error('a bug'), new AnswerlakeError('a bug', { class: 'configuration' })]) {
    const other = open([error]);
    await expect(other.zone.remove('name')).rejects.toThrow('a bug');
    expect(other.reported).toEqual([]);
  }
});
