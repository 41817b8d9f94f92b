import { expect, test } from 'vitest';
import { partFolder } from '../../src/export/export-tables.ts';

test('a value is escaped in the name of its folder', () => {
  expect(partFolder('project_id', 'a/b=c d')).toBe('project_id=a%2Fb%3Dc%20d');
  expect(partFolder('month', null)).toBe('month=__HIVE_DEFAULT_PARTITION__');
});

test('a value too long for a file system is shortened, and stays different from its siblings', () => {
  const [one = '', other] = ['a', 'b'].map((end) => partFolder('project_id', `${'é'.repeat(299)}${end}`));
  expect(one).not.toBe(other);
  expect(Buffer.byteLength(one)).toBeLessThan(200);
  expect(decodeURIComponent(one)).toMatch(/^project_id=é+~[0-9a-f]{16}$/);
});
