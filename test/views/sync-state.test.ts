import { it } from 'vitest';
import { openWorld, slice } from './world.ts';

const expected = (endpoint: string, start: string, more: object = {}): Record<string, unknown> => ({
  endpoint,
  grain: endpoint === 'events' ? null : 'day',
  start_date: start,
  ...more,
});

it('sync_gaps lists each expected day that no stored answer covers, up to the day before the sync day', async () => {
  await using world = await openWorld('2025-06-07');
  await world.insert('meta.expected_series', [
    expected('visibility', '2025-06-01'),
    expected('events', '2025-06-01'),
  ]);
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-02', { sync_day: '2025-06-03' }),
    slice('visibility', '2025-06-03..2025-06-04', { status: 'failed' }),
    slice('visibility', '2025-06-05..2025-06-05', { status: 'empty', sync_day: '2025-06-07' }),
    slice('events', '2025-06-01..2025-06-07', { status: 'truncated' }),
  ]);
  await world.gives('select endpoint, date, status from sync_gaps order by date', [
    { endpoint: 'visibility', date: '2025-06-03', status: 'failed' },
    { endpoint: 'visibility', date: '2025-06-04', status: 'failed' },
    { endpoint: 'visibility', date: '2025-06-06', status: 'never_asked' },
  ]);
});

it('sync_gaps waits for the night of the newest day, and lists it where that night failed', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.expected_series', [
    expected('visibility', '2025-06-04'),
    expected('sentiment', '2025-06-04'),
  ]);
  // An hourly look at events has moved the sync day; the night has asked for one of two so far.
  await world.insert('meta.slices', [
    slice('events', '2025-06-01..2025-06-05'),
    slice('visibility', '2025-06-01..2025-06-04'),
    slice('sentiment', '2025-06-01..2025-06-04'),
    slice('sentiment', '2025-06-01..2025-06-05', { status: 'failed' }),
  ]);
  await world.gives('select endpoint, date, status from sync_gaps', [
    { endpoint: 'sentiment', date: '2025-06-04', status: 'failed' },
  ]);
});

it('sync_gaps does not count an answer that lost pages as covering', async () => {
  await using world = await openWorld('2025-06-02');
  await world.insert('meta.expected_series', [expected('events', '2025-06-01')]);
  const lost = { status: 'truncated', error_class: 'contract', error_message: '200 of 405 came' };
  await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-01', lost)]);
  await world.gives('select date, status from sync_gaps', [{ date: '2025-06-01', status: 'incomplete' }]);
  await world.gives('select date from event_days', []);
});

it('sync_coverage says settled only for days that were asked again after the look-back', async () => {
  await using world = await openWorld('2025-06-10', 3);
  await world.insert('meta.expected_series', [
    expected('visibility', '2025-06-06'),
    expected('visibility', '2025-06-06', { scope: 'model', scope_id: 'm' }),
  ]);
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-06..2025-06-09', { sync_day: '2025-06-10' }),
    slice('visibility', '2025-06-06..2025-06-08', {
      sync_day: '2025-06-10',
      scope: 'model',
      scope_id: 'm',
    }),
  ]);
  await world.gives(
    'select date, status, series_expected_count as expected, series_covered_count as covered from sync_coverage order by date',
    [
      { date: '2025-06-06', status: 'settled', expected: 2, covered: 2 },
      { date: '2025-06-07', status: 'settled', expected: 2, covered: 2 },
      { date: '2025-06-08', status: 'covered', expected: 2, covered: 2 },
      { date: '2025-06-09', status: 'partial', expected: 2, covered: 1 },
    ],
  );
});
