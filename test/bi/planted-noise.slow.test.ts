import { expect, it } from 'vitest';
import { mix, unit } from '../../simulator/random.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { openWorld } from '../views/world.ts';
import { answer, openShop, plant } from './planted-world.ts';

it('a crawler that comes three days before the visits is found with its lag', async () => {
  await using world = await openShop();
  const wave = (index: number): number => 100 + ((index * 37) % 23);
  await plant(world, 'core.crawler_requests', (index) => ({
    crawler: 'early-bot',
    requests: wave(index),
  }));
  await plant(world, 'core.visitor_visits', (index) => ({
    referrer: 'chat.example',
    visits: wave(index + 23 - 3),
  }));
  const [row] = await answer(world, 'crawlers_that_come_before_visits');
  expect(row).toMatchObject({ crawler: 'early-bot', lag_days: 3, is_clear: true });
  expect(row?.['correlation']).toBeGreaterThan(0.9);
});

it('a crawler that comes three days before the visits is not told by a weekend that both have', async () => {
  await using world = await openShop();
  const noise = (index: number, factor: number): number => Math.round(20 * unit(factor, index));
  const week = (index: number): number => (index % 7 < 5 ? 100 : 20);
  await plant(world, 'core.crawler_requests', (index) => ({
    crawler: 'office-bot',
    requests: week(index) + noise(index, 7),
  }));
  await plant(world, 'core.visitor_visits', (index) => ({
    referrer: 'chat.example',
    visits: week(index) + noise(index, 5),
  }));
  expect(await answer(world, 'crawlers_that_come_before_visits')).toMatchObject([{ is_clear: false }]);
});

it('a crawler that comes three days before the visits is not found in bursts of independent sources', async () => {
  await using world = await openShop();
  const idle = (key: number, index: number): number =>
    Math.round(
      (index % 7 < 5 ? 100 : 50) *
        (0.7 + 0.6 * unit(mix(key, 1), index)) *
        (unit(mix(key, 2), index) < 0.02 ? 3 : 1),
    );
  for (let key = 1; key <= 20; key += 1) {
    await plant(world, 'core.crawler_requests', (index) => ({
      crawler: `bot-${key}`,
      requests: idle(key, index),
    }));
  }
  await plant(world, 'core.visitor_visits', (index) => ({
    referrer: 'chat.example',
    visits: idle(50, index),
  }));
  const rows = await answer(world, 'crawlers_that_come_before_visits');
  expect(rows).toHaveLength(20);
  expect(rows.filter((row) => row['is_clear'] === true).length).toBeLessThanOrEqual(1);
});

it('a crawler that comes three days before the visits is left out when it asks the same number every day', async () => {
  await using world = await openShop();
  await plant(world, 'core.crawler_requests', () => ({ crawler: 'even-bot', requests: 7 }));
  await plant(world, 'core.visitor_visits', (index) => ({ referrer: 'chat.example', visits: index }));
  expect(await answer(world, 'crawlers_that_come_before_visits')).toEqual([]);
});

it('months of different length with the same visits a day have not changed', async () => {
  await using world = await openShop();
  await plant(world, 'core.visitor_visits', () => ({ referrer: 'chat.example', visits: 10 }));
  const rows = await answer(world, 'month_over_month');
  expect(
    rows.map((row) => [row['month_start'], row['ai_visits_count'], row['ai_visits_per_day_change']]),
  ).toEqual([
    ['2026-01-01', 270, null],
    ['2026-02-01', 280, null],
    ['2026-03-01', 310, 0],
    ['2026-04-01', 300, 0],
    ['2026-05-01', 240, null],
  ]);
});

it('the week that holds the day of the sync is no whole week, be it a Sunday', async () => {
  await using world = await openWorld('2026-05-24');
  await plant(world, 'core.share_of_voice', () => ({ total_responses: 10, brand_mentions: 5 }));
  const rows = await answer(world, 'weeks_with_changed_prompts');
  expect(rows.at(-1)).toMatchObject({ week_start: '2026-05-11', responses: 70, responses_change: 0 });
});

it('monitors and brands that moved are told from those that stray as always', async () => {
  await using world = await openShop();
  const moved = (index: number): number => (index >= 112 ? 20 : 0);
  for (const [scopeId, shift] of [
    ['idle', () => 0],
    ['risen', moved],
  ] as const) {
    await plant(world, 'core.share_of_voice', (index) => ({
      scope: 'monitor',
      scope_id: scopeId,
      total_responses: 100,
      brand_mentions: 40 + Math.round(10 * unit(3, index)) + shift(index),
    }));
    await plant(world, 'core.brand_visibility', (index) => ({
      brand_id: scopeId,
      mention_count: 40 + Math.round(10 * unit(4, index)) + 5 * shift(index),
    }));
  }
  const monitors = await answer(world, 'monitors_that_moved');
  expect(monitors.map((row) => [row['monitor_id'], row['is_clear']])).toEqual([
    ['risen', true],
    ['idle', false],
  ]);
  const brands = await answer(world, 'who_gained_share_of_mentions');
  expect(brands.map((row) => [row['brand_id'], row['is_clear']])).toEqual([
    ['risen', true],
    ['idle', true],
  ]);
});

it('the rank of your site has no row for the running month', async () => {
  await using world = await openShop();
  await world.insert('core.brands', [{ brand_id: 'us', domain: 'us.example', relation: 'SELF' }]);
  const month = (start: string, end: string, rank: number): Record<string, unknown> => ({
    window_kind: 'month',
    window_start: start,
    window_end: end,
    domain: 'us.example',
    total: 9,
    average_rank: rank,
  });
  await world.insert('core.domain_citation_totals', [
    month('2026-03-01', '2026-03-31', 3),
    month('2026-04-01', '2026-04-30', 2),
    month('2026-06-01', '2026-06-01', 9),
  ]);
  const rows = await answer(world, 'own_domain_citations');
  expect(rows.map((row) => [row['month_start'], row['average_citation_rank_change']])).toEqual([
    ['2026-03-01', null],
    ['2026-04-01', -1],
  ]);
});

it('a brand that the project ignores is no competitor of a model', async () => {
  await using world = await openShop();
  await world.insert(
    'core.competitor_heatmap',
    ['IGNORED', 'OTHER'].map((relation, index) => ({
      window_kind: 'month',
      window_start: '2026-05-01',
      window_end: '2026-05-31',
      competitor_name: relation,
      competitor_domain: '',
      relation,
      competitor_rank: index,
      model_id: relation,
      visibility: 40,
    })),
  );
  for (const name of ['models_that_never_mention_us', 'gap_to_strongest_competitor']) {
    expect((await answer(world, name)).map((row) => row['model_id'])).toEqual(['OTHER']);
  }
});

it('every question has an answer without rows, not an error, where nothing was ever pulled', async () => {
  await using world = await openWorld();
  for (const { sql } of readExamples()) await world.gives(sql, []);
});
