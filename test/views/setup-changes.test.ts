import { it } from 'vitest';
import { days, openWorld, prompts, slice, type World } from './world.ts';

const FIRST = '2025-01-06';
const SYNC_DAY = '2025-04-16';

/** Answers of a model or monitor by day, counted from the first Monday; 0 is no row. */
async function plant(world: World, filter: string, answers: (day: number) => number): Promise<void> {
  const [scope, scope_id] = filter.split(' ');
  const asked = { scope, scope_id, sync_day: SYNC_DAY };
  await world.insert('meta.slices', [slice('share_of_voice', `${FIRST}..2025-04-15`, asked)]);
  await world.insert(
    'core.share_of_voice',
    days(FIRST, 100).flatMap((date, day) => {
      const total_responses = answers(day);
      return total_responses === 0 ? [] : [{ scope, scope_id, date, total_responses, brand_mentions: 0 }];
    }),
  );
}

async function openProject(): Promise<World> {
  const world = await openWorld(SYNC_DAY);
  await world.insert('core.projects', [{ name: 'Shop' }]);
  await plant(world, 'project p', () => 100);
  return world;
}

const CHANGES =
  'select date, what, names, count, round(share_of_answers, 2) as share, judged_by from setup_changes order by date, what';

it('a model that goes, one that comes and one that is asked on Mondays alone are told from their answers', async () => {
  await using world = await openProject();
  await world.insert('core.models', [{ model_id: 'old', label: 'Old' }]);
  await plant(world, 'model old', (day) => (day < 60 ? 20 : 0));
  await plant(world, 'model new', (day) => (day < 70 ? 0 : 30));
  await plant(world, 'model weekly', (day) => (day % 7 === 0 ? 40 : 0));
  await world.gives(CHANGES, [
    ['2025-03-07', 'model_gone', 'Old', 1, 0.2, 'events, models'],
    ['2025-03-17', 'model_added', 'new', 1, 0.3, 'events, models'],
  ]);
});

it('nothing is told of the first 28 days, nor of two days without answers', async () => {
  await using world = await openProject();
  await plant(world, 'model early', (day) => (day < 20 ? 20 : 0));
  await plant(world, 'model gap', (day) => (day === 50 || day === 51 ? 0 : 20));
  await world.gives(CHANGES, []);
});

it('a monitor that is asked on other weekdays has another rhythm, and one that ends has stopped', async () => {
  await using world = await openProject();
  await world.insert('core.monitors', [{ monitor_id: 'm', name: 'Shoes' }]);
  await plant(world, 'monitor m', (day) => (day < 56 || day % 7 === 2 ? 10 : 0));
  await plant(world, 'monitor ends', (day) => (day < 80 ? 10 : 0));
  await world.gives(CHANGES, [
    ['2025-03-03', 'monitor_rhythm', 'Shoes', 1, 0.01, 'events, monitors'],
    ['2025-03-27', 'monitor_stopped', 'ends', 1, 0.1, 'events, monitors'],
  ]);
});

it('the monitors of prompts that come on one day are named in the order of their names, whatever the order of the rows', async () => {
  await using world = await openProject();
  const names = ['Shoes', 'Bags', 'Hats', 'Coats', 'Belts', 'Gloves', 'Scarves', 'Ties'];
  await world.insert(
    'core.events',
    names.map((name) => ({
      event_id: name,
      monitor_id: name,
      monitor_name: name,
      prompt_count: 2,
      date: '2025-03-10',
      type: 'prompts_created',
      occurred_at: '2025-03-10T10:00:00Z',
    })),
  );
  await world.gives('select names from setup_changes', [[names.toSorted().join(', ')]]);
});

it('prompts that come are told from events, with their share of the answers that the lists count', async () => {
  await using world = await openProject();
  await world.insert('core.prompts', [{ prompt_id: 'a' }, { prompt_id: 'b' }, { prompt_id: 'c' }]);
  await world.insert('core.events', [prompts('prompts_created', '2025-03-01', 1)]);
  const date = '2025-03-01';
  await world.gives(CHANGES, [[date, 'prompts_added', 'Shoes', 1, 0.33, 'events']]);
  const event_id = 'prompts_created:2025-03-01:m';
  await world.insert('core.event_prompts', [
    { event_id, prompt_id: 'c', date, occurred_at: `${date}T09:00:00Z` },
  ]);
  await world.insert('core.prompt_snapshots', [
    { date, prompt_id: 'a', amount_of_responses: 100 },
    { date, prompt_id: 'b', amount_of_responses: 100 },
    { date: '2025-03-11', prompt_id: 'a', amount_of_responses: 140 },
    { date: '2025-03-11', prompt_id: 'b', amount_of_responses: 140 },
    { date: '2025-03-11', prompt_id: 'c', amount_of_responses: 20 },
  ]);
  await world.gives(CHANGES, [[date, 'prompts_added', 'Shoes', 1, 0.2, 'events']]);
});

it('the share of prompts that came counts their answers since the first list, as it counts those of the others', async () => {
  await using world = await openProject();
  await world.insert('core.prompts', [{ prompt_id: 'a' }, { prompt_id: 'c' }]);
  const created = '2025-03-01';
  await world.insert('core.events', [prompts('prompts_created', created, 1)]);
  const event_id = `prompts_created:${created}:m`;
  await world.insert('core.event_prompts', [
    { event_id, prompt_id: 'c', date: created, occurred_at: `${created}T09:00:00Z` },
  ]);
  // The project was first asked ten days after.
  await world.insert('core.prompt_snapshots', [
    { date: '2025-03-11', prompt_id: 'a', amount_of_responses: 5000 },
    { date: '2025-03-11', prompt_id: 'c', amount_of_responses: 20 },
    { date: '2025-03-12', prompt_id: 'a', amount_of_responses: 5098 },
    { date: '2025-03-12', prompt_id: 'c', amount_of_responses: 22 },
  ]);
  await world.gives(CHANGES, [[created, 'prompts_added', 'Shoes', 1, 0.02, 'events']]);
  await world.gives('select moves_figures from setup_changes', [[false]]);
});

it('prompts that came and had no answer since the first list have the share that is their part of the list', async () => {
  await using world = await openProject();
  await world.insert('core.prompts', [{ prompt_id: 'a' }, { prompt_id: 'c' }]);
  const date = '2025-03-01';
  await world.insert('core.events', [prompts('prompts_created', date, 1)]);
  const event_id = `prompts_created:${date}:m`;
  await world.insert('core.event_prompts', [
    { event_id, prompt_id: 'c', date, occurred_at: `${date}T09:00:00Z` },
  ]);
  await world.insert('core.prompt_snapshots', [
    { date, prompt_id: 'a', amount_of_responses: 100 },
    { date, prompt_id: 'c', amount_of_responses: 3 },
    { date: '2025-03-02', prompt_id: 'a', amount_of_responses: 110 },
    { date: '2025-03-02', prompt_id: 'c', amount_of_responses: 3 },
  ]);
  await world.gives(CHANGES, [[date, 'prompts_added', 'Shoes', 1, 0.5, 'events']]);
});
