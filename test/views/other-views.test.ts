import { it } from 'vitest';
import { openWorld, slice } from './world.ts';
import { table } from '../support/table.ts';

it('restated_values has one row per changed value, without first figures and counters of prompts', async () => {
  await using world = await openWorld();
  const key = { project_id: 'p', grain: 'day', date: '2025-06-01', scope: 'project', scope_id: 'p' };
  const restatement = { key: JSON.stringify(key), changed_at: '2025-06-05T00:00:00Z' };
  const prompt = (responses: number, text: string): string =>
    `{"amount_of_responses":${String(responses)},"prompt":"${text}"}`;
  const changes = table(
    'table_name change was_final old new',
    [
      'share_of_voice',
      'updated',
      null,
      '{"total_responses":10,"change":null}',
      '{"total_responses":12,"change":-1.5}',
    ],
    ['visibility', 'deleted', true, '{"visibility":40.5}', null],
    ['prompts', 'updated', null, prompt(10, 'best shoe?'), prompt(12, 'best shoes?')],
  );
  await world.insert(
    'meta.restatements',
    changes.map((change) => ({ ...restatement, ...change })),
  );
  await world.gives(
    `select project_id, table_name, column_name, date, scope_id, old_value, new_value, change_number, was_final
           from restated_values order by table_name, column_name`,
    table(
      'project_id table_name column_name date scope_id old_value new_value change_number was_final',
      ['p', 'prompts', 'prompt', '2025-06-01', 'p', 'best shoe?', 'best shoes?', null, false],
      ['p', 'share_of_voice', 'total_responses', '2025-06-01', 'p', '10', '12', 2, false],
      ['p', 'visibility', 'visibility', '2025-06-01', 'p', '40.5', null, null, true],
    ),
  );
});

it('calendar knows that ISO weeks cross the year', async () => {
  await using world = await openWorld();
  await world.insert('meta.slices', [slice('visibility', '2024-12-28..2024-12-30')]);
  await world.gives(
    'select date, iso_year, iso_week, week_start, quarter_start, year, is_weekend from calendar order by date',
    table(
      'date iso_year iso_week week_start quarter_start year is_weekend',
      ['2024-12-28', 2024, 52, '2024-12-23', '2024-10-01', 2024, true],
      ['2024-12-29', 2024, 52, '2024-12-23', '2024-10-01', 2024, true],
      ['2024-12-30', 2025, 1, '2024-12-30', '2024-10-01', 2024, false],
    ),
  );
});

it('sentiment_split splits by all responses, unknown ones included, and by those with a known sentiment', async () => {
  await using world = await openWorld('2025-06-02');
  await world.insert('core.response_sentiment', [
    { date: '2025-06-01', positive: 5, negative: 3, neutral: 0, unknown: 2 },
    { date: '2025-06-02', positive: null, negative: 0, neutral: 0, unknown: 9 },
  ]);
  await world.gives(
    `select total_count, known_count, positive_pct, negative_pct, neutral_pct, unknown_pct, net_sentiment_pct,
             net_sentiment_known_pct, is_whole_day, is_final from sentiment_split order by date`,
    table(
      'total_count known_count positive_pct negative_pct neutral_pct unknown_pct net_sentiment_pct net_sentiment_known_pct is_whole_day is_final',
      [10, 8, 50, 30, 0, 20, 20, 25, true, false],
      [9, null, null, 0, 0, 100, 0, null, false, false],
    ),
  );
});

it('ai_traffic and crawler_pages list crawlers and visitors side by side', async () => {
  await using world = await openWorld();
  await world.insert('core.crawler_requests', [{ date: '2025-06-01', crawler: 'GPTBot', requests: 9 }]);
  await world.insert('core.visitor_visits', [{ date: '2025-06-01', referrer: 'chatgpt.com', visits: 2 }]);
  await world.gives(
    'select source_kind, source, crawler_requests_count, ai_visits_count from ai_traffic order by 1',
    [
      { source_kind: 'crawler', source: 'GPTBot', crawler_requests_count: 9, ai_visits_count: null },
      { source_kind: 'visitor', source: 'chatgpt.com', crawler_requests_count: null, ai_visits_count: 2 },
    ],
  );
});

it('ai_traffic and crawler_pages give the crawlers of a page as text, from the newest window', async () => {
  await using world = await openWorld();
  const page = (start: string, end: string, path: string): Record<string, unknown> => ({
    window_kind: 'last_28_days',
    window_start: start,
    window_end: end,
    request_path: path,
    requests: 3,
    unique_crawlers: 2,
    crawlers: ['GPTBot', 'ClaudeBot'],
  });
  await world.insert('core.crawler_top_pages', [
    page('2025-05-01', '2025-05-28', '/old'),
    page('2025-05-02', '2025-05-29', '/new'),
  ]);
  await world.gives('select request_path, crawlers, requests_rank from crawler_pages', [
    { request_path: '/new', crawlers: 'GPTBot, ClaudeBot', requests_rank: 1 },
  ]);
});

it('prompt_catalog keeps removed prompts and says when each was seen', async () => {
  await using world = await openWorld();
  await world.insert('core.monitors', [{ monitor_id: 'm', name: 'Shoes' }]);
  await world.insert('core.prompts', [
    { prompt_id: 'a', prompt: 'best shoes?', monitor_id: 'm', amount_of_responses: 5 },
    { prompt_id: 'b', removed_at: '2025-06-03T00:00:00Z' },
  ]);
  await world.insert('core.prompt_snapshots', [
    { prompt_id: 'a', date: '2025-06-01' },
    { prompt_id: 'a', date: '2025-06-02' },
  ]);
  await world.gives(
    'select prompt_id, prompt, monitor_name, first_seen_on, last_seen_on, is_removed from prompt_catalog order by prompt_id',
    table(
      'prompt_id prompt monitor_name first_seen_on last_seen_on is_removed',
      ['a', 'best shoes?', 'Shoes', '2025-06-01', '2025-06-02', false],
      ['b', null, null, null, null, true],
    ),
  );
});
