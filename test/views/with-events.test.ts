import { describe, it } from 'vitest';
import { action, days, openWorld, prompts, slice } from './world.ts';

describe.each(['visibility', 'sentiment'])('%s_with_events', (measure) => {
  it(`${measure}_with_events averages 7 calendar days, not 7 rows, and compares with the 7 before`, async () => {
    await using world = await openWorld();
    const present = days('2025-06-01', 14).filter((date) => date !== '2025-06-10');
    await world.daily(`core.${measure}`, present, (_, date) => ({ [measure]: Number(date.slice(8)) }));
    const mean = (8 + 9 + 11 + 12 + 13 + 14) / 6;
    await world.gives(
      `select ${measure}_7_day_mean, ${measure}_previous_7_day_mean, ${measure}_7_day_change
         from ${measure}_with_events where date = '2025-06-14'`,
      [[mean, 4, mean - 4]],
    );
  });

  it(`${measure}_with_events says no change where a side has few days, nor on the day of the sync`, async () => {
    await using world = await openWorld('2025-06-15');
    await world.daily(`core.${measure}`, days('2025-06-01', 15), (day) => ({ [measure]: day }));
    await world.gives(
      `select date from ${measure}_with_events where ${measure}_7_day_change is not null order by date`,
      [['2025-06-12'], ['2025-06-13'], ['2025-06-14']],
    );
  });

  it(`${measure}_with_events never multiplies a day that has several events`, async () => {
    await using world = await openWorld('2025-06-20');
    await world.insert('core.models', [{ model_id: 'openai_gpt', label: 'GPT' }]);
    await world.insert(`core.${measure}`, [
      { date: '2025-06-01', [measure]: 1 },
      { date: '2025-06-02', [measure]: 2 },
      { date: '2025-06-01', [measure]: 3, scope: 'model', scope_id: 'openai_gpt' },
    ]);
    await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-02')]);
    await world.insert('core.events', [
      action('1', '2025-06-01'),
      action('2', '2025-06-01', { occurred_at: '2025-06-01T11:00:00Z' }),
      prompts('prompts_created', '2025-06-01', 5),
    ]);
    const titles = '5 prompts created in Shoes; Action 1; Action 2';
    await world.gives(
      `select date, scope_id, scope_name, ${measure}, events_count, event_titles, event_types
           from ${measure}_with_events order by scope desc, date`,
      [
        ['2025-06-01', 'p', null, 1, 3, titles, 'action, prompts_created'],
        ['2025-06-02', 'p', null, 2, 0, null, null],
        ['2025-06-01', 'openai_gpt', 'GPT', 3, 3, titles, 'action, prompts_created'],
      ],
    );
  });
});

it('event_annotations says of each event when, what and which kind', async () => {
  await using world = await openWorld();
  await world.insert('core.projects', [{ name: 'Acme' }]);
  await world.insert('core.events', [action('1', '2025-06-01'), prompts('prompts_deleted', '2025-06-02', 1)]);
  await world.gives('select time, title, text from event_annotations order by time', [
    ['2025-06-01T10:00:00.000Z', 'Action 1', 'Completed action of type CONTENT_GAP in project Acme'],
    ['2025-06-02T09:00:00.000Z', '1 prompt deleted in Shoes', 'Prompts deleted in project Acme'],
  ]);
  await world.gives('select tags from event_annotations order by time', [
    ['action,CONTENT_GAP'],
    ['prompts_deleted'],
  ]);
});

it('a row of one monitor has the actions of the project and the prompt events of its own monitor', async () => {
  await using world = await openWorld();
  const date = '2025-06-01';
  const other = { event_id: 'prompts_created:2025-06-01:n', monitor_id: 'n', monitor_name: 'Hats' };
  await world.insert('meta.slices', [slice('events', '2025-06-01..2025-06-02')]);
  const monitor = { scope: 'monitor', visibility: 1 };
  for (const scope_id of ['m', 'n', 'quiet'])
    await world.daily('core.visibility', days(date, 2), () => ({ ...monitor, scope_id }));
  await world.insert('core.events', [
    action('1', date),
    prompts('prompts_created', date, 5),
    { ...prompts('prompts_created', date, 7), ...other },
  ]);
  await world.gives(
    `select scope_id, events_count, prompts_created, event_titles
           from visibility_with_events where date = '${date}' order by scope_id`,
    [
      ['m', 2, 5, '5 prompts created in Shoes; Action 1'],
      ['n', 2, 7, '7 prompts created in Hats; Action 1'],
      ['quiet', 1, 0, 'Action 1'],
    ],
  );
  await world.gives(`select distinct events_count from visibility_with_events where date <> '${date}'`, [
    [0],
  ]);
});
