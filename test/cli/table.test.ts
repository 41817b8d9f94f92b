import { expect, it } from 'vitest';
import { formatTable } from '../../src/cli/terminal/result-format.ts';

it('formatTable keeps the head of an empty table', () => {
  expect(formatTable({ columns: [{ title: 'name' }], rows: [] })).toContain('│ name │');
});

it('formatTable breaks a word that is longer than its column, and never cuts a number', () => {
  const columns = [{ title: 'id' }, { title: 'n', isNumber: true }];
  const id = '27f9fa58-0ce1-44c4-853a-c8e692af756c';
  const table = formatTable({ columns, rows: [[id, '123456789012']], width: 40 });
  expect(table).toContain('│ 123456789012 │');
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  const parts = [...table.matchAll(/│ ([\da-f-]+) +│/g)].map(([, part]) => part);
  expect(parts.join('')).toBe(id);
});

it('a table of wide letters fits the width', () => {
  const rows = [['日本'.repeat(20), '1']];
  const table = formatTable({
    columns: [{ title: 'text' }, { title: 'n', isNumber: true }],
    rows,
    width: 30,
  });
  for (const line of table.split('\n').slice(3, -1)) {
    expect(line.length + (line.match(/[日本]/g)?.length ?? 0)).toBe(table.indexOf('\n'));
  }
});

it.each([40, 80, 120])('a table in %i columns is as wide, and names the columns that do not fit', (width) => {
  const columns = Array.from({ length: 20 }, (_, index) => ({ title: `column_${String(index)}` }));
  const rows = [columns.map(({ title }) => `${title} has words`)];
  const lines = formatTable({ columns, rows, width }).split('\n');
  const end = lines.findIndex((line) => line.startsWith('└'));
  const shown: readonly string[] = lines[1]?.match(/column_\d+/g) ?? [];
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(lines[0]?.length).toBeGreaterThan(width - 12);
  const hidden = columns.map(({ title }) => title).filter((title) => !shown.includes(title));
  const note = lines.slice(end + 1).join(' ');
  expect(note).toBe(`${String(hidden.length)} columns do not fit: ${hidden.join(', ')}`);
});

it('one column that does not fit is cut into lines', () => {
  const table = formatTable({ columns: [{ title: 'id' }], rows: [['x'.repeat(100)]], width: 20 });
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBe(20);
  expect(table.match(/x/g)).toHaveLength(100);
});

it('formatTable takes more rows than a call takes arguments', () => {
  const rows = Array.from({ length: 130_000 }, () => ['x']);
  expect(formatTable({ columns: [{ title: 'a' }], rows }).length).toBeGreaterThan(rows.length);
});
