import { expect, it } from 'vitest';
import { unit } from '../../simulator/random.ts';
import { action, configure, days, openWorld } from '../views/world.ts';
import { answer, openShop, plant, START, SYNC_DAY, wave } from './planted-world.ts';

it('the action that moved visibility comes first, before one after which nothing changed', async () => {
  await using world = await openShop();
  await plant(world, 'core.visibility', (index) => ({ visibility: (index > 90 ? 50 : 40) + wave(index) }));
  await world.insert('core.events', [action('dud', '2026-02-15'), action('hit', '2026-04-05')]);
  expect(await answer(world, 'actions_that_moved_visibility')).toMatchObject([
    { action_title: 'Action hit', before: expect.closeTo(40, 0), after: expect.closeTo(50, 0) },
    { action_title: 'Action dud', effect: expect.closeTo(0, 0) },
  ]);
});

it('actions too close to each other are judged as one burst', async () => {
  await using world = await openShop();
  await plant(world, 'core.visibility', (index) => ({ visibility: (index > 90 ? 50 : 40) + wave(index) }));
  await world.insert('core.events', [
    action('alone', '2026-02-15'),
    action('one', '2026-04-05'),
    action('two', '2026-04-06'),
  ]);
  const rows = await answer(world, 'actions_that_moved_visibility');
  expect(rows.map((row) => row['action_title'])).toEqual(['Action alone']);
  const bursts = await answer(world, 'bursts_of_actions');
  expect(bursts.map((row) => [row['titles'], row['visibility_is_clear']])).toEqual([
    ['Action one; Action two', true],
    ['Action alone', false],
  ]);
});

it('shares of a weekday come from the counts together, not from averaging days', async () => {
  await using world = await openShop();
  // Mondays: 1 of 10 and 90 of 100 in turn; the mean of the days would say 50.
  await plant(world, 'core.share_of_voice', (index) => {
    const isSmall = Math.floor(index / 7) % 2 === 0;
    return { total_responses: isSmall ? 10 : 100, brand_mentions: isSmall ? 1 : 90, share_of_voice: 0 };
  });
  const [monday] = await answer(world, 'weekday_pattern');
  expect(monday).toMatchObject({ day_name: 'Monday', days_with_data: 12, net_sentiment_known_pct: null });
  expect(monday?.['share_of_voice_pct']).toBeCloseTo((100 * 6 * 91) / (6 * 110), 9);
});

it('shares of a day without mentions of any kind do not lower a month', async () => {
  await using world = await openShop();
  await plant(world, 'core.share_of_voice', (index) => ({
    total_responses: 10,
    brand_mentions: index % 2 === 0 ? 5 : null,
    share_of_voice: null,
  }));
  const rows = await answer(world, 'month_over_month');
  expect(rows.map((row) => [row['month_start'], row['share_of_voice_pct'], row['is_final']])).toEqual([
    ['2026-01-01', 50, true],
    ['2026-02-01', 50, true],
    ['2026-03-01', 50, true],
    ['2026-04-01', 50, true],
    ['2026-05-01', 50, true],
  ]);
});

it('a lead within the error of the counts is no lead', async () => {
  await using world = await openShop();
  await world.insert('core.brands', [
    { brand_id: 'us', name: 'Us', relation: 'SELF' },
    { brand_id: 'them', name: 'Them', relation: 'DIRECT_COMPETITOR' },
  ]);
  await plant(world, 'core.brand_visibility', () => ({ brand_id: 'us', mention_count: 10 }));
  await plant(world, 'core.brand_visibility', (index) => ({
    brand_id: 'them',
    mention_count: 9 + (Math.floor(index / 7) % 3),
  }));
  expect(await answer(world, 'competitors_that_overtook_us')).toEqual([]);
});

