import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import type { SliceOutcome } from '../../src/load/prepare-answer.ts';
import { JudgedSink } from '../../src/run/judged-sink.ts';
import { answerOf, type SliceChanges } from '../support/answers.ts';

const BODY = [1, 2, 3].map((value) => ({ date: `2026-03-0${String(value + 1)}`, value }));

/** A project and two models with equal answers, whose one question ends as `ask` does; the scopes that went on, and the verdict of the last. */
async function judged(ask: () => Promise<'good' | 'ignored'>, signal = new AbortController().signal) {
  const taken: SliceOutcome[] = [];
  const sink = new JudgedSink({
    sink: { waitForCapacity: async () => {}, push: async (outcome) => void taken.push(outcome) },
    prober: { ask } as unknown as ConstructorParameters<typeof JudgedSink>[0]['prober'],
    signal,
    projects: 1,
    probed: [],
  });
  const slices: SliceChanges[] = [{}, ...['m', 'n'].map((scopeId) => ({ scope: 'model' as const, scopeId }))];
  for (const slice of slices)
    await sink.push({ kind: 'answered', answer: answerOf('visibility', BODY, { slice }) });
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
