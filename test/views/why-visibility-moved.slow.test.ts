import { expect, it } from 'vitest';
import { hashText, mix, unit } from '../../simulator/random.ts';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { days, openWorld, prompts, type World } from './world.ts';

const FIRST = toDay('2025-03-01');
const DAYS = 80;
/** Nights of 28, 28 and 0 days before the newest list; what is planted happens in the middle one. */
const CHANGE = DAYS - 28;
const dayAt = (day: number): Day => addDays(FIRST, day);

/** What happens in one project, by prompt, model and day; a prompt that is asked nothing has no answers. */
interface Story {
  cause: string;
  /** Answers of a prompt on a model on a day. */
  asked: (prompt: number, model: number, day: number) => number;
  /** Days on which a prompt is listed. */
  listed?: (prompt: number, day: number) => boolean;
  /** Visibility that is added on a day. */
  lift?: (day: number) => number;
  events?: 'prompts_created' | 'prompts_deleted';
}

const PROMPTS = 20;
const MODELS = ['gpt', 'claude', 'sonar'];
const after = (day: number): boolean => day >= CHANGE;

const STORIES: readonly Story[] = [
  {
    cause: 'prompts_added',
    asked: (prompt, _, day) => (prompt < 14 || after(day) ? 5 : 0),
    listed: (prompt, day) => prompt < 14 || after(day),
    events: 'prompts_created',
  },
  {
    cause: 'prompts_removed',
    asked: (prompt, _, day) => (prompt < 14 || !after(day) ? 5 : 0),
    listed: (prompt, day) => prompt < 14 || !after(day),
    events: 'prompts_deleted',
  },
  // The last six prompts are a monitor of their own.
  { cause: 'monitors', asked: (prompt, _, day) => (prompt < 14 || !after(day) ? 5 : 0) },
  { cause: 'monitors', asked: (prompt, _, day) => (prompt < 14 ? 5 : after(day) ? 2 : 8) },
  { cause: 'sampling', asked: (prompt, _, day) => (prompt === 3 ? (after(day) ? 50 : 5) : 5) },
  { cause: 'models', asked: (_, model, day) => (model === 2 && after(day) ? 0 : 5) },
  { cause: 'models', asked: (_, model, day) => (model === 2 && !after(day) ? 0 : 5) },
  { cause: 'real_change', asked: () => 5, lift: (day) => (after(day) ? 6 : 0) },
];

interface Night {
  responses: number;
  score: number;
}

/** Plants one project; its lists come every night at two, its visibility differs by prompt and model. */
async function plant(world: World, id: string, story: Story): Promise<void> {
  const seed = mix(hashText(id), 1);
  const { asked, listed = () => true, lift = () => 0 } = story;
  const project = { project_id: id, scope_id: id };
  const level = (prompt: number, model: number, day: number): number =>
    20 +
    (prompt >= 14 ? 35 : 0) +
    (prompt === 3 ? 30 : 0) +
    10 * unit(seed, prompt) +
    (model === 2 ? 25 : 0) +
    lift(day);
  await world.insert('core.projects', [{ project_id: id, name: id }]);
  await world.insert('core.brands', [{ project_id: id, brand_id: 'own', name: 'Own', relation: 'SELF' }]);
  await world.insert(
    'core.prompts',
    Array.from({ length: PROMPTS }, (_, prompt) => ({
      project_id: id,
      prompt_id: `p${String(prompt)}`,
      monitor_id: prompt < 14 ? 'main' : 'side',
      removed_at: listed(prompt, DAYS) ? null : `${dayAt(CHANGE)}T02:00:00Z`,
    })),
  );
  const totals = Array.from({ length: PROMPTS }, (): Night => ({ responses: 0, score: 0 }));
  const lists: Record<string, unknown>[] = [];
  const brands: Record<string, unknown>[] = [];
  const shares: Record<string, unknown>[] = [];
  const visibility: Record<string, unknown>[] = [];
  for (const [day, date] of days(FIRST, DAYS + 1).entries()) {
    totals.forEach(({ responses, score }, prompt) => {
      if (!listed(prompt, day)) return;
      lists.push({
        project_id: id,
        date,
        prompt_id: `p${String(prompt)}`,
        amount_of_responses: responses,
        average_visibility: responses === 0 ? 0 : Math.round((1e4 * score) / responses) / 1e4,
        seen_at: `${date}T02:00:00Z`,
      });
    });
    if (day === DAYS) break;
    const models = MODELS.map((): Night => ({ responses: 0, score: 0 }));
    for (let prompt = 0; prompt < PROMPTS; prompt += 1)
      models.forEach((sum, model) => {
        const responses = asked(prompt, model, day);
        const score = responses * level(prompt, model, day);
        for (const into of [sum, totals[prompt]]) {
          if (into === undefined) continue;
          into.responses += responses;
          into.score += score;
        }
      });
    const responses = models.reduce((sum, one) => sum + one.responses, 0);
    const score = models.reduce((sum, one) => sum + one.score, 0);
    brands.push({
      ...project,
      date,
      brand_id: 'own',
      mention_count: responses,
      total_responses: responses,
      average_visibility: score / responses,
    });
    visibility.push({ ...project, date, visibility: score / responses });
    models.forEach((one, model) => {
      if (one.responses === 0) return;
      const key = { project_id: id, scope: 'model', scope_id: MODELS[model], date };
      shares.push({ ...key, total_responses: one.responses, brand_mentions: 0 });
      visibility.push({ ...key, visibility: one.score / one.responses });
    });
  }
  await world.insert('core.prompt_snapshots', lists);
  await world.insert('core.brand_visibility', brands);
  await world.insert('core.share_of_voice', shares);
  await world.insert('core.visibility', visibility);
  if (story.events !== undefined)
    await world.insert('core.events', [{ ...prompts(story.events, dayAt(CHANGE), 6), project_id: id }]);
}

