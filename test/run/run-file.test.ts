import { expect, test } from 'vitest';
import { collectGarbage } from '../../src/run/run-file.ts';

const MEBIBYTE = 1_048_576;

test('what a load has left on the heap is collected before work that allocates nothing', () => {
  let left: { number: number; text: string }[][] = Array.from({ length: 100 }, (_, list) =>
    Array.from({ length: 10_000 }, (_entry, number) => ({
      number,
      text: `${String(list)}-${String(number)}`,
    })),
  );
  expect(left).toHaveLength(100);
  const before = process.memoryUsage();
  left = [];
  collectGarbage();
  const after = process.memoryUsage();
  expect(before.heapUsed - after.heapUsed).toBeGreaterThan(40 * MEBIBYTE);
  expect(before.heapTotal - after.heapTotal).toBeGreaterThan(20 * MEBIBYTE);
  expect(globalThis).not.toHaveProperty('gc');
});
