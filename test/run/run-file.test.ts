import { expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { collectGarbage, damageOf, tellNotices } from '../../src/run/run-file.ts';

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

test('a working file that was set aside is a warning; one that was created or rebuilt is not', () => {
  const told: string[] = [];
  const tell = (level: string) => (event: string) => void told.push(`${level} ${event}`);
  const notices = (['created', 'set_aside', 'rebuilt'] as const).map((event) => ({ event, message: event }));
  tellNotices(notices, { ...silentLog, info: tell('info'), warn: tell('warn') });
  expect(told).toEqual([
    'info working_file.created',
    'warn working_file.set_aside',
    'info working_file.rebuilt',
  ]);
  expect(damageOf(notices)).toEqual(['set_aside']);
});
