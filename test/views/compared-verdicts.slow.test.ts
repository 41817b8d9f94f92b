import { expect, it } from 'vitest';
import { unit } from '../../simulator/random.ts';
import type { Day } from '../../src/day.ts';
import { days, openWorld, prompts, type World } from './world.ts';

const NOVEMBER = days('2025-11-01', 30);
const BOTH = [...days('2025-10-01', 31), ...NOVEMBER];
const isNovember = (date: string): boolean => date >= '2025-11-01';

const compare = (metric: string, columns: string, project = 'p'): string =>
  `select ${columns} from main.compare_periods('${metric}', '2025-11-01', '2025-11-30', '2025-10-01', '2025-10-31') where project_id = '${project}'`;

/** A list of prompts as [prompt, answers so far, visibility of all of them]. */
async function list(world: World, seenAt: string, entries: readonly (readonly [string, number, number])[]) {
  const rows = entries.map(([prompt_id, amount_of_responses, average_visibility]) => {
    const figures = { amount_of_responses, average_visibility };
    return { project_id: 'q', date: seenAt.slice(0, 10), prompt_id, ...figures, seen_at: seenAt };
  });
  await world.insert('core.prompt_snapshots', rows);
}

/** Prompt b, which never names the brand, joins prompt a, which does at 40, on the first of November; nothing else happens. */
async function plantNewPrompt(world: World): Promise<void> {
  const project = { project_id: 'q', scope_id: 'q' };
  await world.insert('core.projects', [{ project_id: 'q', name: 'Q' }]);
  await world.insert('core.brands', [{ project_id: 'q', brand_id: 'own', name: 'Own', relation: 'SELF' }]);
  const prompt = { project_id: 'q', monitor_id: 'm' };
  await world.insert('core.prompts', [
    { ...prompt, prompt_id: 'a' },
    { ...prompt, prompt_id: 'b' },
  ]);
  const visibility = (date: string): number => (isNovember(date) ? 20 : 40);
  await world.daily('core.visibility', BOTH, (_, date) => ({ ...project, visibility: visibility(date) }));
  await world.daily('core.brand_visibility', BOTH, (_, date) => {
    const figures = isNovember(date)
      ? { total_responses: 20, average_visibility: 20 }
      : { total_responses: 10, average_visibility: 40 };
    return { ...project, brand_id: 'own', mention_count: 4, ...figures };
  });
  // One in the evening before, one in the night, one just after noon: each cuts at the first of a month.
  await list(world, '2025-09-30T21:00:00Z', [['a', 0, 0]]);
  await list(world, '2025-11-01T02:10:00Z', [
    ['a', 310, 40],
    ['b', 0, 0],
  ]);
  await list(world, '2025-11-30T12:01:00Z', [
    ['a', 610, 40],
    ['b', 300, 0],
  ]);
  await world.insert('core.events', [{ ...prompts('prompts_created', '2025-11-01', 1), project_id: 'q' }]);
}

/** Model y, which names the brand in one of ten answers, joins model x, which does in five of ten. */
async function plantNewModel(world: World): Promise<void> {
  await world.insert('core.projects', [{ project_id: 'r', name: 'R' }]);
  const counted = (
    scope_id: string,
    dates: readonly Day[],
    counts: (date: string) => readonly [number, number],
  ) =>
    world.daily('core.share_of_voice', dates, (_, date) => {
      const [total_responses, brand_mentions] = counts(date);
      const scope = scope_id === 'r' ? 'project' : 'model';
      return { project_id: 'r', scope, scope_id, total_responses, brand_mentions };
    });
  await counted('r', BOTH, (date) => (isNovember(date) ? [20, 6] : [10, 5]));
  await counted('x', BOTH, () => [10, 5]);
  await counted('y', NOVEMBER, () => [10, 1]);
}

it('what questions that came make of a change stands beside what is real, in kpi_changes too', async () => {
  await using world = await openWorld('2025-12-01');
  await plantNewPrompt(world);
  await plantNewModel(world);
  const verdict =
    'value, value_against, change, round(real_change, 9), round(change_of_questions, 9), not_judged';
  await world.gives(compare('visibility', verdict, 'q'), [[20, 40, -20, 0, -20, 'setup_changed']]);
  await world.gives(compare('share_of_voice_pct', verdict, 'r'), [[30, 50, -20, 0, -20, 'setup_changed']]);
  const months = `select measure, change, is_clear, not_judged, round(real_change, 9), change_in_typical from kpi_changes where period = 'month' order by 1`;
  await world.gives(months, [
    ['share_of_voice', -20, null, 'setup_changed', 0, null],
    ['visibility', -20, null, 'setup_changed', 0, null],
  ]);
  await world.gives(
    "select before_from, after_from::varchar, after_to::varchar, round(hours_off, 3) from visibility_periods where project_id = 'q' and window_days = 28",
    [[null, '2025-11-01', '2025-11-30', 11.983]],
  );
  // Which prompts named the brand how often is not known of share of voice.
  await world.insert('core.events', [{ ...prompts('prompts_created', '2025-11-05', 5), project_id: 'r' }]);
  await world.gives(compare('share_of_voice_pct', 'change, real_change', 'r'), [[-20, null]]);
});

it('the interval is the typical change of such periods; of shares, the wider one of it and of the counts', async () => {
  await using world = await openWorld('2025-12-01');
  await world.insert('core.projects', [{ project_id: 'p', name: 'P' }]);
  const before = days('2025-06-01', 122);
  const zigzag = (index: number): number => unit(index, 9);
  await world.daily('core.visibility', [...before, ...BOTH], (index) => ({
    visibility: 40 + zigzag(index),
  }));
  await world.daily('core.share_of_voice', [...before, ...BOTH], (index) => ({
    total_responses: 3,
    brand_mentions: zigzag(index) < 0.5 ? 1 : 2,
  }));
  const [scales = {}] = await world.rows(
    "select typical_change_7_days as typical from typical_changes where measure = 'visibility'",
  );
  const half = Number(scales['typical']) * ((1 / 30 + 1 / 31) / (2 / 7)) ** 0.32 * Math.sqrt(30.5 / 28);
  const [row = {}] = await world.rows(compare('visibility', 'change, change_low, change_high'));
  expect(half).toBeGreaterThan(0);
  expect(Number(row['change_high']) - Number(row['change'])).toBeCloseTo(half, 9);
  expect(Number(row['change']) - Number(row['change_low'])).toBeCloseTo(half, 9);
  // 90 and 93 answers: Newcombe's interval of 60 % against 50 % is 14 points wide on either side.
  const [share = {}] = await world.rows(
    compare('share_of_voice_pct', 'change, change_high - change_low as width'),
  );
  const [typical = {}] = await world.rows(
    "select 2 * typical_change_7_days as width from typical_changes where measure = 'share_of_voice'",
  );
  expect(Number(share['width'])).toBeGreaterThan(Number(typical['width']));
  expect(Number(share['width'])).toBeGreaterThan(25);
});
