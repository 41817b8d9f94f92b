import { expect, it } from 'vitest';
import { FAULTS } from './fault-kinds.ts';
import { provedOnce } from './faults-once.ts';

it('a broken, cut, slow or missing answer that happens once changes nothing', async () => {
  const violations = await provedOnce({
    order: 1,
    promise: 'A connection that breaks, stalls or is cut off once changes nothing',
    kinds: Object.keys(FAULTS).slice(0, 8),
  });
  expect(violations).toEqual([]);
});
