import { expect, test } from 'vitest';
import type { Zone } from '../../src/landing/zone.ts';
import { LandingSink } from '../../src/worker/landing-sink.ts';
import { answerOf } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

/** Answers of a full part. */
const PART = 200;

/** A zone whose writes wait until they are let go. */
function heldZone(): Zone & { letGo: () => void } {
  let letGo = (): void => undefined;
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    place: 'held',
    list: () => Promise.resolve([]),
    read: () => Promise.resolve(null),
    write: () => free,
    remove: () => Promise.resolve(),
    letGo,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function sinkOf(zone: Zone): LandingSink {
  return new LandingSink({
    zone,
    run: FIRST_RUN,
    version: '0.0.0',
    round: '000001',
    organization: 'o1',
    effects: virtualEffects(0),
    totals: () => ({ requests: 0, retries: 0 }),
    lost: new AbortController().signal,
    onBroken: (error) => {
      throw error;
    },
  });
}

async function hasRoom(sink: LandingSink): Promise<boolean> {
  let has = false;
  void sink.room().then(() => (has = true));
  await new Promise(setImmediate);
  return has;
}

test('a zone that is slower than the answers keeps requests back: one part is landed and one waits', async () => {
  const zone = heldZone();
  const sink = sinkOf(zone);
  const outcome = { kind: 'answered', answer: answerOf('visibility', []) } as const;
  const pushed: Promise<void>[] = [];
  for (let count = 0; count < PART; count += 1) pushed.push(sink.push(outcome));
  await sink.room();
  for (let count = 0; count < PART; count += 1) pushed.push(sink.push(outcome));
  expect(await hasRoom(sink)).toBe(false);
  zone.letGo();
  await Promise.all(pushed);
  expect(await hasRoom(sink)).toBe(true);
});

test('large answers are landed before two hundred of them wait: a part has a bound in bytes', async () => {
  const zone = heldZone();
  const sink = sinkOf(zone);
  const answer = answerOf('visibility', []);
  const large = { ...answer, pages: answer.pages.map((page) => ({ ...page, bytes: 1_500_000 })) };
  const pushed: Promise<void>[] = [];
  for (let count = 0; count < 6; count += 1) pushed.push(sink.push({ kind: 'answered', answer: large }));
  expect(await hasRoom(sink)).toBe(false);
  zone.letGo();
  await Promise.all(pushed);
  expect(await hasRoom(sink)).toBe(true);
});
