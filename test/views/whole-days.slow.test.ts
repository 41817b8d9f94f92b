import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { viewSettings } from '../../src/load/load-run.ts';
import { readCoverage } from '../../src/run/read-coverage.ts';
import { action, configure, days, openWorld, prompts, slice } from './world.ts';

it('a day is not whole where one series was asked for on that day alone, however often others were since', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-05'),
    slice('citation_ranks', '2025-06-01..2025-06-03'),
    // Old days that are asked for again do not make it whole.
    slice('citation_ranks', '2025-05-01..2025-05-31', { sync_day: '2025-06-05' }),
  ]);
  const dates = ['2025-06-02', '2025-06-03', '2025-06-04'];
  await world.insert(
    'core.visibility',
    dates.map((date) => ({ date, visibility: 1 })),
  );
  await world.insert(
    'core.citation_ranks',
    dates.slice(0, 2).map((date) => ({ date, total_citations: 1 })),
  );
  const whole = [
    { date: '2025-06-02', is_whole_day: true },
    { date: '2025-06-03', is_whole_day: false },
    { date: '2025-06-04', is_whole_day: true },
  ];
  const from = (view: string): string =>
    `select date, is_whole_day from ${view} where date between '2025-06-02' and '2025-06-04' order by date`;
  await world.gives(from('daily_kpis'), whole);
  await world.gives(from('citation_rank_trend'), whole.slice(0, 2));
  await world.gives(
    from('visibility_with_events'),
    dates.map((date) => ({ date, is_whole_day: true })),
  );
});

it('traffic of a day that still runs in its zone is not final, for the views and for the planner', async () => {
  await using world = await openWorld('2025-06-05', 1);
  await world.insert('meta.settings', [{ name: 'timezone_lag_days', value: '1' }]);
  const asked = { sync_day: '2025-06-05', asked_with: 'now' };
  await world.insert('meta.slices', [
    slice('visitor_visits', '2025-06-01..2025-06-05', { ...asked, timezone: 'America/Los_Angeles' }),
    slice('crawler_requests', '2025-06-01..2025-06-05', { ...asked, timezone: 'UTC' }),
  ]);
  const dates = ['2025-06-02', '2025-06-03', '2025-06-04'];
  await world.insert(
    'core.visitor_visits',
    dates.map((date) => ({ date, referrer: 'chatgpt.com', visits: 1 })),
  );
  await world.insert(
    'core.crawler_requests',
    dates.map((date) => ({ date, crawler: 'GPTBot', requests: 1 })),
  );
  const endpoints = ['visitor_visits', 'crawler_requests'];
  await world.insert(
    'meta.expected_series',
    endpoints.map((endpoint) => ({ endpoint, start_date: '2025-06-01' })),
  );
  const settled = async (endpoint: string): Promise<unknown> => {
    await world.gives('select 1 as n', [{ n: 1 }]);
    const coverage = await readCoverage(world.connection, {
      today: toDay('2025-06-06'),
      lookbackDays: 1,
      asksForOld: false,
      chain: [],
      chainOnly: false,
      asked: [{ endpoint, askedWith: 'now', limit: null }],
    });
    const series = { endpoint, projectId: 'p', scope: 'project', scopeId: 'p', grain: 'day' } as const;
    return coverage.settled(series).at(-1)?.end;
  };
  for (const [endpoint, kind, final] of [
    ['visitor_visits', 'visitor', '2025-06-03'],
    ['crawler_requests', 'crawler', '2025-06-04'],
  ] as const) {
    expect(await settled(endpoint)).toBe(final);
    const traffic = `select max(date) as final from ai_traffic where source_kind = '${kind}' and is_final`;
    await world.gives(traffic, [{ final }]);
    const coverage = `select max(date) as final from sync_series_coverage where endpoint = '${endpoint}' and is_settled`;
    await world.gives(coverage, [{ final }]);
  }
});

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
])('traffic is whole by its zone, which was %i days behind UTC at the sync', async (lag, newest) => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.settings', [{ name: 'timezone_lag_days', value: String(lag) }]);
  await world.insert('meta.slices', [
    slice('visitor_visits', '2025-06-01..2025-06-05', { timezone: 'America/Los_Angeles' }),
    slice('crawler_requests', '2025-06-01..2025-06-05', { timezone: 'UTC' }),
  ]);
  const dates = ['2025-06-03', '2025-06-04', '2025-06-05'];
  const page = { scope: 'page', scope_id: '/' };
  await world.insert(
    'core.visitor_visits',
    [{}, page].flatMap((scope) =>
      dates.map((date) => ({ ...scope, date, referrer: 'chatgpt.com', visits: 1 })),
    ),
  );
  await world.insert('meta.slices', [
    slice('visitor_visits', '2025-06-01..2025-06-05', { ...page, timezone: 'America/Los_Angeles' }),
  ]);
  await world.insert(
    'core.crawler_requests',
    dates.map((date) => ({ date, crawler: 'GPTBot', requests: 1 })),
  );
  const newestOf = async (view: string): Promise<unknown> =>
    (await world.rows(`select max(date) as date from ${view} and is_whole_day`))[0]?.['date'];
  expect(await newestOf(`ai_traffic where source_kind = 'visitor'`)).toBe(newest);
  expect(await newestOf('landing_page_days where true')).toBe(newest);
  expect(await newestOf('daily_kpis where ai_visits_count > 0')).toBe(newest);
  expect(await newestOf(`ai_traffic where source_kind = 'crawler'`)).toBe('2025-06-04');
});

