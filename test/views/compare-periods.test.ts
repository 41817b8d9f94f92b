import { it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { days, openWorld } from './world.ts';

const OCTOBER = days('2025-10-01', 31);
const NOVEMBER = days('2025-11-01', 30);
const BOTH = [...OCTOBER, ...NOVEMBER];
const isNovember = (date: string): boolean => date >= '2025-11-01';
/** 1 on Mondays, 7 on Sundays. */
const weekday = (date: string): number => new Date(date).getUTCDay() || 7;

const compare = (metric: string, columns: string, project = 'p'): string =>
  `select ${columns} from main.compare_periods('${metric}', '2025-11-01', '2025-11-30', '2025-10-01', '2025-10-31') where project_id = '${project}'`;

it('two months are compared like for like: weekdays count alike, shares are sums, and counts have totals', async () => {
  await using world = await openWorld('2025-12-01');
  await world.insert('core.projects', [{ project_id: 'p', name: 'P' }]);
  await world.daily('core.visibility', BOTH, (_, date) => ({ visibility: 10 + weekday(date) }));
  await world.daily('core.share_of_voice', BOTH, (_, date) =>
    isNovember(date)
      ? { total_responses: 20, brand_mentions: 8 }
      : { total_responses: 10, brand_mentions: 3 },
  );
  // November has one visit a day but for four days without a figure.
  await world.daily('core.visitor_visits', [...OCTOBER, ...NOVEMBER.slice(4)], (_, date) => ({
    referrer: 'a',
    visits: isNovember(date) ? 1 : 3,
  }));
  for (const [metric, columns, row] of [
    [
      'visibility',
      'value, value_against, change, days, days_against, weekdays, change_low, not_judged',
      [14, 14, 0, 30, 31, 'balanced', null, null],
    ],
    [
      'share_of_voice_pct',
      'round(value, 9), round(value_against, 9), round(change, 9), weekdays, total',
      [40, 30, 10, 'as_they_are', null],
    ],
    [
      'ai_visits',
      'value, value_against, total, total_against, days, days_without, days_without_against',
      [1, 3, 26, 93, 26, 4, 0],
    ],
  ] as const)
    await world.gives(compare(metric, columns), [row]);
  // One Monday in each: the days are what they are.
  const short = "main.compare_periods('visibility', '2025-11-03', '2025-11-05', '2025-10-01', '2025-10-02')";
  await world.gives(`select value, value_against, weekdays from ${short}`, [[12, 13.5, 'as_they_are']]);
  await world.gives(
    "select value from main.compare_periods('visibility', '2025-11-01', '2025-11-30', '2025-10-01', '2025-10-31', split_by := 'model')",
    [],
  );
});

it('two periods that do not meet, a year apart, are compared too', async () => {
  await using world = await openWorld('2025-12-01');
  await world.insert('core.projects', [{ project_id: 'p', name: 'P' }]);
  await world.daily('core.visibility', [...days('2024-11-01', 30), ...NOVEMBER], (_, date) => ({
    visibility: date < '2025' ? 30 : 45,
  }));
  const sql = `select value, value_against, change, days_against from main.compare_periods('visibility', '2025-11-01', '2025-11-30', '2024-11-01', '${addDays(toDay('2025-11-30'), -365)}')`;
  await world.gives(sql, [[45, 30, 15, 30]]);
});
