import { it } from 'vitest';
import { action, days, openWorld, slice } from './world.ts';
import type { World } from './world.ts';

/** Visibility of every day, and shares of voice of a month, that were asked for on June 10th; then only July 1st to 10th were. */
async function openAskedForOtherDays(): Promise<World> {
  const world = await openWorld('2025-07-20');
  const later = { sync_day: '2025-07-20', fetched_at: '2025-07-20T06:00:00Z' };
  await world.insert('meta.expected_series', [{ endpoint: 'visibility', start_date: '2025-02-01' }]);
  await world.insert('meta.slices', [
    slice('visibility', '2025-02-01..2025-06-10'),
    slice('visibility', '2025-07-01..2025-07-10', later),
    slice('share_of_voice', '2025-05-01..2025-06-10', { grain: 'month' }),
    slice('share_of_voice', '2025-07-01..2025-07-20', { grain: 'month', ...later }),
    slice('share_of_voice', '2025-05-26..2025-06-10', { grain: 'week' }),
    slice('share_of_voice', '2025-06-30..2025-07-13', { grain: 'week', ...later }),
  ]);
  await world.insert(
    'core.visibility',
    [...days('2025-02-01', 130), ...days('2025-07-01', 10)].map((date) => ({ date, visibility: 1 })),
  );
  await world.insert(
    'core.share_of_voice',
    [
      ['month', '2025-05-01'],
      ['month', '2025-06-01'],
      ['week', '2025-05-26'],
      ['week', '2025-06-02'],
      ['week', '2025-06-09'],
      ['week', '2025-07-07'],
    ].map(([grain, date]) => ({ grain, date, share_of_voice: 1 })),
  );
  return world;
}

it.each(['visibility_with_events', 'daily_kpis', 'measure_days'])(
  '%s: an answer about newer days makes the day of the sync before neither whole nor final',
  async (view) => {
    await using world = await openAskedForOtherDays();
    await world.gives(
      `select date, is_whole_day as whole, is_final as final from ${view}
             where date in ('2025-06-03', '2025-06-04', '2025-06-09', '2025-06-10', '2025-07-05') order by date`,
      [
        { date: '2025-06-03', whole: true, final: true },
        // Asked for six days after it, and never again.
        { date: '2025-06-04', whole: true, final: false },
        { date: '2025-06-09', whole: true, final: false },
        { date: '2025-06-10', whole: false, final: false },
        { date: '2025-07-05', whole: true, final: true },
      ],
    );
  },
);

it('an answer about newer periods makes no week and no month whole that was asked for before its end', async () => {
  await using world = await openAskedForOtherDays();
  await world.gives(
    'select grain, date, is_whole_day as whole, is_final as final from share_of_voice_trend order by grain, date',
    [
      { grain: 'month', date: '2025-05-01', whole: true, final: true },
      { grain: 'month', date: '2025-06-01', whole: false, final: false },
      { grain: 'week', date: '2025-05-26', whole: true, final: true },
      { grain: 'week', date: '2025-06-02', whole: true, final: false },
      { grain: 'week', date: '2025-06-09', whole: false, final: false },
      { grain: 'week', date: '2025-07-07', whole: true, final: true },
    ],
  );
});

it.each([
  { rest: 'fails', status: 'failed', error: 'transient', final: '2025-06-03' },
  { rest: 'refuses the key', status: 'failed', error: 'auth', final: '2025-06-13' },
  { rest: 'was never enabled', status: 'not_enabled', error: null, final: '2025-06-13' },
])(
  'the days of a project are final until $final when one of its endpoints $rest',
  async ({ status, error, final }) => {
    await using world = await openWorld('2025-06-20');
    const isStored = status === 'not_enabled';
    await world.insert('meta.expected_series', [
      { endpoint: 'visibility', start_date: '2025-05-01' },
      { endpoint: 'citation_ranks', start_date: '2025-05-01' },
      { endpoint: 'crawler_requests', start_date: '2025-05-01' },
    ]);
    await world.insert('meta.slices', [
      slice('visibility', '2025-05-01..2025-06-10'),
      slice('visibility', '2025-06-03..2025-06-20'),
      slice('citation_ranks', '2025-05-01..2025-06-10', { status: isStored ? 'not_enabled' : 'loaded' }),
      slice('citation_ranks', '2025-06-03..2025-06-20', {
        status: 'failed',
        error_class: error ?? 'transient',
      }),
      // It never answered.
      slice('crawler_requests', '2025-05-01..2025-06-20', { status: 'failed' }),
    ]);
    await world.gives('select max(date) as final from daily_kpis where is_final', [{ final }]);
  },
);

it('the figures around an action are not final while those of one of its days are not', async () => {
  await using world = await openAskedForOtherDays();
  await world.insert('core.events', [action('1', '2025-05-18'), action('2', '2025-06-01')]);
  const final = ['2025-05-18', '2025-06-01'].map((date, index) => ({ date, is_final: index === 0 }));
  await world.gives('select date, is_final from action_impact order by date', final);
  await world.gives('select first_date as date, is_final from action_group_impact order by 1', final);
});
