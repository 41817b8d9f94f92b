import { expect, test } from 'vitest';
import type { Zone } from '../../src/scale/landing/zone.ts';
import { openLandingSink, WrongClockError } from '../../src/scale/worker/serve-round.ts';
import { listParts } from '../../src/scale/landing/part.ts';
import { newZone, readLanded, stubZone } from '../landing/zones.ts';
import { answerOf, FETCHED_AT } from '../support/answers.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

const HOUR = 3_600_000;
const answer = answerOf('visibility', []);
const ANSWERED = { kind: 'answered', answer } as const;

function sinkOf(zone: Zone, { serverAheadMs = 0, effects = virtualEffects(0) } = {}) {
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

async function hasRoom(sink: ReturnType<typeof sinkOf>): Promise<boolean> {
  let has = false;
  void sink.waitForCapacity().then(() => (has = true));
  await new Promise(setImmediate);
  return has;
}

test.each([
  ['two hundred answers', 200, 1_000],
  ['4 MiB', 3, 1_500_000],
])(
  'a part holds %s: a slow zone has one under way and one waiting, and keeps requests back',
  async (_, count, bytes) => {
    let letGo = (): void => undefined;
    const free = new Promise<void>((resolve) => (letGo = resolve));
    const sink = sinkOf(stubZone(() => free));
    const sized = { ...answer, pages: answer.pages.map((page) => ({ ...page, bytes })) };
    const pushed: Promise<void>[] = [];
    const rooms: boolean[] = [];
    for (const _ of [1, 2]) {
      for (let left = count; left > 0; left -= 1) pushed.push(sink.push({ ...ANSWERED, answer: sized }));
      rooms.push(await hasRoom(sink));
    }
    letGo();
    await Promise.all(pushed);
    expect([...rooms, await hasRoom(sink)]).toEqual([true, false, true]);
  },
);

test('an answer waits for others of its part for two seconds at most', async () => {
  const zone = await newZone('a folder');
  const effects = virtualEffects(5_000);
  const sink = sinkOf(zone, { effects });
  const parts: number[] = [];
  for (const passedMs of [0, 1_999, 1]) {
    effects.advance(passedMs);
    await sink.push(ANSWERED);
    parts.push((await listParts(zone, '')).length);
  }
  expect(parts).toEqual([0, 0, 1]);
});

test('a worker whose clock is ahead lands its answers by the clock of the server', async () => {
  const zone = await newZone('a folder');
  const sink = sinkOf(zone, { serverAheadMs: -30 * HOUR });
  const failure = { slice: answer.slice, error: new Error('no'), requests: 1, httpStatus: null };
  await sink.push(ANSWERED);
  await sink.push({ kind: 'failed', ...failure, at: FETCHED_AT });
  expect(await sink.finish()).toEqual({ requests: 2, retries: 1 });
  const [name = ''] = await listParts(zone, '');
  expect(await readLanded(zone, name)).toMatchObject({
    manifest: { requests: 2, retries: 1 },
    answers: [{ pages: [{ fetchedAt: FETCHED_AT - 30 * HOUR }] }],
  });
  expect(sink.failed).toMatchObject([{ at: FETCHED_AT - 30 * HOUR }]);
});

test('a worker whose clock is two days off lands nothing of a round of slices', async () => {
  const zone = await newZone('a folder');
  const sink = sinkOf(zone, { serverAheadMs: 48 * HOUR });
  await expect(sink.push(ANSWERED)).rejects.toThrow(WrongClockError);
  await expect(sink.finish()).rejects.toThrow("this machine's clock is 48h behind the server's");
  expect(sink.broken.reason).toBeInstanceOf(WrongClockError);
  expect(await listParts(zone, '')).toEqual([]);
});
