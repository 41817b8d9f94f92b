import { it } from 'vitest';
import { openWorld, slice } from './world.ts';

const LAST_DAY = '2025-06-30';

it.each([
  { status: 'loaded', sync_day: LAST_DAY },
  // The night after took the place of the answer of the last day.
  { status: 'failed', sync_day: '2025-07-01' },
  { status: 'suspicious', sync_day: '2025-07-01' },
])('a month that was asked for on its last day is no whole window: $status on $sync_day', async (newest) => {
  await using world = await openWorld('2025-07-01');
  const month = { grain: null, window_kind: 'month' };
  const [may, june] = [
    ['2025-05-01', '2025-05-31'],
    ['2025-06-01', LAST_DAY],
  ].map(([window_start, window_end]) => ({ window_kind: 'month', window_start, window_end }));
  await world.insert('meta.slices', [
    slice('visibility', '2025-04-01..2025-07-01'),
    slice('crawler_top_pages', '2025-05-01..2025-05-31', { ...month, sync_day: '2025-06-02' }),
    slice('crawler_top_pages', `2025-06-01..${LAST_DAY}`, { ...month, ...newest }),
  ]);
  await world.insert(
    'core.crawler_top_pages',
    [may, june].map((one) => ({ ...one, request_path: '/', requests: 31 })),
  );
  await world.gives(
    'select window_start, is_whole_window, crawler_requests_change as change from crawler_page_trend order by 1',
    [
      { window_start: '2025-05-01', is_whole_window: true, change: null },
      { window_start: '2025-06-01', is_whole_window: false, change: null },
    ],
  );
});

it('a day whose events were asked for before it was over is no whole one while they fail', async () => {
  await using world = await openWorld('2025-06-06');
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-06'),
    slice('events', '2025-06-01..2025-06-05', { grain: null }),
    slice('events', '2025-06-02..2025-06-06', { grain: null, status: 'failed' }),
  ]);
  const days = "where date between '2025-06-04' and '2025-06-05' order by date";
  const expected = [
    { date: '2025-06-04', is_whole_day: true },
    { date: '2025-06-05', is_whole_day: false },
  ];
  await world.gives(`select date, is_whole_day from event_days ${days}`, expected);
  await world.gives(`select date, is_whole_day from daily_kpis ${days}`, expected);
});
