import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { touchedRanges } from '../../src/publish/checks.ts';
import type { Changes } from '../../src/publish/compare.ts';
import { MANY, publishChanges } from './publish-changes.ts';
import { withPublished } from './rig.ts';

const changes = (days: readonly string[], windows: readonly string[] = []): Changes => ({
  compared: [],
  tables: [],
  rows: 0,
  rowsInAll: 0,
  days: days.map(toDay),
  windows: windows.map(toDay),
});

it.each([
  { touched: 'nothing', days: [], ranges: [] },
  {
    touched: 'neighbours, out of order',
    days: ['2025-06-03', '2025-06-01', '2025-06-02'],
    ranges: ["date >= date '2025-06-01'"],
  },
  {
    touched: 'days 31 days apart, and one further away',
    days: ['2024-12-24', '2025-01-24', '2025-02-25'],
    ranges: ["date >= date '2025-02-25'", "date >= date '2024-12-24' and date <= date '2025-01-24'"],
  },
  {
    touched: 'more ranges than it pays to ask for',
    days: ['2022-01-01', '2023-01-01', '2024-01-01', '2025-01-01'],
    ranges: ["date >= date '2022-01-01'"],
  },
  {
    touched: 'days without a figure',
    days: [],
    windows: ['2025-03-01', '2025-05-25'],
    ranges: ["date >= date '2025-05-25'"],
  },
])('touched days are looked at in few ranges, the last without an end: $touched', (given) => {
  expect(touchedRanges(changes(given.days, given.windows))).toEqual(given.ranges);
});

it('a day that a view holds twice is found when a night touches it, however far from the look-back', async () => {
  const day = (scopeId: string): string =>
    `insert into core.visibility by name select 'p' as project_id, 'day' as grain, date '2024-02-01' as date, 'project' as scope,
     '${scopeId}' as scope_id, 1 as visibility, 'run-2' as _run_id, timestamp '2025-06-05' as _changed_at`;
  await withPublished(`${MANY}; ${day('p')}`, async (rig) => {
    await rig.addDay('2025-06-02');
    expect((await publishChanges(rig)).strategy).toBe('changed');
    await rig.connection.run(day('other'));
    await rig.addDay('2025-06-03');
    await expect(publishChanges(rig)).rejects.toThrow(
      'check one_row_per_day failed: main.daily_kpis: p | 2024-02-01',
    );
  });
});
