import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import type { SliceOutcome } from '../../src/load/prepare-answer.ts';
import type { ApiClient } from '../../src/extract/client.ts';
import { PLAIN } from '../config/loaded.ts';
import { JudgedSink } from '../../src/run/judged-sink.ts';
import { Prober } from '../../src/run/prober.ts';
import { answered, answerOf, FETCHED_AT, type SliceChanges } from '../support/answers.ts';
import { silentLog } from '../../src/log.ts';

const BODY = [1, 2, 3].map((value) => ({ date: `2026-03-0${String(value + 1)}`, value }));

/** A project and two models with equal answers, whose one question ends as `ask` does; the scopes that went on, and the verdict of the last. */
async function judged(
  ask: (...question: Parameters<Prober['ask']>) => ReturnType<Prober['ask']>,
  signal = new AbortController().signal,
) {
  const taken: SliceOutcome[] = [];
  const sink = new JudgedSink({
    sink: { waitForCapacity: async () => {}, push: async (outcome) => void taken.push(outcome) },
    prober: { ask } as unknown as Prober,
    signal,
    projects: 1,
    probed: [],
  });
  const slices: SliceChanges[] = [{}, ...['m', 'n'].map((scopeId) => ({ scope: 'model' as const, scopeId }))];
  for (const slice of slices) await sink.push(answered(answerOf('visibility', BODY, { slice })));
  await sink.settle();
  return taken.map((one) => (one.kind === 'answered' ? (one.answer.verdict ?? 'good') : one.error));
}

it.each(['good', 'ignored'] as const)(
  'the finding of one more question is the verdict: %s',
  async (finding) => {
    let asked = 0;
    const found = await judged(() => Promise.resolve((asked++, finding)));
    expect([asked, found]).toEqual([
      1,
      ['good', ...(finding === 'good' ? ['good', 'good'] : ['filter', 'filter'])],
    ]);
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