it('the week in which a competitor overtakes your brand is named once', async () => {
  await using world = await openShop();
  await world.insert('core.brands', [
    { brand_id: 'us', name: 'Us', relation: 'SELF' },
    { brand_id: 'them', name: 'Them', relation: 'DIRECT_COMPETITOR' },
  ]);
  await plant(world, 'core.brand_visibility', () => ({ brand_id: 'us', mention_count: 100 }));
  await plant(world, 'core.brand_visibility', (index) => ({
    brand_id: 'them',
    mention_count: index < 70 ? 80 : 120,
  }));
  expect(await answer(world, 'competitors_that_overtook_us')).toMatchObject([
    {
      competitor_name: 'Them',
      week_start: '2026-03-16',
      new_leader: 'competitor',
      lead: -140,
      lead_before: 140,
    },
  ]);
});

it('prompts, days and targets that stand out are found', async () => {
  await using world = await openShop();
  await plant(world, 'core.visibility', (index) => ({
    visibility: 40 + 3 * unit(1, index) + (index === 120 ? 30 : 0),
  }));
  await world.insert('core.prompt_snapshots', [
    { prompt_id: 'a', date: START, average_visibility: 40, amount_of_responses: 10 },
    { prompt_id: 'a', date: SYNC_DAY, average_visibility: 46, amount_of_responses: 90 },
    { prompt_id: 'b', date: SYNC_DAY, average_visibility: 50, amount_of_responses: 5 },
  ]);
  const target = { project: 'p', measure: 'visibility', goal: 40, by: '2026-12-31' };
  await world.insert('meta.settings', [{ name: 'targets', value: JSON.stringify([target]) }]);
  expect(await answer(world, 'prompts_that_moved')).toMatchObject([
    { prompt_id: 'a', visibility_change: 6, new_responses_count: 80 },
  ]);
  expect(await answer(world, 'days_out_of_the_ordinary')).toMatchObject([
    { measure: 'visibility', date: '2026-05-05' },
  ]);
  expect(await answer(world, 'targets_on_course')).toMatchObject([{ goal: 40, is_on_course: true }]);
});

it('a slide that four weeks do not show is a slow decline; the client with a clear fall is first', async () => {
  await using world = await openWorld();
  const today = '2026-02-05';
  await configure(world, today);
  await world.insert('core.projects', [{ name: 'Shop' }, { project_id: 'q', name: 'Attic' }]);
  const level = { p: (day: number) => 48 - 0.03 * Math.max(0, day - 310), q: () => 40 };
  for (const project of ['p', 'q'] as const) {
    await world.insert(
      'core.visibility',
      days('2025-01-01', 400).map((date, index) => {
        const noise = 5 * unit(index, project === 'p' ? 1 : 2) - 2.5;
        return { project_id: project, scope_id: project, date, visibility: level[project](index) + noise };
      }),
    );
  }
  const declines = await answer(world, 'slow_decline');
  expect(declines.map((row) => [row['project_id'], row['is_clear_28_days'], row['is_slow_decline']])).toEqual(
    [
      ['p', false, true],
      ['q', false, false],
    ],
  );
  const clients = await answer(world, 'all_clients_at_once');
  expect(clients.map((row) => [row['project_name'], row['visibility_90_days_is_clear']])).toEqual([
    ['Shop', true],
    ['Attic', false],
  ]);
});

it('rivals that no brand stands for are untracked, and tracked ones are not listed', async () => {
  await using world = await openShop();
  await world.insert('core.brands', [{ brand_id: 'b', name: 'Known', relation: 'DIRECT_COMPETITOR' }]);
  const month = { window_kind: 'month', window_start: '2026-05-01', window_end: '2026-05-31' };
  await world.insert('core.competitor_mentions', [
    { ...month, competitor: 'Known', count: 90, percentage: 9 },
    { ...month, competitor: 'Newcomer', count: 40, percentage: 4 },
  ]);
  expect(await answer(world, 'untracked_rivals')).toMatchObject([
    { competitor: 'Newcomer', mention_count: 40, rank_in_month: 2 },
  ]);
});
