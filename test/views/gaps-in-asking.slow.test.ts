import { it } from 'vitest';
import { action, days, openWorld, slice, window, type World } from './world.ts';

/** Visibility of every day that was asked for on June 10th; then only July 1st to 10th were. */
async function openAskedForOtherDays(): Promise<World> {
  const world = await openWorld('2025-07-20');
  await world.insert('meta.expected_series', [{ endpoint: 'visibility', start_date: '2025-02-01' }]);
  const sync_day = '2025-07-20';
  await world.insert('meta.slices', [
    slice('visibility', '2025-02-01..2025-06-10'),
    slice('visibility', '2025-07-01..2025-07-10', { sync_day, fetched_at: `${sync_day}T06:00:00Z` }),
  ]);
  const dates = [...days('2025-02-01', 130), ...days('2025-07-01', 10)];
  await world.daily('core.visibility', dates, () => ({ visibility: 1 }));
  return world;
}

it.each(['daily_kpis', 'measure_days'])(
  '%s: an answer about newer days makes the day of the sync before neither whole nor final',
  async (view) => {
    await using world = await openAskedForOtherDays();
    await world.gives(
      `select date, is_whole_day, is_final from ${view}
             where date in ('2025-06-03', '2025-06-04', '2025-06-09', '2025-06-10', '2025-07-05') order by date`,
      [
        ['2025-06-03', true, true],
        // Asked for six days after it, and never again.
        ['2025-06-04', true, false],
        ['2025-06-09', true, false],
        ['2025-06-10', false, false],
        ['2025-07-05', true, true],
      ],
    );
  },
);

it.each([
  { rest: 'fails', status: 'loaded', error: 'transient', final: '2025-06-03' },
  { rest: 'refuses the key', status: 'loaded', error: 'auth', final: '2025-06-13' },
  { rest: 'was never enabled', status: 'not_enabled', error: 'transient', final: '2025-06-13' },
])(
  'the days of a project are final until $final when one of its endpoints $rest',
  async ({ status, error, final }) => {
    await using world = await openWorld('2025-06-20');
    const endpoints = ['visibility', 'citation_ranks', 'crawler_requests'];
    const expected = endpoints.map((endpoint) => ({ endpoint, start_date: '2025-05-01' }));
    await world.insert('meta.expected_series', expected);
    await world.insert('meta.slices', [
      slice('visibility', '2025-05-01..2025-06-10'),
      slice('visibility', '2025-06-03..2025-06-20'),
      slice('citation_ranks', '2025-05-01..2025-06-10', { status }),
      slice('citation_ranks', '2025-06-03..2025-06-20', { status: 'failed', error_class: error }),
      // It never answered.
      slice('crawler_requests', '2025-05-01..2025-06-20', { status: 'failed' }),
    ]);
    await world.gives('select max(date) from daily_kpis where is_final', [[final]]);
  },
);

it('the figures around an action are not final while those of one of its days are not', async () => {
  await using world = await openAskedForOtherDays();
  await world.insert('core.events', [action('1', '2025-05-18'), action('2', '2025-06-01')]);
  const final = [
    ['2025-05-18', true],
    ['2025-06-01', false],
  ];
  await world.gives('select date, is_final from action_impact order by date', final);
  await world.gives('select first_date, is_final from action_group_impact order by 1', final);
});

it.each([
  { status: 'loaded', sync_day: '2025-06-30' },
  // The night after took the place of the answer of the last day.
  { status: 'failed', sync_day: '2025-07-01' },
  { status: 'suspicious', sync_day: '2025-07-01' },
])('a month that was asked for on its last day is no whole window: $status on $sync_day', async (newest) => {
  await using world = await openWorld('2025-07-01');
  const month = { grain: null, window_kind: 'month' };
  const months = ['2025-05-01..2025-05-31', '2025-06-01..2025-06-30'] as const;
  await world.insert('meta.slices', [
    slice('visibility', '2025-04-01..2025-07-01'),
    slice('crawler_top_pages', months[0], { ...month, sync_day: '2025-06-02' }),
    slice('crawler_top_pages', months[1], { ...month, ...newest }),
  ]);
  const pages = months.map((span) => ({ ...window('month', span), request_path: '/', requests: 31 }));
  await world.insert('core.crawler_top_pages', pages);
  await world.gives(
    'select window_start, is_whole_window, crawler_requests_change from crawler_page_trend order by 1',
    [
      ['2025-05-01', true, null],
      ['2025-06-01', false, null],
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
  const dates = "where date between '2025-06-04' and '2025-06-05' order by date";
  const expected = [
    ['2025-06-04', true],
    ['2025-06-05', false],
  ];
  await world.gives(`select date, is_whole_day from event_days ${dates}`, expected);
  await world.gives(`select date, is_whole_day from daily_kpis ${dates}`, expected);
});
