import { it } from 'vitest';
import { createViews } from '../../src/publish/published-file.ts';
import { openWorld, slice, window } from './world.ts';

const MAY = window('month', '2025-05-01..2025-05-31');
const JUNE = window('month', '2025-06-01..2025-06-30');

it('restated_values has one row per changed value, without first figures and counters of prompts', async () => {
  await using world = await openWorld();
  const key = { project_id: 'p', grain: 'day', date: '2025-06-01', scope: 'project', scope_id: 'p' };
  const restated = { key: JSON.stringify(key), changed_at: '2025-06-05T00:00:00Z', change: 'updated' };
  const prompt = (amount_of_responses: number, text: string): string =>
    JSON.stringify({ amount_of_responses, prompt: text });
  const [old, recent] = ['{"total_responses":10,"change":null}', '{"total_responses":12,"change":-1.5}'];
  await world.insert('meta.restatements', [
    { ...restated, table_name: 'share_of_voice', old, new: recent },
    { ...restated, table_name: 'visibility', change: 'deleted', was_final: true, old: '{"visibility":40.5}' },
    { ...restated, table_name: 'prompts', old: prompt(10, 'best shoe?'), new: prompt(12, 'best shoes?') },
  ]);
  await world.gives(
    `select project_id, table_name, column_name, date, scope_id, old_value, new_value, change_number, was_final
           from restated_values order by table_name, column_name`,
    [
      ['p', 'prompts', 'prompt', '2025-06-01', 'p', 'best shoe?', 'best shoes?', null, false],
      ['p', 'share_of_voice', 'total_responses', '2025-06-01', 'p', '10', '12', 2, false],
      ['p', 'visibility', 'visibility', '2025-06-01', 'p', '40.5', null, null, true],
    ],
  );
});

it('calendar knows that ISO weeks cross the year', async () => {
  await using world = await openWorld();
  await world.insert('meta.slices', [slice('visibility', '2024-12-28..2024-12-30')]);
  await world.gives(
    'select date, iso_year, iso_week, week_start, quarter_start, year, is_weekend from calendar order by date',
    [
      ['2024-12-28', 2024, 52, '2024-12-23', '2024-10-01', 2024, true],
      ['2024-12-29', 2024, 52, '2024-12-23', '2024-10-01', 2024, true],
      ['2024-12-30', 2025, 1, '2024-12-30', '2024-10-01', 2024, false],
    ],
  );
});

it('sentiment_split splits by all responses, unknown ones included, and by those with a known sentiment', async () => {
  await using world = await openWorld('2025-06-02');
  await world.insert('core.response_sentiment', [
    { date: '2025-06-01', positive: 5, negative: 3, neutral: 0, unknown: 2 },
    { date: '2025-06-02', positive: null, negative: 0, neutral: 0, unknown: 9 },
  ]);
  await world.gives(
    `select all_responses, known_count, positive_pct, negative_pct, neutral_pct, unknown_pct, net_sentiment_pct,
             net_sentiment_known_pct, is_whole_day, is_final from sentiment_split order by date`,
    [
      [10, 8, 50, 30, 0, 20, 20, 25, true, false],
      [9, 0, null, 0, 0, 100, 0, null, false, false],
    ],
  );
});

it('known_count is 0 on a day whose responses all lack a known sentiment, and NULL only on a day without responses', async () => {
  await using world = await openWorld('2025-06-03');
  const none = { positive: 0, negative: 0, neutral: 0 };
  await world.insert('core.response_sentiment', [
    { date: '2025-06-01', ...none, unknown: 36 },
    { date: '2025-06-02', ...none, unknown: 0 },
  ]);
  const expected = [
    [36, 0, 0, null],
    [null, null, null, null],
  ];
  for (const view of ['sentiment_split', 'daily_kpis'])
    await world.gives(
      `select all_responses, known_count, net_sentiment_pct, net_sentiment_known_pct from detail.${view} where date < date '2025-06-03' order by date`,
      expected,
    );
  await world.gives(
    `select count(*) from detail.figure_days where metric = 'net_sentiment_known' and denominator = 0`,
    [[0]],
  );
});

it('crawler_pages gives the crawlers of a page as text, from the newest window', async () => {
  await using world = await openWorld();
  const page = { requests: 3, unique_crawlers: 2, crawlers: ['GPTBot', 'ClaudeBot'] };
  await world.insert('core.crawler_top_pages', [
    { ...page, ...window('last_28_days', '2025-05-01..2025-05-28'), request_path: '/old' },
    { ...page, ...window('last_28_days', '2025-05-02..2025-05-29'), request_path: '/new' },
  ]);
  await world.gives('select request_path, crawlers, requests_rank from crawler_pages', [
    ['/new', 'GPTBot, ClaudeBot', 1],
  ]);
});

