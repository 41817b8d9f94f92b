import { expect, it, test, vi } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import type { SliceOutcome } from '../../src/load/prepare-answer.ts';
import type { ApiClient } from '../../src/extract/client.ts';
import { PLAIN } from '../config/loaded.ts';
import { Backlog, BACKLOG, type BacklogOptions } from '../../src/run/backlog.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { Prober } from '../../src/check/prober.ts';
import { addDays, toDay } from '../../src/day.ts';
import { answered, answerOf, days, FETCHED_AT, type SliceChanges } from '../support/answers.ts';
import { silentLog } from '../../src/log.ts';

const BODY = [1, 2, 3].map((value) => ({ date: `2026-03-0${String(value + 1)}`, value }));

function backlogOf<Prepared>(
  options: Pick<BacklogOptions<Prepared>, 'writer'> & Partial<BacklogOptions<Prepared>>,
) {
  const prober = { ask: () => Promise.reject(new Error('nothing is asked')) };
  const { signal } = new AbortController();
  return new Backlog({ prober, signal, projects: 1, probed: [], onBroken: () => undefined, ...options });
}

/** A project and two models with equal answers, whose one question ends as `ask` does; the scopes that went on, and the verdict of the last. */
async function judged(
  ask: (...question: Parameters<Prober['ask']>) => ReturnType<Prober['ask']>,
  signal = new AbortController().signal,
) {
  const taken: SliceOutcome[] = [];
  const writer = {
    prepare: (one: SliceOutcome) => one,
    write: async (all: readonly SliceOutcome[]) => void taken.push(...all),
  };
  const backlog = backlogOf({ writer, prober: { ask }, signal });
  const slices: SliceChanges[] = [{}, ...['m', 'n'].map((scopeId) => ({ scope: 'model' as const, scopeId }))];
  for (const slice of slices) await backlog.push(answered(answerOf('visibility', BODY, { slice })));
  await backlog.drain();
  return taken.map((one) => (one.kind === 'answered' ? (one.answer.verdict ?? 'good') : one.error));
}

it.each(['good', 'ignored'] as const)(
  'the finding of one more question is the verdict: %s',
  async (finding) => {
    let asked = 0;
    const found = await judged(() => Promise.resolve((asked++, finding)));
    const verdict = finding === 'good' ? 'good' : 'filter';
    expect([asked, ...found]).toEqual([1, 'good', verdict, verdict]);
  },
);