it('traffic of a day that was asked for on that day alone is not whole, and that of another source is', async () => {
  await using world = await openWorld();
  const date = '2025-06-04';
  await configure(world, '2025-06-05');
  await world.insert('meta.slices', [
    slice('visitor_visits', '2025-06-01..2025-06-05'),
    slice('crawler_requests', '2025-06-01..2025-06-04'),
  ]);
  await world.insert('core.crawler_requests', [{ date, crawler: 'GPTBot', requests: 1 }]);
  await world.insert('core.visitor_visits', [{ date, referrer: 'chatgpt.com', visits: 1 }]);
  await world.gives('select source_kind, is_whole_day from ai_traffic order by 1', [
    { source_kind: 'crawler', is_whole_day: false },
    { source_kind: 'visitor', is_whole_day: true },
  ]);
  await world.gives('select distinct is_whole_day from crawler_visitor_funnel', [{ is_whole_day: false }]);
});

it('a row of one monitor has the actions of the project and the prompt events of its own monitor', async () => {
  await using world = await openWorld();
  const date = '2025-06-01';
  const other = { event_id: 'prompts_created:2025-06-01:n', monitor_id: 'n', monitor_name: 'Hats' };
  await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-02')]);
  await world.insert(
    'core.visibility',
    ['m', 'n', 'quiet'].flatMap((scope_id) =>
      days(date, 2).map((day) => ({ date: day, scope: 'monitor', scope_id, visibility: 1 })),
    ),
  );
  await world.insert('core.events', [
    action('1', date),
    prompts('prompts_created', date, 5),
    { ...prompts('prompts_created', date, 7), ...other },
  ]);
  await world.gives(
    `select scope_id, events_count as events, prompts_created as created, event_titles as titles
           from visibility_with_events where date = '${date}' order by scope_id`,
    [
      { scope_id: 'm', events: 2, created: 5, titles: '5 prompts created in Shoes; Action 1' },
      { scope_id: 'n', events: 2, created: 7, titles: '7 prompts created in Hats; Action 1' },
      { scope_id: 'quiet', events: 1, created: 0, titles: 'Action 1' },
    ],
  );
  await world.gives(
    `select distinct events_count as events from visibility_with_events where date <> '${date}'`,
    [{ events: 0 }],
  );
});
