import { it } from 'vitest';
import { openWorld, slice } from './world.ts';

it('no view of main has a filter, a grain or a kind of window', async () => {
  await using world = await openWorld();
  await world.gives(
    `select table_name, column_name from duckdb_columns() where schema_name = 'main' and not internal
     and column_name in ('scope', 'scope_id', 'scope_name', 'grain', 'window_kind', 'is_whole_day', 'is_whole_window')
     and table_name not in ('calendar')`,
    [],
  );
});

it('a figure of main is NULL on a day that is not whole for it, and the running day is not there', async () => {
  await using world = await openWorld('2025-06-04');
  const tonight = { sync_day: '2025-06-04' };
  await world.insert('meta.slices', [
    slice('visibility', '2025-06-01..2025-06-04', tonight),
    // The night before, two hours of the third were there; since then citations failed.
    slice('citation_ranks', '2025-06-01..2025-06-03', { sync_day: '2025-06-03' }),
    // Another day that is asked for again does not make it whole.
    slice('citation_ranks', '2025-06-01..2025-06-01', tonight),
  ]);
  const dates = ['2025-06-01', '2025-06-02', '2025-06-03', '2025-06-04'];
  await world.daily('core.visibility', dates, () => ({ visibility: 40 }));
  const cited = { total_citations: 9, average_rank: 2 };
  await world.daily('core.citation_ranks', dates.slice(0, 3), () => cited);
  await world.gives('select date, visibility, citations_count from main.daily_kpis order by date', [
    ['2025-06-01', 40, 9],
    ['2025-06-02', 40, 9],
    ['2025-06-03', 40, null],
  ]);
  await world.gives('select date, citations_count from main.citation_rank_trend order by date', [
    ['2025-06-01', 9],
    ['2025-06-02', 9],
  ]);
  await world.gives('select max(date) from main.visibility_with_events', [['2025-06-03']]);
  await world.gives('select max(date) from detail.visibility_with_events', [['2025-06-04']]);
});

it('the counts of models and of (other) add up to those of the project; weeks and filters stay in detail', async () => {
  await using world = await openWorld('2025-06-20');
  const date = '2025-06-02';
  const counts = (total_responses: number, brand_mentions: number): object => ({
    total_responses,
    brand_mentions,
    share_of_voice: (100 * brand_mentions) / total_responses,
  });
  await world.insert('core.models', [{ model_id: 'gpt', label: 'GPT' }]);
  await world.insert('core.share_of_voice', [
    { date, ...counts(100, 40) },
    { date, grain: 'week', ...counts(700, 280) },
    { date, scope: 'model', scope_id: 'gpt', ...counts(60, 30) },
    { date, scope: 'model', scope_id: 'sonar', ...counts(20, 2) },
  ]);
  const ofBrands = { date, scope: 'model', scope_id: 'gpt', total_responses: 90 };
  const brands = ['own', 'rival'].map((brand_id) => ({ ...ofBrands, brand_id }));
  await world.insert('core.brand_visibility', brands);
  await world.gives(
    `select model_id, model_name, assistant, organic_responses, organic_brand_mentions, share_of_voice_pct, all_responses
     from main.model_kpis order by model_id`,
    [
      ['(other)', 'Other models', null, 20, 8, 40, null],
      ['gpt', 'GPT', 'ChatGPT', 60, 30, 50, 90],
      ['sonar', null, 'Perplexity', 20, 2, 10, null],
    ],
  );
  // Nothing is left over: no row, which would count as a model.
  await world.insert('core.share_of_voice', [
    { date: '2025-06-03', ...counts(60, 30) },
    { date: '2025-06-03', scope: 'model', scope_id: 'gpt', ...counts(60, 30) },
  ]);
  await world.gives("select model_id from main.model_kpis where date = '2025-06-03'", [['gpt']]);
  await world.gives('select sum(organic_responses)::integer from main.share_of_voice_trend', [[160]]);
  await world.gives('select count(*) from detail.share_of_voice_trend', [[6]]);
});
