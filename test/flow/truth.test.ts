import { expect, it } from 'vitest';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { isThorough } from '../support/runs.ts';
import { contentOf, openRig, type Rig } from './rig.ts';
import { dailyTruth, eventsTruth, SERIES, seriesTruth, windowTruths } from './truth.ts';
import type { TruthOptions, TruthRow } from './truth.ts';

const START = toDay('2026-05-20');
const TODAY = toDay('2026-07-14');
const WINDOWS = [
  ['month', '2026-05-01', '2026-05-31'],
  ['month', '2026-06-01', '2026-06-30'],
  ['month', '2026-07-01', TODAY],
  ['last_28_days', '2026-06-16', '2026-07-13'],
].map(([kind = '', start = '', end = '']) => ({ kind, start: toDay(start), end: toDay(end) }));

const sorted = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const WORLDS = isThorough ? (['demo', 'empty'] as const) : (['hostile'] as const);

it.each(WORLDS)('the published file of the %s world holds what the API says, row by row', async (world) => {
  await using rig = await openRig({ world, today: TODAY, startDate: START });
  expect(await rig.sync()).toMatchObject({ exit_code: 0, slices_failed: 0, failures: [] });
  expect([await rig.rows('from meta.drift'), await rig.rows('from meta.rejects')]).toEqual([[], []]);
  const projects = await rig.rows('select project_id as id from core.projects order by 1');
  expect(projects).toEqual(rig.projectIds.toSorted().map((id) => ({ id })));
  for (const id of rig.projectIds) await compareProject(rig, `${world}-organization-key`, id);
});

async function compareProject(rig: Rig, apiKey: string, projectId: string): Promise<void> {
  const options: TruthOptions = { simulator: rig.simulator, apiKey, projectId, start: START, end: TODAY };
  const own = `project_id = ${quoted(projectId)}`;
  const same = async (table: string, truth: TruthRow[], scope = `scope = 'project'`): Promise<void> => {
    const stored = await contentOf(rig.rows, table, `${own} and ${scope}`);
    expect(sorted(stored), `${table} of ${projectId} where ${scope}`).toEqual(sorted(truth));
  };
  const asked = await rig.rows(
    `select window_start as start, window_end as "end" from meta.slices where endpoint = 'domain_citations' and ${own}`,
  );
  // In one answer from a day early: the day before may have no data, and then the one before that is the previous.
  const shares = (of: TruthOptions): TruthRow[] =>
    seriesTruth('share_of_voice', { ...of, start: addDays(START, -1) }).filter(
      ({ date }) => String(date) >= START,
    );
  const truthOf = (table: string, of: TruthOptions): TruthRow[] => {
    if (table === 'share_of_voice') return shares(of);
    if (table !== 'domain_citations') return dailyTruth(table, of);
    // The list is the top of each window that was asked.
    return asked.flatMap(({ start, end }) =>
      seriesTruth(table, { ...of, start: start as Day, end: end as Day }),
    );
  };
  for (const table of Object.keys(SERIES)) await same(table, truthOf(table, options));
  for (const [table, truth] of Object.entries(windowTruths(options, WINDOWS)))
    await same(table, table === 'competitor_heatmap' ? named(truth) : truth);
  const [model] = await rig.rows(
    `select min(scope_id) as id from core.visibility where ${own} and scope = 'model'`,
  );
  if (model?.['id'] !== null) {
    const scope = { scope: 'model', scopeId: model?.['id'] as string, parameter: {} };
    const ofModel = `scope = 'model' and scope_id = ${quoted(scope.scopeId)}`;
    for (const table of ['visibility', 'sentiment', 'share_of_voice'])
      await same(table, truthOf(table, { ...options, scope }), ofModel);
  }
  const { events, prompts } = eventsTruth(options);
  const stored = `select project_id, event_id, date, type, action_title as title, prompt_count as prompts from core.events where ${own}`;
  expect(sorted(await rig.rows(stored))).toEqual(sorted(events));
  const inEvents = `select project_id, event_id, prompt_id from core.event_prompts where ${own}`;
  expect(sorted(await rig.rows(inEvents))).toEqual(sorted(prompts));
}

/** `responses/competitors` names a brand once even where two bear the name; tables hold one row a key. */
function named(rows: readonly TruthRow[]): TruthRow[] {
  const key = ['window_kind', 'window_start', 'competitor_name', 'competitor_domain', 'model_id'];
  return [...new Map(rows.map((row) => [JSON.stringify(key.map((name) => row[name])), row])).values()];
}
