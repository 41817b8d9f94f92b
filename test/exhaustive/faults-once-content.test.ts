import { expect, it } from 'vitest';
import { FATAL, FAULTS } from './fault-kinds.ts';
import { provedOnce } from './faults-once.ts';

it('a wrong body, header or status that happens once changes nothing', async () => {
  const violations = await provedOnce({
    order: 2,
    promise: 'A wrong body, header or status that occurs once changes nothing',
    kinds: Object.keys(FAULTS)
      .slice(8)
      .filter((kind) => !FATAL.has(kind)),
  });
  expect(violations).toEqual([]);
});
