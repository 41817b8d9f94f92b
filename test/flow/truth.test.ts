import { describe, expect, it } from 'vitest';
import { toDay, type Day } from '../../src/day.ts';
import { isThorough } from '../support/runs.ts';
import { openRig, type Rig } from './rig.ts';
import {
  brandVisibilityTruth,
  citationRanksTruth,
  domainCitationsTruth,
  responseSentimentTruth,
  sentimentTruth,
  shareOfVoiceTruth,
  trafficTruth,
  visibilityTruth,
  type TruthOptions,
  type TruthRow,
} from './truth.ts';
import { eventsTruth, windowTruths } from './truth-windows.ts';

const START = toDay('2026-04-10');
const TODAY = toDay('2026-07-14');

function sorted(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
}

/** The rows of a core table without our own two columns. */
async function stored(rig: Rig, table: string, where: string): Promise<TruthRow[]> {
  return await rig.rows(`select * exclude (_run_id, _changed_at) from core.${table} where ${where}`);
}

async function askedWindows(
  rig: Rig,
  endpoint: string,
  projectId: string,
): Promise<{ start: Day; end: Day }[]> {
  const rows = await rig.rows(
    `select window_start as start, window_end as "end" from meta.slices where endpoint = '${endpoint}' and project_id = ${quoted(projectId)}`,
  );
  return rows.map((row) => ({ start: row['start'] as Day, end: row['end'] as Day }));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const WINDOWS = [
  { kind: 'month', start: toDay('2026-04-01'), end: toDay('2026-04-30') },
  { kind: 'month', start: toDay('2026-05-01'), end: toDay('2026-05-31') },
  { kind: 'month', start: toDay('2026-06-01'), end: toDay('2026-06-30') },
  { kind: 'month', start: toDay('2026-07-01'), end: TODAY },
  { kind: 'last_28_days', start: toDay('2026-06-16'), end: toDay('2026-07-13') },
];

const WORLDS = isThorough ? (['empty'] as const) : (['demo', 'hostile'] as const);

describe.each(WORLDS)('the published file of the %s world', (world) => {
  it(`the published file of the ${world} world holds what the API says, row by row`, async () => {
    await using rig = await openRig({ world, today: TODAY, startDate: START });
    const report = await rig.sync();
    expect(report).toMatchObject({ exit_code: 0, slices_failed: 0, failures: [] });
    expect(await rig.rows('from meta.drift')).toEqual([]);
    expect(await rig.rows('from meta.rejects')).toEqual([]);
    const projects = (await rig.rows('select project_id from core.projects')).map((row) =>
      String(row['project_id']),
    );
    expect(projects.toSorted()).toEqual(rig.simulator.world.projects.map(({ id }) => id).toSorted());
    for (const projectId of projects) await compareProject(rig, `${world}-organization-key`, projectId);
  });
});

async function compareProject(rig: Rig, apiKey: string, projectId: string): Promise<void> {
  const options: TruthOptions = { simulator: rig.simulator, apiKey, projectId, start: START, end: TODAY };
  const own = `project_id = ${quoted(projectId)}`;
  const projectScope = `${own} and scope = 'project'`;
  const same = async (table: string, truth: readonly TruthRow[], where = projectScope): Promise<void> => {
    expect(sorted(await stored(rig, table, where)), `${table} of ${projectId} where ${where}`).toEqual(
      sorted(truth),
    );
  };
  await same('visibility', visibilityTruth(options));
  await same('sentiment', sentimentTruth(options));
  await same('share_of_voice', shareOfVoiceTruth(options));
  await same('brand_visibility', brandVisibilityTruth(options));
  await same('citation_ranks', citationRanksTruth(options));
  await same(
    'domain_citations',
    domainCitationsTruth(options, await askedWindows(rig, 'domain_citations', projectId)),
  );
  await same('response_sentiment', responseSentimentTruth(options));
  await same('crawler_requests', trafficTruth(options, 'crawlers'));
  await same('visitor_visits', trafficTruth(options, 'visitors'));
  for (const [table, truth] of Object.entries(windowTruths(options, WINDOWS)))
    await same(table, unique(table, truth));
  const [model] = await rig.rows(
    `select distinct scope_id as id from core.visibility where ${own} and scope = 'model' order by id`,
  );
  if (model !== undefined) {
    const scope = { scope: 'model', scopeId: String(model['id']), parameter: {} };
    const modelScope = `${own} and scope = 'model' and scope_id = ${quoted(scope.scopeId)}`;
    await same('visibility', visibilityTruth({ ...options, scope }), modelScope);
    await same('sentiment', sentimentTruth({ ...options, scope }), modelScope);
    await same('share_of_voice', shareOfVoiceTruth({ ...options, scope }), modelScope);
  }
  const truth = eventsTruth(options);
  const events = await rig.rows(
    `select project_id, event_id, date, type, action_title as title, prompt_count as prompts from core.events where ${own}`,
  );
  expect(sorted(events)).toEqual(sorted(truth.events));
  const prompts = await rig.rows(
    `select project_id, event_id, prompt_id from core.event_prompts where ${own}`,
  );
  expect(sorted(prompts)).toEqual(sorted(truth.prompts));
}

/** `responses/competitors` names a brand once even where two bear the name; tables hold one row a key. */
function unique(table: string, rows: readonly TruthRow[]): TruthRow[] {
  const key = table === 'competitor_heatmap' ? ['competitor_name', 'competitor_domain', 'model_id'] : [];
  if (key.length === 0) return [...rows];
  const byKey = new Map(
    rows.map((row) => [
      JSON.stringify([row['window_kind'], row['window_start'], ...key.map((name) => row[name])]),
      row,
    ]),
  );
  return [...byKey.values()];
}
