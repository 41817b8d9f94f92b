import { expect, test } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { openLimiter } from '../../src/extract/pace.ts';
import { Refusals, type Verdict } from '../../src/run/refusals.ts';
import { windowSlice, type WindowSlice } from '../../src/slice.ts';

function month(scopeId: string, start: string): WindowSlice {
  const target = { endpoint: 'competitor_mentions', projectId: 'p', scope: 'project', scopeId } as const;
  return windowSlice(target, 'month', { start: toDay(start), end: addDays(toDay(start), 27) });
}

const MONTH = toDay('2025-01-01');
const MONTHS = ['2025-01-01', '2025-02-01', '2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01'];

/** Asks for slices as tasks of a limiter; each request is answered by hand. */
function opened(concurrency = 4) {
  const limiter = openLimiter(concurrency);
  const refusals = new Refusals();
  const asked: string[] = [];
  const answers: ((verdict: Verdict) => void)[] = [];
  const ask = (slice: WindowSlice): Promise<string | null> =>
    limiter.task(async (releaseWhile) => {
      const said = await refusals.enter(slice, releaseWhile);
      if (said !== null) return said;
      asked.push(`${slice.scopeId} ${slice.window.start}`);
      refusals.leave(slice, await new Promise<Verdict>((resolve) => answers.push(resolve)));
      return null;
    });
  return { asked, answers, ask, settled: () => new Promise(setImmediate) };
}

test('windows that wait for the first answers of their series leave their slots to other series', async () => {
  const { asked, answers, ask, settled } = opened();
  const all = Promise.all([...MONTHS.map((start) => ask(month('a', start))), ask(month('b', '2025-01-01'))]);
  await settled();
  expect(asked).toEqual(['a 2025-01-01', 'a 2025-02-01', 'a 2025-03-01', 'b 2025-01-01']);
  answers[0]?.({ kind: 'answered' });
  await settled();
  expect(asked.slice(4)).toEqual(['a 2025-04-01']);
  for (let next = 1; next < 7; next += 1) {
    answers[next]?.({ kind: 'answered' });
    await settled();
  }
  expect(await all).toEqual(Array.from({ length: 7 }, () => null));
});

test('a series whose old windows are refused has no more under way than its answers warrant', async () => {
  const { asked, answers, ask, settled } = opened(50);
  const all = Promise.all(Array.from({ length: 40 }, (_, index) => ask(month('a', addDays(MONTH, index)))));
  await settled();
  answers[0]?.({ kind: 'answered' });
  await settled();
  expect(asked).toHaveLength(4);
  answers[1]?.({ kind: 'answered' });
  answers[2]?.({ kind: 'answered' });
  await settled();
  expect(asked).toHaveLength(9);
  for (const answer of answers.slice(3)) answer({ kind: 'refused', message: 'not in your plan' });
  expect((await all).filter((said) => said === 'not in your plan')).toHaveLength(31);
});

test('a series of which a window was refused has no more under way than may still be refused', async () => {
  const { asked, answers, ask, settled } = opened(50);
  const all = Promise.all(Array.from({ length: 9 }, (_, index) => ask(month('a', addDays(MONTH, index)))));
  await settled();
  answers[0]?.({ kind: 'refused', message: 'no' });
  await settled();
  for (let next = 1; next < 9; next += 1) {
    expect(asked).toHaveLength(Math.min(9, next + 2));
    answers[next]?.({ kind: 'answered' });
    await settled();
  }
  expect(await all).toEqual(Array.from({ length: 9 }, () => null));
});
