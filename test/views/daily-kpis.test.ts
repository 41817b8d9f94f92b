import { it } from 'vitest';
import { action, openWorld, prompts, slice } from './world.ts';

it('daily_kpis has one row a day from the first to the last covered, NULL where a figure is missing', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('core.projects', [{ name: 'Acme' }]);
  await world.insert('meta.slices', [slice('visibility', '2025-06-01..2025-06-04')]);
  await world.insert('core.visibility', [
    { date: '2025-06-02', visibility: 41.5 },
    { date: '2025-06-04', visibility: 0 },
  ]);
  await world.insert('core.response_sentiment', [
    { date: '2025-06-03', positive: 0, negative: 0, neutral: 0, unknown: 0 },
  ]);
  await world.gives(
    `select project_name, date, visibility, positive_count, net_sentiment_pct, events_count
           from daily_kpis k left join event_days e using (project_id, project_name, date) order by date`,
    [
      ['Acme', '2025-06-01', null, null, null, null],
      ['Acme', '2025-06-02', 41.5, null, null, null],
      ['Acme', '2025-06-03', null, 0, null, null],
      ['Acme', '2025-06-04', 0, null, null, null],
    ],
  );
});

it('daily_kpis takes every figure from the whole project by day, and adds up crawlers and referrers', async () => {
  await using world = await openWorld('2025-06-20');
  const date = '2025-06-02';
  const noise = [{ grain: 'week' }, { scope: 'model', scope_id: 'openai_gpt' }];
  const put = async (table: string, cells: Record<string, unknown>): Promise<void> =>
    await world.insert(table, [{ date, ...cells }, ...noise.map((other) => ({ date, ...cells, ...other }))]);
  await put('core.visibility', { visibility: 41.5 });
  await put('core.sentiment', { sentiment: 71.25 });
  await put('core.share_of_voice', { total_responses: 40, brand_mentions: 10, share_of_voice: 25 });
  await put('core.citation_ranks', { total_citations: 12, average_rank: 3.5 });
  await world.insert('core.response_sentiment', [{ date, positive: 6, negative: 1, neutral: 2, unknown: 1 }]);
  await put('core.crawler_requests', { crawler: 'GPTBot', requests: 30 });
  await put('core.crawler_requests', { crawler: 'ClaudeBot', requests: 0 });
  await put('core.visitor_visits', { referrer: 'chatgpt.com', visits: 4 });
  await world.gives(
    `select visibility, sentiment, share_of_voice_pct, organic_responses, organic_brand_mentions, citations_count,
       average_citation_rank, crawler_requests_count, ai_visits_count from main.daily_kpis`,
    [[41.5, 71.25, 25, 40, 10, 12, 3.5, 30, 4]],
  );
  await world.gives(
    `select positive_count, negative_count, neutral_count, unknown_count, known_count, net_sentiment_pct,
       net_sentiment_known_pct from main.daily_kpis`,
    [[6, 1, 2, 1, 9, 50, (100 * 5) / 9]],
  );
  await world.gives(
    `select date, actions_completed, prompts_created, prompts_deleted, event_titles, traffic_timezone, is_final
       from main.daily_kpis`,
    [[date, null, null, null, null, 'UTC', true]],
  );
});

it('daily_kpis says 0 for a source that reports 0, NULL for a source that is not enabled', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.slices', [
    slice('crawler_requests', '2025-06-01..2025-06-01'),
    slice('visitor_visits', '2025-06-01..2025-06-01', { status: 'not_enabled' }),
  ]);
  await world.insert('core.crawler_requests', [{ date: '2025-06-01', crawler: 'GPTBot', requests: 0 }]);
  await world.gives('select crawler_requests_count, ai_visits_count from daily_kpis', [[0, null]]);
});

it('daily_kpis counts prompts, not groups: 0 on a covered day without events and NULL outside coverage', async () => {
  await using world = await openWorld('2025-06-05');
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-03'),
    slice('events', '2025-06-01..2025-06-02'),
    slice('events', '2025-06-03..2025-06-03', { status: 'failed' }),
  ]);
  await world.insert('core.events', [
    action('2', '2025-06-01'),
    action('1', '2025-06-01', { occurred_at: '2025-06-01T08:00:00Z', action_title: null }),
    prompts('prompts_created', '2025-06-01', 3),
    prompts('prompts_deleted', '2025-06-01', 1),
  ]);
  await world.gives(
    'select date, actions_completed, prompts_created, prompts_deleted, event_titles from daily_kpis order by date',
    [
      ['2025-06-01', 2, 3, 1, 'CONTENT_GAP; 3 prompts created in Shoes; 1 prompt deleted in Shoes; Action 2'],
      ['2025-06-02', 0, 0, 0, null],
      ['2025-06-03', null, null, null, null],
    ],
  );
});

it('daily_kpis has the days of the project that answers cover, not those of a filter, a week or a suspicion', async () => {
  await using world = await openWorld();
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-02'),
    slice('share_of_voice', '2025-06-01..2025-07-01', { status: 'suspicious' }),
    slice('visibility', '2024-01-01..2025-06-03', { scope: 'model', scope_id: 'openai_gpt' }),
    slice('visibility', '2024-01-01..2025-06-03', { grain: 'week' }),
  ]);
  await world.gives('select min(date), max(date) from daily_kpis', [['2025-06-01', '2025-06-02']]);
});
