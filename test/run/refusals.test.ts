import { expect, test } from 'vitest';
import type { DayRange } from '../../src/day.ts';
import type { PlannedSlice } from '../../src/plan/plan.ts';
import { Refusals, type Verdict } from '../../src/run/refusals.ts';
import { days, sliceOf } from '../support/answers.ts';

function planned(asked: DayRange | null, scopeId = 'p'): PlannedSlice {
  return { slice: sliceOf('competitor_mentions', { scopeId }), asked, limit: null, askedWith: '' };
}

test.each([
  [0, 0, 3],
  [1, 0, 3],
  [2, 0, 4],
  [9, 0, 18],
  [0, 1, 2],
  [9, 1, 2],
  [9, 2, 1],
])(
  'of a series with %i answers and %i refusals, %i more requests may be under way, of another three',
  (answered, refused, expected) => {
    const refusals = new Refusals();
    const known = refusals.of(planned(null), 'acme');
    const end = (count: number, verdict: Verdict): void => {
      for (const begin of Array.from({ length: count }, () => known.begin)) begin()(verdict);
    };
    end(answered, { kind: 'answered' });
    end(refused, { kind: 'refused', message: 'not in your plan' });
    end(4, { kind: 'other' });
    const mostOf = ({ isHeldBack, begin }: typeof known): number => {
      let count = 0;
      for (; !isHeldBack(); count += 1) begin();
      return count;
    };
    expect(known.refused()).toBeNull();
    expect([mostOf(known), mostOf(refusals.of(planned(null, 'q'), 'acme'))]).toEqual([expected, 3]);
    end(3 - refused, { kind: 'refused', message: 'not in your plan' });
    expect([known.isHeldBack(), known.refused()]).toEqual([false, 'not in your plan']);
  },
);

test('one request of an endpoint tries until a range is answered, then two try earlier ones', async () => {
  const refusals = new Refusals();
  const isHeldBack = (asked: DayRange | null, account = 'acme'): boolean =>
    refusals.of(planned(asked, 'q'), account).isHeldBack();
  const early = days('2025-01-01', '2025-01-31');
  const { begin, range } = refusals.of(planned(early), 'acme');
  const end = begin();
  expect([isHeldBack(early), isHeldBack(null), isHeldBack(early, 'other')]).toEqual([true, false, false]);
  range.answered(days('2025-01-02', '2025-02-28'));
  expect(isHeldBack(early)).toBe(false);
  begin();
  expect([isHeldBack(early), isHeldBack(days('2025-01-02', '2025-01-31'))]).toEqual([true, false]);
  refusals.of(planned(days('2025-01-02', '2025-01-31'), 'r'), 'acme').begin();
  const next = refusals.nextEnd();
  end({ kind: 'answered' });
  await next;
  expect(isHeldBack(early)).toBe(false);
});