/** One project with one of the stories. */
async function openStory(index: number): Promise<World> {
  const world = await openWorld(dayAt(DAYS));
  const story = STORIES[index];
  if (story !== undefined) await plant(world, 'p', story);
  return world;
}

it('the parts of a change sum to it, and name a single planted cause first', async () => {
  await using world = await openWorld(dayAt(DAYS));
  const planted = [1, 2, 3].flatMap((round) =>
    STORIES.map((story, index) => ({ id: `project-${String(index)}-${String(round)}`, story })),
  );
  for (const { id, story } of planted) await plant(world, id, story);
  const rows = await world.rows('select * from why_visibility_moved where window_days = 28');
  let named = 0;
  let worst = 0;
  for (const { id, story } of planted) {
    const parts = rows.filter((row) => row['project_id'] === id);
    expect(parts.map((row) => row['not_told'])).toEqual(Array(8).fill(null));
    const points = parts.map((row) => ({ part: row['part'], points: Number(row['points']) }));
    const sum = points.reduce((total, one) => total + one.points, 0);
    expect(Math.abs(sum - Number(parts[0]?.['change']))).toBeLessThan(1e-9);
    const [first] = points.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
    if (first?.part === story.cause) named += 1;
    const real = points.find(({ part }) => part === 'real_change')?.points ?? 0;
    worst = Math.max(worst, Math.abs(real - (story.cause === 'real_change' ? 6 : 0)));
  }
  expect(planted).toHaveLength(24);
  expect(named).toBeGreaterThanOrEqual(22);
  expect(worst).toBeLessThanOrEqual(0.3);
});

it('prompt_moves sums to the change of the project, and knows which prompts moved it', async () => {
  await using world = await openStory(4);
  await world.gives(
    `select abs(sum(m.contribution) - any_value(w.change)) < 1e-9, max_by(m.prompt_id, m.contribution)
     from prompt_moves m join (select distinct window_days, change from why_visibility_moved) w using (window_days)
     where window_days = 28`,
    [[true, 'p3']],
  );
  await world.gives(
    "select responses_before, responses_after, round(change, 2) as change from prompt_moves where window_days = 28 and prompt_id = 'p3'",
    [[28 * 15, 28 * 150, 0]],
  );
});

it('prompts and a model that change in one week are one part, not counted twice', async () => {
  await using world = await openWorld(dayAt(DAYS));
  // Ten new prompts are asked on a new model alone.
  await plant(world, 'p', {
    cause: 'prompts_and_models',
    asked: (prompt, model, day) => (prompt < 14 ? (model === 2 ? 0 : 5) : model === 2 && after(day) ? 15 : 0),
    listed: (prompt, day) => prompt < 14 || after(day),
    events: 'prompts_created',
  });
  await world.gives(
    'select part, abs(points - change) < 1e-6 from why_visibility_moved where window_days = 28 and abs(points) > 0.01',
    [['prompts_and_models', true]],
  );
});

it('nothing is told without three nights; lists of the evening before cut the same days', async () => {
  await using world = await openStory(0);
  const told =
    'select distinct window_days, not_told, round(hours_off, 2) from why_visibility_moved order by 1';
  await world.gives(told, [
    [7, null, 2],
    [28, null, 2],
    [90, 'nights_missing', 2],
  ]);
  const parts =
    'select window_days, part, before_from, after_to, round(points, 9) as points from why_visibility_moved order by 1, 2';
  const nightly = await world.rows(parts);
  // A cron at nine in the evening, New York's.
  await world.run("update core.prompt_snapshots set seen_at = date - interval '3 hours', date = date - 1");
  expect(await world.rows(parts)).toEqual(nightly);
  await world.gives('select distinct round(hours_off, 2) from why_visibility_moved', [[3]]);
  await world.run("delete from core.prompt_snapshots where date < '2025-05-01'");
  await world.gives('select distinct not_told from why_visibility_moved where window_days > 7', [
    ['nights_missing'],
  ]);
  await world.gives('select * from prompt_moves where window_days > 7', []);
});

it('running totals that contradict the days, or fall, give no parts', async () => {
  await using world = await openStory(7);
  const told = 'select distinct not_told from why_visibility_moved where window_days = 28';
  await world.run(`update core.brand_visibility set total_responses = total_responses * 1.1`);
  await world.gives(told, [['totals_disagree']]);
  await world.run(`update core.brand_visibility set total_responses = total_responses / 1.1`);
  await world.gives(told, [[null]]);
  await world.run(
    `update core.prompt_snapshots set amount_of_responses = 1 where prompt_id = 'p1' and date = '${dayAt(DAYS)}'`,
  );
  await world.gives(told, [['totals_disagree']]);
});

it('before_as_reported is what the days said when the period before ended', async () => {
  await using world = await openStory(7);
  const day = dayAt(CHANGE - 3);
  const key = { project_id: 'p', grain: 'day', date: day, scope: 'project', scope_id: 'p', brand_id: 'own' };
  const [table_name, old, recent] = ['brand_visibility', ...[0, 1].map((n) => `{"average_visibility":${n}}`)];
  const changed_at = `${dayAt(DAYS)}T03:00:00Z`;
  await world.insert('meta.restatements', [
    { table_name, key: JSON.stringify(key), change: 'updated', old, new: recent, changed_at },
  ]);
  const [row] = await world.rows(
    'select visibility_before as now, before_as_reported as reported from why_visibility_moved where window_days = 28 limit 1',
  );
  expect(Number(row?.['now']) - Number(row?.['reported'])).toBeCloseTo(Number(row?.['now']) / 28, 1);
});
