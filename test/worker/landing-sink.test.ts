import { expect, test } from 'vitest';
import type { Zone } from '../../src/scale/landing/zone.ts';
import { type LandingSink, openLandingSink, WrongClockError } from '../../src/scale/worker/landing-sink.ts';
import { listParts, readManifest } from '../../src/scale/landing/part.ts';
import { newZone, readLanded, stubZone } from '../landing/zones.ts';
import { answerOf, FETCHED_AT } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

const HOUR = 3_600_000;
/** Answers of a full part. */
const PART = 200;

/** A zone whose writes wait until they are let go. */
function heldZone(): Zone & { letGo: () => void } {
  let letGo = (): void => undefined;
  const free = new Promise<void>((resolve) => (letGo = resolve));
  return { ...stubZone(() => free), letGo };
}

function sinkOf(zone: Zone, { serverAheadMs = 0, effects = virtualEffects(0) } = {}): LandingSink {
  let requests = 0;
  return openLandingSink({
    zone,
    run: FIRST_RUN,
    version: '0.0.0',
    round: '000001',
    effects,
    aheadOf: () => serverAheadMs,
    // Two more at each look.
    totals: () => ({ requests: (requests += 2), retries: requests / 2 }),
    lossSignal: new AbortController().signal,
  });
}

async function hasRoom(sink: LandingSink): Promise<boolean> {
  let has = false;
  void sink.waitForCapacity().then(() => (has = true));
  await new Promise(setImmediate);
  return has;
}

test.each([
  ['two hundred answers', PART, 1_000],
  ['4 MiB', 3, 1_500_000],
])(
  'a part holds %s: a slow zone has one under way and one waiting, and keeps requests back',
  async (_, count, bytes) => {
    const zone = heldZone();
    const sink = sinkOf(zone);
    const answer = answerOf('visibility', []);
    const sized = { ...answer, pages: answer.pages.map((page) => ({ ...page, bytes })) };
    const pushed: Promise<void>[] = [];
    const pushPart = (): void => {
      for (let left = count; left > 0; left -= 1) pushed.push(sink.push({ kind: 'answered', answer: sized }));
    };
    pushPart();
    expect(await hasRoom(sink)).toBe(true);
    pushPart();
    expect(await hasRoom(sink)).toBe(false);
    zone.letGo();
    await Promise.all(pushed);
    expect(await hasRoom(sink)).toBe(true);
  },
);

test('an answer waits for others of its part for two seconds at most', async () => {
  const zone = await newZone('a folder');
  const effects = virtualEffects(5_000);
  const sink = sinkOf(zone, { effects });
  const parts: number[] = [];
  for (const passedMs of [0, 1_999, 1]) {
    effects.advance(passedMs);
    await sink.push({ kind: 'answered', answer: answerOf('visibility', []) });
    parts.push((await listParts(zone, '')).length);
  }
  expect(parts).toEqual([0, 0, 1]);
});

test('a worker whose clock is ahead lands its answers by the clock of the server', async () => {
  const zone = await newZone('a folder');
  const sink = sinkOf(zone, { serverAheadMs: -30 * HOUR });
  const answer = answerOf('visibility', []);
  const at = FETCHED_AT;
  const failure = { slice: answer.slice, error: new Error('no'), requests: 1, httpStatus: null, at };
  await sink.push({ kind: 'answered', answer });
  await sink.push({ kind: 'failed', ...failure });
  expect(await sink.finish()).toEqual({ requests: 2, retries: 1 });
  const [name = ''] = await listParts(zone, '');
  const manifest = await readManifest(zone, name);
  expect(manifest).toMatchObject({ manifest: { requests: 2, retries: 1 } });
  expect(await readLanded(zone, name)).toMatchObject({
    answers: [{ pages: [{ fetchedAt: FETCHED_AT - 30 * HOUR }] }],
  });
  expect(sink.failed).toMatchObject([{ at: FETCHED_AT - 30 * HOUR }]);
});

test('a worker whose clock is two days off lands nothing of a round of slices', async () => {
  const zone = await newZone('a folder');
  const sink = sinkOf(zone, { serverAheadMs: 48 * HOUR });
  const outcome = { kind: 'answered', answer: answerOf('visibility', []) } as const;
  await expect(sink.push(outcome)).rejects.toThrow(WrongClockError);
  await expect(sink.finish()).rejects.toThrow("this machine's clock is 48h behind the server's");
  expect(sink.broken.reason).toBeInstanceOf(WrongClockError);
  expect(await listParts(zone, '')).toEqual([]);
});