it('prompt_catalog keeps removed prompts and says when each was seen', async () => {
  await using world = await openWorld();
  await world.insert('core.monitors', [{ monitor_id: 'm', name: 'Shoes' }]);
  await world.insert('core.prompts', [
    { prompt_id: 'a', prompt: 'best shoes?', monitor_id: 'm', amount_of_responses: 5 },
    { prompt_id: 'b', removed_at: '2025-06-03T00:00:00Z' },
  ]);
  const seen = ['2025-06-01', '2025-06-02'].map((date) => ({ prompt_id: 'a', date }));
  await world.insert('core.prompt_snapshots', seen);
  await world.gives(
    'select prompt_id, prompt, monitor_name, first_seen_on, last_seen_on, is_removed from prompt_catalog order by prompt_id',
    [
      ['a', 'best shoes?', 'Shoes', '2025-06-01', '2025-06-02', false],
      ['b', null, null, null, null, true],
    ],
  );
});

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

it('the interval of a share without a mention begins at 0, and more mentions than answers have none', async () => {
  await using world = await openWorld('2025-07-20');
  await world.daily('core.share_of_voice', ['2025-06-01', '2025-06-02', '2025-06-03'], (index) => ({
    total_responses: 4,
    brand_mentions: [0, 4, 9][index],
  }));
  await world.gives(
    `select round(share_of_voice_pct_low, 9), round(share_of_voice_pct_high, 9), share_of_voice_pct_low >= 0
       from share_of_voice_trend order by date`,
    [
      [0, 48.99000204, true],
      [51.00999796, 100, true],
      [null, null, null],
    ],
  );
  await world.gives(
    `select change_low, change_high from main.compare_periods('share_of_voice_pct', '2025-06-03', '2025-06-03', '2025-06-02', '2025-06-02')`,
    [[null, null]],
  );
});

it('share_of_voice_trend has the interval of questions like these, from 10 prompts on, and takes answers before the scope', async () => {
  await using world = await openWorld('2025-07-20');
  const share = (date: string, scope_id: string, brand_mentions: number) => ({
    date,
    scope: scope_id === 'p' ? 'project' : 'prompt',
    scope_id,
    total_responses: 2,
    brand_mentions,
  });
  const asked = Array.from({ length: 10 }, (_, index) => `q${String(index)}`);
  await world.insert('core.share_of_voice', [
    share('2025-06-01', 'p', 1),
    ...asked.map((prompt, index) => share('2025-06-01', prompt, index < 5 ? 2 : 1)),
    share('2025-06-02', 'p', 1),
    ...asked.slice(1).map((prompt) => share('2025-06-02', prompt, 1)),
  ]);
  const read =
    'select round(like_these_pct, 1), round(like_these_low, 1), round(like_these_high, 1) from main.share_of_voice_trend order by date';
  // Five rates of 1 and five of 0.5: standard deviation 0.2635, t of 9 degrees 2.262.
  const ofTheScope = [75, 52.3, 89.1];
  const nothing = [null, null, null];
  await world.gives(read, [ofTheScope, nothing]);
  await world.run(
    `create table own.responses (project_id varchar, prompt_id varchar, date date, mentioned_own_brand boolean, removed_at timestamp);
     insert into own.responses select 'p', 'q' || (i // 2), '2025-06-02', i % 2 = 0 or i < 10, null from range(20) t(i);
     insert into core.prompts (project_id, prompt_id, type, _run_id, _changed_at) select 'p', 'q' || i, 'ORGANIC', 'r', now() from range(10) t(i)`,
  );
  await createViews(world.connection);
  await world.insert('meta.slices', [
    slice('responses', '2025-06-02..2025-06-02', { sync_day: '2025-06-03' }),
  ]);
  await world.gives(read, [ofTheScope, ofTheScope]);
  await world.run('drop table own.responses');
  await createViews(world.connection);
  await world.gives(read, [ofTheScope, nothing]);
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

it('window_summary counts 0 of a sentiment that is not listed where those listed are all the responses', async () => {
  await using world = await openWorld('2025-07-20');
  await world.insert('core.response_summary', [
    { ...JUNE, total_responses: 60, total_brand_mentions: 8, brand_mention_rate: 13.3 },
  ]);
  await world.insert('core.sentiment_distribution', [
    { ...JUNE, sentiment: 'POSITIVE', count: 8 },
    { ...JUNE, sentiment: 'UNKNOWN', count: 52 },
  ]);
  await world.gives(
    'select positive_count, negative_count, neutral_count, unknown_count from window_summary',
    [[8, 0, 0, 52]],
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
