import { it } from 'vitest';
import { openWorld, window } from './world.ts';

const MAY = window('month', '2025-05-01..2025-05-31');
const JUNE = window('month', '2025-06-01..2025-06-30');

it('share_of_voice_trend has no change across missing days, and an interval for each share', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.share_of_voice', [
    { date: '2025-06-01', total_responses: 100, brand_mentions: 40, share_of_voice: 40 },
    { date: '2025-06-02', total_responses: 100, brand_mentions: 44, share_of_voice: 44 },
    { date: '2025-06-23', total_responses: 100, brand_mentions: 36, share_of_voice: 36 },
  ]);
  await world.gives(
    `select date, previous_date, change_points, round(share_of_voice_pct_low, 1), round(share_of_voice_pct_high, 1)
         from share_of_voice_trend order by date`,
    [
      ['2025-06-01', null, null, 30.9, 49.8],
      ['2025-06-02', '2025-06-01', 4, 34.7, 53.8],
      ['2025-06-23', null, null, 27.3, 45.8],
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
    `select positive_pct_low < positive_pct and positive_pct <= positive_pct_high and positive_pct_high <= 100.0001,
           net_sentiment_pct_low < net_sentiment_pct, net_sentiment_pct_high <= 100
         from sentiment_split order by date`,
    [
      [true, true, true],
      [true, true, true],
    ],
  );
});

it('window_summary has one row for each window and scope, of three endpoints', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.response_summary', [
    { ...JUNE, total_responses: 200, total_brand_mentions: 80, brand_mention_rate: 40 },
  ]);
  await world.insert('core.sentiment_distribution', [
    { ...JUNE, sentiment: 'POSITIVE', count: 50 },
    { ...JUNE, sentiment: 'NEGATIVE', count: 5 },
  ]);
  await world.insert('core.share_of_voice_comparison', [
    { ...JUNE, scope: 'model', scope_id: 'm', current_share_of_voice: 30, previous_share_of_voice: 25 },
  ]);
  await world.gives(
    `select scope, days_in_window, all_responses, positive_count, neutral_count,
           current_share_of_voice_pct from window_summary order by scope`,
    [
      ['model', 30, null, null, null, 30],
      ['project', 30, 200, 50, null, null],
    ],
  );
});

it('competitor_mention_trend puts the window before beside each rival, and says who is tracked', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.brands', [
    { brand_id: 'r', name: 'Rival', domain: 'rival.test', relation: 'DIRECT_COMPETITOR' },
  ]);
  await world.insert('core.competitor_mentions', [
    { ...MAY, competitor: 'Rival', count: 10 },
    { ...JUNE, competitor: 'Rival', count: 12 },
    { ...JUNE, competitor: 'Newcomer', count: 7 },
    { ...JUNE, competitor: 'www.Rival.test', count: 3 },
  ]);
  await world.gives(
    `select competitor, mention_count, previous_mention_count, is_tracked
         from competitor_mention_trend where window_start = '2025-06-01' order by 1`,
    [
      ['Newcomer', 7, null, false],
      ['Rival', 12, 10, true],
      ['www.Rival.test', 3, null, true],
    ],
  );
});
