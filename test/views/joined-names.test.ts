import { it } from 'vitest';
import { openWorld } from './world.ts';
import { table } from '../support/table.ts';

it('share_of_voice_trend has no change across missing days, and an interval for each share', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert(
    'core.share_of_voice',
    table(
      'date total_responses brand_mentions share_of_voice',
      ['2025-06-01', 100, 40, 40],
      ['2025-06-02', 100, 44, 44],
      ['2025-06-23', 100, 36, 36],
    ),
  );
  await world.gives(
    `select date, previous_date, change_points, round(share_of_voice_pct_low, 1) as low, round(share_of_voice_pct_high, 1) as high
         from share_of_voice_trend order by date`,
    [
      { date: '2025-06-01', previous_date: null, change_points: null, low: 30.9, high: 49.8 },
      { date: '2025-06-02', previous_date: '2025-06-01', change_points: 4, low: 34.7, high: 53.8 },
      { date: '2025-06-23', previous_date: null, change_points: null, low: 27.3, high: 45.8 },
    ],
  );
});

it('sentiment_split has intervals that stay possible, even where all responses agree', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.response_sentiment', [
    { date: '2025-06-01', positive: 5, negative: 0, neutral: 0, unknown: 0 },
    { date: '2025-06-02', positive: 50, negative: 10, neutral: 40, unknown: 0 },
  ]);
  await world.gives(
    `select positive_pct_low < positive_pct and positive_pct <= positive_pct_high and positive_pct_high <= 100.0001 as share,
           net_sentiment_pct_low < net_sentiment_pct as net_low, net_sentiment_pct_high <= 100 as net_high
         from sentiment_split order by date`,
    [
      { share: true, net_low: true, net_high: true },
      { share: true, net_low: true, net_high: true },
    ],
  );
});

it('window_summary has one row for each window and scope, of three endpoints', async () => {
  await using world = await openWorld('2025-07-20');
  const window = { window_kind: 'month', window_start: '2025-06-01', window_end: '2025-06-30' };
  await world.insert('core.response_summary', [
    { ...window, total_responses: 200, total_brand_mentions: 80, brand_mention_rate: 40 },
  ]);
  await world.insert('core.sentiment_distribution', [
    { ...window, sentiment: 'POSITIVE', count: 50 },
    { ...window, sentiment: 'NEGATIVE', count: 5 },
  ]);
  await world.insert('core.share_of_voice_comparison', [
    { ...window, scope: 'model', scope_id: 'm', current_share_of_voice: 30, previous_share_of_voice: 25 },
  ]);
  await world.gives(
    `select scope, days_in_window as days, all_responses as responses, positive_count as positive, neutral_count as neutral,
           current_share_of_voice_pct as share from window_summary order by scope`,
    [
      { scope: 'model', days: 30, responses: null, positive: null, neutral: null, share: 30 },
      { scope: 'project', days: 30, responses: 200, positive: 50, neutral: null, share: null },
    ],
  );
});

it('competitor_mention_trend puts the window before beside each rival, and says who is tracked', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.brands', [
    { brand_id: 'r', name: 'Rival', domain: 'rival.test', relation: 'DIRECT_COMPETITOR' },
  ]);
  await world.insert(
    'core.competitor_mentions',
    table(
      'window_kind window_start window_end competitor count',
      ['month', '2025-05-01', '2025-05-31', 'Rival', 10],
      ['month', '2025-06-01', '2025-06-30', 'Rival', 12],
      ['month', '2025-06-01', '2025-06-30', 'Newcomer', 7],
      ['month', '2025-06-01', '2025-06-30', 'www.Rival.test', 3],
    ),
  );
  await world.gives(
    `select competitor, mention_count as mentions, previous_mention_count as before, is_tracked
         from competitor_mention_trend where window_start = '2025-06-01' order by 1`,
    [
      { competitor: 'Newcomer', mentions: 7, before: null, is_tracked: false },
      { competitor: 'Rival', mentions: 12, before: 10, is_tracked: true },
      { competitor: 'www.Rival.test', mentions: 3, before: null, is_tracked: true },
    ],
  );
});