it('what a stopped run could not ask about is passed on by a later run', async () => {
  const stopped = new AnswerlakeError('closed', { class: 'stopped' });
  expect(await judged(() => Promise.reject(stopped))).toEqual(['good']);
  const controller = new AbortController();
  const broken = (): Promise<never> => {
    controller.abort();
    return Promise.reject(new TypeError('terminated'));
  };
  expect(await judged(broken, controller.signal)).toEqual(['good']);
  await expect(judged(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});

it.each<[string, unknown, string]>([
  ['the same rows', BODY, 'filter'],
  ['other rows', BODY.slice(1), 'good'],
  ['rows of days that were not asked for', [{ date: '2020-01-01', value: 1 }], 'good'],
  ['a body of another shape', { odd: true }, 'good'],
])('a value that does not exist is answered with %s', async (_, body, verdict) => {
  const get = () => Promise.resolve({ status: 200, body, fetchedAt: FETCHED_AT, requests: 1, bytes: 0 });
  const prober = new Prober({
    config: PLAIN,
    log: silentLog,
    signal: new AbortController().signal,
    clients: { of: () => ({ get }) as unknown as ApiClient },
    accounts: [],
  });
  expect(await judged((question) => prober.ask(question))).toEqual(['good', verdict, verdict]);
});

/** Counts the outcomes of each write, and holds it until it is let go. */
function heldWriter() {
  const writes: number[] = [];
  const held: (() => void)[] = [];
  return {
    writes,
    letGo: () => held.shift()?.(),
    prepare: (outcome: SliceOutcome) => outcome,
    write: async (outcomes: readonly SliceOutcome[]) => {
      writes.push(outcomes.length);
      await new Promise<void>((resolve) => held.push(resolve));
    },
  };
}

const MEBIBYTE = 1_048_576;

/** An outcome of that size. */
function sized(answer: ArchivedAnswer, bytes: number): SliceOutcome {
  return answered({ ...answer, pages: answer.pages.map((page) => ({ ...page, bytes })) });
}

/** An answer that is compared with no other. */
function eventsOf(bytes: number): SliceOutcome {
  return sized(answerOf('events', { events: [], total: 0, page: 0, size: 200, totalPages: 0 }), bytes);
}

/** Equal for all filters, so that it waits for another. */
function pointsOf(scopeId: string, rows: number, bytes = 0): SliceOutcome {
  const first = toDay('2000-01-01');
  const body = Array.from({ length: rows }, (_, value) => ({ date: addDays(first, value), value }));
  const window = days(first, addDays(first, rows));
  const slice = scopeId === '' ? { window } : { window, scope: 'model' as const, scopeId };
  return sized(answerOf('visibility', body, { slice }), bytes);
}

test.each([
  ['bytes', () => eventsOf(MEBIBYTE), [8, 8]],
  ['answers without rows', () => eventsOf(0), [512, 512]],
  ['rows', () => pointsOf('', 12_500), [2, 2]],
])('a kill loses at most what the backlog holds: %s', async (_, next, writes) => {
  const writer = heldWriter();
  const backlog = backlogOf({ writer });
  let pushed = 0;
  const stop = new AbortController();
  const pushing = (async () => {
    for (; !stop.signal.aborted; pushed += 1) await backlog.push(next());
  })();
  const most = writes.reduce((sum, count) => sum + count, 0);
  await expect.poll(() => pushed, { timeout: 20_000 }).toBe(most - 1);
  stop.abort();
  expect(writer.writes).toEqual(writes.slice(0, 1));
  writer.letGo();
  await pushing;
  const drained = backlog.drain();
  await expect.poll(() => (writer.letGo(), writer.writes)).toEqual(writes);
  await drained;
});

test('what can be written is written after a second, and what waits to be told apart after thirty', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const writer = heldWriter();
    const prober = { ask: () => Promise.resolve((asked++, 'good' as const)) };
    const backlog = backlogOf({ writer, prober });
    await backlog.push(eventsOf(1));
    for (const scopeId of ['', 'm', 'n']) await backlog.push(pointsOf(scopeId, 3));
    await vi.advanceTimersByTimeAsync(900);
    expect(writer.writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect([writer.writes, asked]).toEqual([[2], 0]);
    writer.letGo();
    await vi.advanceTimersByTimeAsync(BACKLOG.ageMs);
    expect([writer.writes, asked]).toEqual([[2, 2], 1]);
    writer.letGo();
    await backlog.drain();
  } finally {
    vi.useRealTimers();
  }
});

test('a full backlog asks about what waits to be told apart, and never waits for itself', async () => {
  let asked = 0;
  const writer = { prepare: (one: SliceOutcome) => one, write: async () => undefined };
  const backlog = backlogOf({ writer, prober: { ask: () => Promise.resolve((asked++, 'good' as const)) } });
  for (const scopeId of ['', 'm', 'n', 'o']) await backlog.push(pointsOf(scopeId, 3, 6 * MEBIBYTE));
  expect(asked).toBe(1);
  await backlog.drain();
});

test('a writer that breaks stops the pushes that wait for it', async () => {
  const broken: unknown[] = [];
  const writer = { prepare: (one: SliceOutcome) => one, write: () => Promise.reject(new Error('disk full')) };
  const backlog = backlogOf({ writer, onBroken: (error) => broken.push(error) });
  await expect(backlog.push(eventsOf(BACKLOG.bytes))).rejects.toThrow('disk full');
  await expect(backlog.drain()).rejects.toThrow('disk full');
  expect(broken).toHaveLength(1);
});
