import { describe, expect, it } from 'vitest';
import { summarisePlan } from '../../src/cli/sync-summary.ts';
import { formatTable } from '../../src/cli/table.ts';

describe('formatTable', () => {
  it('puts numbers to the right and shows NULL', () => {
    const columns = [{ title: 'name' }, { title: 'count', isNumber: true }];
    const rows = [
      ['a', '1'],
      [null, '1000'],
    ];
    expect(formatTable({ columns, rows })).toBe(
      [
        '┌──────┬───────┐',
        '│ name │ count │',
        '├──────┼───────┤',
        '│ a    │     1 │',
        '│ NULL │  1000 │',
        '└──────┴───────┘',
      ].join('\n'),
    );
  });

  it('keeps the head of an empty table', () => {
    expect(formatTable({ columns: [{ title: 'name' }], rows: [] })).toContain('│ name │');
  });

  it('keeps columns straight beside wide letters', () => {
    const table = formatTable({ columns: [{ title: 'n' }, { title: 'm' }], rows: [['日本', 'x']] });
    expect(table).toContain('│ 日本 │ x │');
  });

  it('takes more rows than a call takes arguments', () => {
    const rows = Array.from({ length: 130_000 }, () => ['x']);
    expect(formatTable({ columns: [{ title: 'a' }], rows }).length).toBeGreaterThan(rows.length);
  });

  it('never cuts a number', () => {
    const columns = [{ title: 'text' }, { title: 'n', isNumber: true }];
    const table = formatTable({ columns, rows: [['word '.repeat(30), '123456789012']], width: 40 });
    expect(table).toContain('123456789012');
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  });
});

describe('summarisePlan', () => {
  it('adds up the requests', () => {
    const text = summarisePlan([
      { project_id: 'p1', endpoint: 'visibility', slices: 6, requests: 12 },
      { project_id: 'p2', endpoint: 'events', slices: 3, requests: 1500 },
    ]);
    expect(text).toMatch(/│ p1 +│ visibility │ +6 │ +12 │/);
    expect(text).toMatch(/1,512 requests in all; nothing was stored/);
  });

  it('says that nothing is owed', () => {
    expect(summarisePlan([])).toBe('Nothing is owed: a sync would ask nothing.');
  });
});
