import { expect, test, vi } from 'vitest';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import { prepareAnswer, type PreparedOutcome, type SliceOutcome } from '../../src/load/prepare-answer.ts';
import { endpointNamed } from '../support/catalogue.ts';
import { RowCounts } from '../../src/load/merge.ts';
import { LoadQueue } from '../../src/run/load-queue.ts';
import { answerOf } from '../support/answers.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';

const MEBIBYTE = 1_048_576;

/** An answer of that size, and a loader that holds each commit until it is let go. */
function answered(bytes: number): SliceOutcome {
  const answer = answerOf('visibility', []);
  const pages = answer.pages.map((page) => ({ ...page, bytes }));
  return { kind: 'answered', endpoint: endpointNamed('visibility'), answer: { ...answer, pages } };
}

function heldLoader() {
  const batches: number[] = [];
  const held: (() => void)[] = [];
  return {
    batches,
    letGo: () => held.shift()?.(),
    prepare: (outcome: SliceOutcome): PreparedOutcome =>
      outcome.kind === 'failed'
        ? outcome
        : prepareAnswer(endpointNamed('visibility'), outcome.answer, FIRST_RUN),
    commit: async (outcomes: readonly PreparedOutcome[]): Promise<LedgerEntry[]> => {
      batches.push(outcomes.length);
      await new Promise<void>((resolve) => held.push(resolve));
      return outcomes.map((outcome) => entryOf('slice' in outcome ? outcome : outcome.answer));
    },
  };
}

function entryOf({ slice }: Pick<LedgerEntry, 'slice'>): LedgerEntry {
  const figures = { slice, status: 'empty', counts: new RowCounts(), rejects: [], drift: [] } as const;
  return figures as unknown as LedgerEntry;
}

function queueOf(loader: ReturnType<typeof heldLoader>): LoadQueue {
  return new LoadQueue({ loader, onLoaded: () => undefined, onBroken: () => undefined });
}

// Where a bound is another one, a push waits for ever.
const IN_TIME = { timeout: 20_000 };

test('a push waits for the writer only while the bytes in flight are at their bound', IN_TIME, async () => {
  const loader = heldLoader();
  const queue = queueOf(loader);
  for (let count = 0; count < 2000; count += 1) await queue.push(answered(1));
  await queue.push(answered(15 * MEBIBYTE));
  let isPushed = false;
  const push = queue.push(answered(MEBIBYTE)).then(() => (isPushed = true));
  loader.letGo();
  await expect.poll(() => loader.batches).toHaveLength(2);
  expect([loader.batches, isPushed]).toEqual([[400, 1602], false]);
  loader.letGo();
  await push;
  expect(await queue.drain()).toHaveLength(2002);
});

/** An answer of few bytes with many rows, as a series of numbers has. */
function longSeries(rowCount: number): PreparedOutcome {
  const outcome = answered(1);
  const answer = outcome.kind === 'failed' ? answerOf('visibility', []) : outcome.answer;
  const prepared = prepareAnswer(endpointNamed('visibility'), answer, FIRST_RUN);
  return { ...prepared, validated: { ...prepared.validated, rowCount } };
}

test(
  'a transaction takes a bounded number of rows: a number of a series is three bytes',
  IN_TIME,
  async () => {
    const loader = { ...heldLoader(), prepare: () => longSeries(25_000) };
    const queue = queueOf(loader);
    for (let count = 0; count < 2; count += 1) await queue.push(answered(1));
    expect(loader.batches).toEqual([2]);
    for (let count = 0; count < 3; count += 1) await queue.push(answered(1));
    let isPushed = false;
    const push = queue.push(answered(1)).then(() => (isPushed = true));
    await new Promise(setImmediate);
    expect([loader.batches, isPushed]).toEqual([[2], false]);
    loader.letGo();
    await expect.poll(() => loader.batches).toEqual([2, 2]);
    await push;
    expect(isPushed).toBe(true);
    const drained = queue.drain();
    loader.letGo();
    await expect.poll(() => loader.batches).toEqual([2, 2, 2]);
    loader.letGo();
    expect(await drained).toHaveLength(6);
  },
);

test('outcomes that fill no batch are committed after a second', async () => {
  vi.useFakeTimers();
  try {
    const loader = heldLoader();
    const queue = queueOf(loader);
    await queue.push(answered(1));
    await queue.push(answered(1));
    await vi.advanceTimersByTimeAsync(900);
    expect(loader.batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(loader.batches).toEqual([2]);
    loader.letGo();
    expect(await queue.drain()).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
