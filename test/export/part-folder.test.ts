import { expect, test } from 'vitest';
import { partFolder } from '../../src/export/export-tables.ts';

test('a value is escaped in the name of its folder', () => {
  expect(partFolder('a/b=c d')).toBe('a%2Fb%3Dc%20d');
  expect(partFolder(null)).toBe('null');
  expect(partFolder('_007')).toBe('%5F007');
});

test('a value too long for a file system is shortened, and stays different from its siblings', () => {
  const [one = '', other] = ['a', 'b'].map((end) => partFolder(`${'é'.repeat(299)}${end}`));
  expect(one).not.toBe(other);
  expect(Buffer.byteLength(one)).toBeLessThan(200);
  expect(decodeURIComponent(one)).toMatch(/^é+~[0-9a-f]{16}$/);
});
