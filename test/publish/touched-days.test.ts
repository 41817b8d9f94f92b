import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { touchedDays } from '../../src/publish/checks.ts';
import { MANY, publishChanges } from './publish-changes.ts';
import { withPublished } from './rig.ts';

it.each([
  { touched: 'nothing', days: [], windows: [], since: [] },
  { touched: 'days', days: ['2025-01-24', '2025-06-03'], windows: [], since: ["date >= date '2025-01-24'"] },
  {
    touched: 'days without a figure',
    days: ['2025-06-03'],
    windows: ['2025-03-01', '2025-05-25'],
    since: ["date >= date '2025-05-25'"],
  },
])('touched days are looked at from the first one on: $touched', ({ days, windows, since }) => {
  expect(touchedDays({ days: days.map(toDay), windows: windows.map(toDay) })).toEqual(since);
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
      'check one_row_per_day failed: detail.daily_kpis: p | 2024-02-01',
    );
  });
});
