import { expect, it } from 'vitest';
import { mix, unit } from '../../simulator/random.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { DAYS, dayAt, plantProject } from '../views/weather.ts';
import { action, days, openWorld, setTargets, slice, window, type World } from '../views/world.ts';

const START = '2026-01-05';
const SYNC_DAY = '2026-06-01';
/** From a Monday on. */
const DATES = days(START, 140);

/** Some columns of the answer to a question of the examples. */
async function answer(world: World, name: string, columns: string): Promise<unknown[][]> {
  const found = readExamples().find((example) => example.name === name);
  const rows = await world.rows(found?.sql ?? '');
  return rows.map((row) => columns.split(' ').map((column) => row[column]));
}

/** A shop that was synced on 1 June. */
async function openShop(): Promise<World> {
  const world = await openWorld(SYNC_DAY);
  await world.insert('core.projects', [{ name: 'Shop' }]);
  await world.insert('meta.slices', [slice('events', `${START}..2026-05-24`, { sync_day: SYNC_DAY })]);
  return world;
}

/** Visibility rises by 10 after 5 April; without any noise nothing would be typical, and 14 days have none of this one. */
async function openRise(): Promise<World> {
  const world = await openShop();
  await world.daily('core.visibility', DATES, (index) => ({
    visibility: (index > 90 ? 50 : 40) + (index % 14 < 7 ? 0.5 : 0),
  }));
  return world;
}

it('the action that clearly moved visibility is told, of two that were judged, and not the one after which nothing changed', async () => {
  await using world = await openRise();
  await world.insert('core.events', [action('dud', '2026-02-15'), action('hit', '2026-04-05')]);
  expect(await answer(world, 'actions_that_moved_visibility', 'titles before effect judged')).toEqual([
    ['Action hit', expect.closeTo(40, 0), expect.closeTo(10, 0), 2],
  ]);
});

it('actions too close to each other are judged as one burst', async () => {
  await using world = await openRise();
  await world.insert('core.events', [
    action('alone', '2026-02-15'),
    action('one', '2026-04-05'),
    action('two', '2026-04-06'),
  ]);
  expect(await answer(world, 'actions_that_moved_visibility', 'titles')).toEqual([
    ['Action one; Action two'],
  ]);
  expect(await answer(world, 'bursts_of_actions', 'titles visibility_is_clear')).toEqual([
    ['Action one; Action two', true],
    ['Action alone', false],
  ]);
});

it('shares of a weekday come from the counts together, not from averaging days', async () => {
  await using world = await openShop();
  // Mondays: 1 of 10 and 90 of 100 in turn; the mean of the days would say 50.
  await world.daily('core.share_of_voice', DATES, (index) => {
    const isSmall = Math.floor(index / 7) % 2 === 0;
    return { total_responses: isSmall ? 10 : 100, brand_mentions: isSmall ? 1 : 90, share_of_voice: 0 };
  });
  const share = expect.closeTo((100 * 6 * 91) / (6 * 110), 9) as number;
  const columns = 'day_name days_with_data net_sentiment_known_pct share_of_voice_pct';
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  expect(await answer(world, 'weekday_pattern', columns)).toEqual(
    names.map((name) => [name, 12, null, share]),
  );
});

it('shares of a day without mentions of any kind do not lower a month', async () => {
  await using world = await openShop();
  await world.daily('core.share_of_voice', DATES, (index) => ({
    total_responses: 10,
    brand_mentions: index % 2 === 0 ? 5 : null,
    share_of_voice: null,
  }));
  expect(await answer(world, 'month_over_month', 'month_start share_of_voice_pct is_final')).toEqual(
    [1, 2, 3, 4, 5].map((month) => [`2026-0${String(month)}-01`, 50, true]),
  );
});

it('months of different length with the same visits a day have not changed', async () => {
  await using world = await openShop();
  await world.daily('core.visitor_visits', DATES, () => ({ referrer: 'chat.example', visits: 10 }));
  expect(
    await answer(world, 'month_over_month', 'month_start ai_visits_count ai_visits_per_day_change'),
  ).toEqual([
    ['2026-01-01', 270, null],
    ['2026-02-01', 280, null],
    ['2026-03-01', 310, 0],
    ['2026-04-01', 300, 0],
    ['2026-05-01', 240, null],
  ]);
});

