import { expect, it } from 'vitest';
import { formatTable } from '../../src/cli/terminal/table.ts';

it('formatTable takes more rows than a call takes arguments', () => {
  const rows = Array.from({ length: 130_000 }, () => ['x']);
  expect(formatTable({ columns: [{ title: 'a' }], rows }).length).toBeGreaterThan(rows.length);
});
