import { it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { action, days, openWorld, prompts, type World } from './world.ts';

const EVENT = '2025-06-15';

/** Ups and downs that every fortnight levels: a series without any is not judged. */
const WAVE = [3, -2, 1, 2, -1, 0, 2, -3, 1, -2, 0, 1, -1, -1];

/** Visibility about 10 before, 1000 on the event day, about 30 after; `missing` days have no row. */
async function openAction(missing: readonly string[] = []): Promise<World> {
  const world = await openWorld('2025-07-20');
  const dates = days(addDays(toDay(EVENT), -110), 131).filter((date) => !missing.includes(date));
  const level = (date: string, before: number, after: number): number =>
    date < EVENT ? before : date > EVENT ? after : 1000;
  const wave = (index: number): number => WAVE[index % 14] ?? 0;
  await world.daily('core.visibility', dates, (index, date) => ({
    visibility: level(date, 10, 30) + (date === EVENT ? 0 : wave(index)),
  }));
  await world.daily('core.share_of_voice', dates, (index, date) => ({
    total_responses: 10 + (index % 2) * 90,
    brand_mentions: level(date, 1, 10) + (wave(index) > 0 ? 1 : 0),
    share_of_voice: 0,
  }));
  await world.insert('core.events', [action('1', EVENT)]);
  return world;
}

it('action_impact compares 14 days on each side and leaves the day of the action out', async () => {
  await using world = await openAction();
  await world.gives(
    `select action_id, date, visibility_before, visibility_after, visibility_change, days_before, days_after,
       other_events_count, is_comparable, is_final from action_impact`,
    [['1', EVENT, 10, 30, 20, 14, 14, 0, true, true]],
  );
  await world.gives('select sentiment_before, sentiment_change, sentiment_days_before from action_impact', [
    [null, null, 0],
  ]);
});

it('action_impact takes the share of voice of a side from its counts, not from the mean of percentages', async () => {
  await using world = await openAction();
  await world.gives(
    'select share_of_voice_before_pct, share_of_voice_after_pct, share_of_voice_change_points from action_impact',
    [[(100 * 20) / (7 * 110), (100 * 146) / (7 * 110), (100 * 146) / (7 * 110) - (100 * 20) / (7 * 110)]],
  );
});

it.each([
  [10, 4, true],
  [9, 5, false],
])(
  'action_impact with %i days of data on one side, %i missing, is comparable: %s',
  async (left, missing, isComparable) => {
    await using world = await openAction(days('2025-06-16', missing));
    await world.gives('select is_comparable, days_after from action_impact', [[isComparable, left]]);
  },
);

it.each([
  ['2025-06-01', 1, false],
  ['2025-06-29', 1, false],
  [EVENT, 1, false],
  ['2025-05-31', 0, true],
  ['2025-06-30', 0, true],
])(
  'action_impact with another action on %s counts %i and is comparable: %s',
  async (date, count, isComparable) => {
    await using world = await openAction();
    await world.insert('core.events', [action('2', date)]);
    await world.gives("select other_actions_count, is_comparable from action_impact where action_id = '1'", [
      [count, isComparable],
    ]);
  },
);

it('figures of an action that is not judged are NULL, so that sorting meets judged rows alone', async () => {
  await using world = await openAction();
  const figures =
    'select visibility_before, visibility_change, visibility_effect is null, not_judged from action_impact';
  await world.gives(figures, [[10, 20, false, null]]);
  await world.insert('core.events', [prompts('prompts_created', EVENT, 50)]);
  await world.gives(figures, [[null, null, true, 'setup_changed']]);
});

it('action_impact keeps an action without any data, with NULL figures', async () => {
  await using world = await openWorld();
  await world.insert('core.events', [action('1', EVENT)]);
  await world.gives('select visibility_change, days_before, is_comparable, is_final from action_impact', [
    [null, 0, false, false],
  ]);
});