it.each([
  ['a lead within the error of the counts is no lead', 10, (week: number) => 9 + (week % 3), []],
  [
    'the week in which a competitor overtakes your brand is named once',
    100,
    (week: number) => (week < 10 ? 80 : 120),
    [['Them', '2026-03-16', 'competitor', -140, 140]],
  ],
])('%s', async (...[_title, own, theirs, expected]) => {
  await using world = await openShop();
  await world.insert('core.brands', [
    { brand_id: 'us', name: 'Us', relation: 'SELF' },
    { brand_id: 'them', name: 'Them', relation: 'DIRECT_COMPETITOR' },
  ]);
  for (const [brand_id, mentions] of [
    ['us', () => own],
    ['them', theirs],
  ] as const)
    await world.daily('core.brand_visibility', DATES, (index) => ({
      brand_id,
      mention_count: mentions(Math.floor(index / 7)),
    }));
  const columns = 'competitor_name week_start new_leader lead lead_before';
  expect(await answer(world, 'competitors_that_overtook_us', columns)).toEqual(expected);
});

it('prompts, days and targets that stand out are found', async () => {
  await using world = await openShop();
  await world.daily('core.visibility', DATES, (index) => ({
    visibility: 40 + 3 * unit(1, index) + (index === 120 ? 30 : 0),
  }));
  await world.insert('core.prompt_snapshots', [
    { prompt_id: 'a', date: START, average_visibility: 40, amount_of_responses: 10 },
    { prompt_id: 'a', date: SYNC_DAY, average_visibility: 46, amount_of_responses: 90 },
    { prompt_id: 'b', date: SYNC_DAY, average_visibility: 50, amount_of_responses: 5 },
  ]);
  await setTargets(world, '2026-12-31', { visibility: 40 });
  expect(
    await answer(world, 'prompts_that_moved', 'prompt_id visibility_change new_responses_count'),
  ).toEqual([['a', 6, 80]]);
  expect(await answer(world, 'days_out_of_the_ordinary', 'measure date')).toEqual([
    ['visibility', '2026-05-05'],
  ]);
  expect(await answer(world, 'targets_on_course', 'goal is_on_course')).toEqual([[40, true]]);
});

it('a slide that four weeks do not show is a slow decline; the client with a clear fall is first', async () => {
  await using world = await openWorld(dayAt(DAYS));
  const level = { Shop: (day: number) => 48 - 0.03 * Math.max(0, day - 310), Attic: () => 40 };
  for (const [seed, [project, of]] of Object.entries(level).entries())
    await plantProject(world, project, { visibility: (day) => of(day) + 5 * unit(day, seed + 1) - 2.5 });
  expect(await answer(world, 'slow_decline', 'project_id is_clear_28_days is_slow_decline')).toEqual([
    ['Shop', false, true],
    ['Attic', false, false],
  ]);
  expect(await answer(world, 'all_clients_at_once', 'project_name visibility_90_days_is_clear')).toEqual([
    ['Shop', true],
    ['Attic', false],
  ]);
});

it('rivals that no brand stands for are untracked, and tracked ones are not listed', async () => {
  await using world = await openShop();
  await world.insert('core.brands', [{ brand_id: 'b', name: 'Known', relation: 'DIRECT_COMPETITOR' }]);
  const month = window('month', '2026-05-01..2026-05-31');
  await world.insert('core.competitor_mentions', [
    { ...month, competitor: 'Known', count: 90, percentage: 9 },
    { ...month, competitor: 'Newcomer', count: 40, percentage: 4 },
  ]);
  expect(await answer(world, 'untracked_rivals', 'competitor mention_count rank_in_month')).toEqual([
    ['Newcomer', 40, 2],
  ]);
});

/** Requests of a crawler and visits of one assistant, by day. */
async function openTraffic(
  requests: Record<string, (index: number) => number>,
  visits: (index: number) => number,
): Promise<World> {
  const world = await openShop();
  for (const [crawler, of] of Object.entries(requests))
    await world.daily('core.crawler_requests', DATES, (index) => ({ crawler, requests: of(index) }));
  await world.daily('core.visitor_visits', DATES, (index) => ({
    referrer: 'chat.example',
    visits: visits(index),
  }));
  return world;
}

const BEFORE = 'crawlers_that_come_before_visits';

it('a crawler that comes three days before the visits is found with its lag', async () => {
  const wave = (index: number): number => 100 + ((index * 37) % 23);
  await using world = await openTraffic({ 'early-bot': wave }, (index) => wave(index + 23 - 3));
  expect(await answer(world, BEFORE, 'crawler lag_days is_clear correlation')).toEqual([
    ['early-bot', 3, true, expect.closeTo(1, 1)],
  ]);
});

