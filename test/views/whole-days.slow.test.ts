import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { viewSettings } from '../../src/load/load-run.ts';
import { coverageOf, days, ofProject, openWorld, slice } from './world.ts';

it.each([
  ['UTC', '2025-06-05T03:00:00Z', '0'],
  ['America/Los_Angeles', '2025-06-05T03:00:00Z', '1'],
  ['America/Los_Angeles', '2025-06-05T12:00:00Z', '0'],
])('a run tells the views whether yesterday still runs in %s at %s', (timezone, instant, lag) => {
  const config = {
    api: { baseUrl: 'https://server.example.com' },
    sync: { startDate: '2025-06-01', lookbackDays: 7, timezone },
    targets: [],
  };
  const run = { syncDay: toDay('2025-06-05'), startedAt: Date.parse(instant) };
  expect(viewSettings(config, run)).toMatchObject({ sync_day: '2025-06-05', timezone_lag_days: lag });
});

it.each([
  [1, '2025-06-03'],
  [0, '2025-06-04'],
])(
  'traffic is whole and final by its zone, %i days behind UTC, for views and planner',
  async (lag, newest) => {
    await using world = await openWorld('2025-06-05', 1);
    await world.insert('meta.settings', [{ name: 'timezone_lag_days', value: String(lag) }]);
    const page = { scope: 'page', scope_id: '/' };
    const zone = { timezone: 'America/Los_Angeles', asked_with: 'now' };
    await world.insert('meta.slices', [
      slice('visitor_visits', '2025-06-01..2025-06-05', zone),
      slice('visitor_visits', '2025-06-01..2025-06-05', { ...zone, ...page }),
      slice('crawler_requests', '2025-06-01..2025-06-05', { timezone: 'UTC', asked_with: 'now' }),
    ]);
    const dates = days('2025-06-03', 3);
    for (const scope of [{}, page])
      await world.daily('core.visitor_visits', dates, () => ({ ...scope, referrer: 'x', visits: 1 }));
    await world.daily('core.crawler_requests', dates, () => ({ crawler: 'GPTBot', requests: 1 }));
    const expected = { visitor_visits: newest, crawler_requests: '2025-06-04' };
    const since = Object.keys(expected).map((endpoint) => ({ endpoint, start_date: '2025-06-01' }));
    await world.insert('meta.expected_series', since);
    for (const [rows, day] of [
      ["ai_traffic where source_kind = 'visitor' and is_whole_day", newest],
      ["ai_traffic where source_kind = 'visitor' and is_final", newest],
      ['landing_page_days where is_whole_day', newest],
      ['daily_kpis where is_whole_day and ai_visits_count > 0', newest],
      ["ai_traffic where source_kind = 'crawler' and is_whole_day", '2025-06-04'],
      ["ai_traffic where source_kind = 'crawler' and is_final", '2025-06-04'],
    ])
      await world.gives(`select max(date) from ${rows}`, [[day]]);
    for (const [endpoint, day] of Object.entries(expected)) {
      const views = `select max(date) from sync_series_coverage where endpoint = '${endpoint}' and is_settled`;
      await world.gives(views, [[day]]);
      const asking = { today: toDay('2025-06-06'), lookbackDays: 1, askedWith: 'now' };
      const coverage = await coverageOf(world.connection, [endpoint], asking);
      expect(coverage.settled({ ...ofProject(endpoint), grain: 'day' }).at(-1)?.end).toBe(day);
    }
  },
);

it('traffic of a day that was asked for on that day alone is not whole, and that of another source is', async () => {
  await using world = await openWorld('2025-06-05');
  const dates = ['2025-06-04'];
  await world.insert('meta.slices', [
    slice('visitor_visits', '2025-06-01..2025-06-05'),
    slice('crawler_requests', '2025-06-01..2025-06-04'),
  ]);
  await world.daily('core.crawler_requests', dates, () => ({ crawler: 'GPTBot', requests: 1 }));
  await world.daily('core.visitor_visits', dates, () => ({ referrer: 'chatgpt.com', visits: 1 }));
  await world.gives('select source_kind, is_whole_day from ai_traffic order by 1', [
    ['crawler', false],
    ['visitor', true],
  ]);
  await world.gives('select distinct is_whole_day from crawler_visitor_funnel', [[false]]);
});
