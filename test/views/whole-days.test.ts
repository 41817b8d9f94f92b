import { expect, it } from 'vitest';
import { action, configure, days, inWorld, prompts, slice } from './world.ts';

const WHOLE = "select date, is_whole_day from daily_kpis where date >= '2025-06-03' order by date";

it('the day of the sync is not whole, and an hourly look at events does not make it so', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-05');
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-04'),
      slice('events', '2025-06-01..2025-06-05'),
    ]);
    expect(await world.rows(WHOLE)).toEqual([
      { date: '2025-06-03', is_whole_day: true },
      { date: '2025-06-04', is_whole_day: false },
      { date: '2025-06-05', is_whole_day: false },
    ]);
  });
});

it('the day of the sync stays what it was while the next sync fails for the project', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-05');
    await world.insert('meta.slices', [
      slice('visibility', '2025-06-01..2025-06-04'),
      slice('visibility', '2025-06-01..2025-06-05', { status: 'failed', covered_end: null }),
    ]);
    expect(await world.rows(WHOLE)).toEqual([
      { date: '2025-06-03', is_whole_day: true },
      { date: '2025-06-04', is_whole_day: false },
    ]);
  });
});

it('the day of the sync makes its week and its month partial', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-18');
    await world.insert(
      'core.share_of_voice',
      [
        ['day', '2025-06-17'],
        ['day', '2025-06-18'],
        ['week', '2025-06-09'],
        ['week', '2025-06-16'],
        ['month', '2025-05-01'],
        ['month', '2025-06-01'],
      ].map(([grain, date]) => ({ grain, date, share_of_voice: 1 })),
    );
    expect(
      await world.rows('select grain, is_whole_day as whole from share_of_voice_trend order by grain, date'),
    ).toEqual(['day', 'month', 'week'].flatMap((grain) => [true, false].map((whole) => ({ grain, whole }))));
  });
});

it('a row of one monitor has the actions of the project and the prompt events of its own monitor', async () => {
  await inWorld(async (world) => {
    const date = '2025-06-01';
    const other = { event_id: 'prompts_created:2025-06-01:n', monitor_id: 'n', monitor_name: 'Hats' };
    await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-02')]);
    await world.insert(
      'core.visibility',
      ['m', 'n', 'quiet'].flatMap((scope_id) =>
        days(date, 2).map((day) => ({ date: day, scope: 'monitor', scope_id, visibility: 1 })),
      ),
    );
    await world.insert('core.events', [
      action('1', date),
      prompts('prompts_created', date, 5),
      { ...prompts('prompts_created', date, 7), ...other },
    ]);
    expect(
      await world.rows(
        `select scope_id, events_count as events, prompts_created as created, event_titles as titles
           from visibility_with_events where date = '${date}' order by scope_id`,
      ),
    ).toEqual([
      { scope_id: 'm', events: 2, created: 5, titles: '5 prompts created in Shoes; Action 1' },
      { scope_id: 'n', events: 2, created: 7, titles: '7 prompts created in Hats; Action 1' },
      { scope_id: 'quiet', events: 1, created: 0, titles: 'Action 1' },
    ]);
    expect(
      await world.rows(
        `select distinct events_count as events from visibility_with_events where date <> '${date}'`,
      ),
    ).toEqual([{ events: 0 }]);
  });
});