it('a crawler that comes three days before the visits is not told by a weekend that both have', async () => {
  const noise = (index: number, factor: number): number => Math.round(20 * unit(factor, index));
  const week = (index: number): number => (index % 7 < 5 ? 100 : 20);
  await using world = await openTraffic(
    { 'office-bot': (index) => week(index) + noise(index, 7) },
    (index) => week(index) + noise(index, 5),
  );
  expect(await answer(world, BEFORE, 'is_clear')).toEqual([[false]]);
});

it('a crawler that comes three days before the visits is not found in bursts of independent sources', async () => {
  const idle = (key: number) => (index: number) =>
    Math.round(
      (index % 7 < 5 ? 100 : 50) *
        (0.7 + 0.6 * unit(mix(key, 1), index)) *
        (unit(mix(key, 2), index) < 0.02 ? 3 : 1),
    );
  const bots = Array.from({ length: 20 }, (_, key) => [`bot-${String(key)}`, idle(key + 1)] as const);
  await using world = await openTraffic(Object.fromEntries(bots), idle(50));
  const sql = readExamples().find(({ name }) => name === BEFORE)?.sql ?? '';
  await world.gives(`select count(*), count(*) filter (where is_clear) <= 1 from (${sql})`, [[20, true]]);
});

it('a crawler that comes three days before the visits is left out when it asks the same number every day', async () => {
  await using world = await openTraffic({ 'even-bot': () => 7 }, (index) => index);
  expect(await answer(world, BEFORE, 'crawler')).toEqual([]);
});

it('the week that holds the day of the sync is no whole week, be it a Sunday', async () => {
  await using world = await openWorld('2026-05-24');
  await world.daily('core.share_of_voice', DATES, () => ({ total_responses: 10, brand_mentions: 5 }));
  const sql = readExamples().find(({ name }) => name === 'weeks_with_changed_prompts')?.sql ?? '';
  await world.gives(`select max(week_start), max(responses), max(responses_change) from (${sql})`, [
    ['2026-05-11', 70, 0],
  ]);
});

it('monitors and brands that moved are told from those that stray as always', async () => {
  await using world = await openShop();
  for (const [scope_id, rise] of Object.entries({ idle: 0, risen: 20 })) {
    const moved = (index: number): number => (index >= 112 ? rise : 0);
    await world.daily('core.share_of_voice', DATES, (index) => ({
      scope: 'monitor',
      scope_id,
      total_responses: 100,
      brand_mentions: 40 + Math.round(10 * unit(3, index)) + moved(index),
    }));
    await world.daily('core.brand_visibility', DATES, (index) => ({
      brand_id: scope_id,
      mention_count: 40 + Math.round(10 * unit(4, index)) + 5 * moved(index),
    }));
  }
  expect(await answer(world, 'monitors_that_moved', 'monitor_id is_clear')).toEqual([
    ['risen', true],
    ['idle', false],
  ]);
  expect(await answer(world, 'who_gained_share_of_mentions', 'brand_id is_clear')).toEqual([
    ['risen', true],
    ['idle', true],
  ]);
});

it('the rank of your site has no row for the running month', async () => {
  await using world = await openShop();
  const own = { domain: 'us.example', total: 9 };
  await world.insert('core.brands', [{ brand_id: 'us', domain: 'us.example', relation: 'SELF' }]);
  await world.insert('core.domain_citation_totals', [
    { ...own, ...window('month', '2026-03-01..2026-03-31'), average_rank: 3 },
    { ...own, ...window('month', '2026-04-01..2026-04-30'), average_rank: 2 },
    { ...own, ...window('month', '2026-06-01..2026-06-01'), average_rank: 9 },
  ]);
  expect(await answer(world, 'own_domain_citations', 'month_start average_citation_rank_change')).toEqual([
    ['2026-03-01', null],
    ['2026-04-01', -1],
  ]);
});

it('a brand that the project ignores is no competitor of a model', async () => {
  await using world = await openShop();
  const month = window('month', '2026-05-01..2026-05-31');
  for (const relation of ['IGNORED', 'OTHER'])
    await world.insert('core.competitor_heatmap', [
      {
        ...month,
        competitor_name: relation,
        competitor_domain: '',
        relation,
        model_id: relation,
        visibility: 40,
      },
    ]);
  for (const name of ['models_that_never_mention_us', 'gap_to_strongest_competitor'])
    expect(await answer(world, name, 'model_id')).toEqual([['OTHER']]);
});

it('every question has an answer without rows, not an error, where nothing was ever pulled', async () => {
  await using world = await openWorld();
  for (const { sql } of readExamples()) await world.gives(sql, []);
});
