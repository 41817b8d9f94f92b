import { it } from 'vitest';
import { openWorld, slice, type World } from './world.ts';

/** From this day on, answers of these endpoints are expected. */
async function expectFrom(world: World, start_date: string, ...endpoints: string[]): Promise<void> {
  await world.insert(
    'meta.expected_series',
    endpoints.map((endpoint) => ({ endpoint, grain: endpoint === 'events' ? null : 'day', start_date })),
  );
}

it('sync_gaps lists each expected day that no stored answer covers, up to the day before the sync day', async () => {
  await using world = await openWorld('2025-06-07');
  await expectFrom(world, '2025-06-01', 'visibility', 'events');
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-02', { sync_day: '2025-06-03' }),
    slice('visibility', '2025-06-03..2025-06-04', { status: 'failed' }),
    slice('visibility', '2025-06-05..2025-06-05', { status: 'empty', sync_day: '2025-06-07' }),
    slice('events', '2025-06-01..2025-06-07', { status: 'truncated' }),
  ]);
  await world.gives('select endpoint, date, status from sync_gaps order by date', [
    ['visibility', '2025-06-03', 'failed'],
    ['visibility', '2025-06-04', 'failed'],
    ['visibility', '2025-06-06', 'never_asked'],
  ]);
});

it('sync_gaps waits for the night of the newest day, and lists it where that night failed', async () => {
  await using world = await openWorld('2025-06-05');
  await expectFrom(world, '2025-06-04', 'visibility', 'sentiment');
  // An hourly look at events has moved the sync day; the night has asked for one of two so far.
  await world.insert('meta.slices', [
    slice('events', '2025-06-01..2025-06-05'),
    slice('visibility', '2025-06-01..2025-06-04'),
    slice('sentiment', '2025-06-01..2025-06-04'),
    slice('sentiment', '2025-06-01..2025-06-05', { status: 'failed' }),
  ]);
  await world.gives('select endpoint, date, status from sync_gaps', [['sentiment', '2025-06-04', 'failed']]);
});

it('sync_gaps leaves out a day whose only figures came while it was running, once the server has nothing of it', async () => {
  await using world = await openWorld('2025-06-07');
  await expectFrom(world, '2025-06-04', 'visibility');
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-04..2025-06-04', { sync_day: '2025-06-05' }),
    slice('visibility', '2025-06-05..2025-06-05', { sync_day: '2025-06-05' }),
    slice('visibility', '2025-06-06..2025-06-06', { sync_day: '2025-06-06' }),
    slice('visibility', '2025-06-04..2025-06-07', { status: 'suspicious' }),
  ]);
  await world.gives('select date, status from sync_gaps order by date', [
    ['2025-06-05', 'suspicious'],
    ['2025-06-06', 'suspicious'],
  ]);
  await world.connection.run("update meta.asked_days set reason = 'kept' where date < date '2025-06-06'");
  await world.gives('select date, status from sync_gaps', [['2025-06-06', 'suspicious']]);
  const lost = "select date from detail.sync_series_coverage where status = 'not_available'";
  await world.gives(lost, [['2025-06-05']]);
});

it('sync_gaps does not count an answer that lost pages as covering', async () => {
  await using world = await openWorld('2025-06-02');
  await expectFrom(world, '2025-06-01', 'events');
  const lost = { status: 'truncated', error_class: 'contract', error_message: '200 of 405 came' };
  await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-01', lost)]);
  await world.gives('select date, status from sync_gaps', [['2025-06-01', 'incomplete']]);
  await world.gives('select date from event_days', []);
});

it('sync_coverage says settled only for days that were asked again after the look-back', async () => {
  await using world = await openWorld('2025-06-10', 3);
  const model = { scope: 'model', scope_id: 'm' };
  await world.insert('meta.expected_series', [
    { endpoint: 'visibility', start_date: '2025-06-06' },
    { endpoint: 'visibility', start_date: '2025-06-06', ...model },
  ]);
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-06..2025-06-09', { sync_day: '2025-06-10' }),
    slice('visibility', '2025-06-06..2025-06-08', { sync_day: '2025-06-10', ...model }),
  ]);
  await world.gives(
    'select date, status, series_expected_count, series_covered_count from sync_coverage order by date',
    [
      ['2025-06-06', 'settled', 2, 2],
      ['2025-06-07', 'settled', 2, 2],
      ['2025-06-08', 'covered', 2, 2],
      ['2025-06-09', 'partial', 2, 1],
    ],
  );
});

it('load_times says how many hours after its end a day was loaded, over the last 30 days', async () => {
  await using world = await openWorld('2025-06-10');
  const days = ['05-04 02:00', '05-09 02:00', '06-07 03:00', '06-08 03:00', '06-10 04:30'];
  const nights = days.map((day) => `2025-${day}`);
  await world.insert(
    'meta.runs',
    nights.map((night) => ({
      run_id: night,
      started_at: `${night}:00Z`,
      sync_day: night.slice(0, 10),
      status: 'ok',
    })),
  );
  await world.insert(
    'meta.slices',
    nights.flatMap((night) => [
      slice('visibility', `2025-05-01..${night.slice(0, 10)}`, { run_id: night }),
      slice('events', `2025-05-01..${night.slice(0, 10)}`, { run_id: night }),
      // Neither filters nor weeks count, nor days that were over when they were first requested.
      slice('visibility', '2025-06-01..2025-06-05', { run_id: night, scope: 'model', scope_id: 'm' }),
      slice('visibility', '2025-06-02..2025-06-08', { run_id: night, grain: 'week' }),
      slice('sentiment', '2025-06-01..2025-06-06', { run_id: '2025-06-07 03:00', sync_day: '2025-06-07' }),
    ]),
  );
  // 7 June was loaded 3 hours after its end, 8 June 28.5; 4 May is too long ago.
  await world.gives(
    'select project_id, endpoint, days_count, median_hours, round(percentile_90_hours, 2), max_hours from load_times order by endpoint',
    [
      ['p', 'events', 2, 15.75, 25.95, 28.5],
      ['p', 'visibility', 2, 15.75, 25.95, 28.5],
    ],
  );
});
