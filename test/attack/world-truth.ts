import type { WindowKind } from '../../src/slice.ts';
import { addDays, periodEnd, periodStart, type Day } from '../../src/day.ts';
import { coreKeys } from '../support/catalogue.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import type { World } from '../../simulator/world.ts';
import { ask, eventsTruth, SERIES, seriesTruth, windowTruths } from '../flow/truth.ts';
import type { Json, TruthOptions, TruthRow, Window } from '../flow/truth.ts';
import { EMPTY, roundedValue, type Cells, type Content } from './warehouse-content.ts';

/*
 * What a server says of its world, asked day by day and written by hand: it shares no line with the endpoints, the
 * planner or the loader.
 */

/** Tables in which a row that says 0 is as good as none. */
const COUNTED = new Set(['domain_citations', 'crawler_requests', 'visitor_visits']);

/** The tables that are compared, with the columns that no cut of a range changes. */
const COMPARED: Readonly<Record<string, string>> = {
  visibility: 'visibility',
  sentiment: 'sentiment',
  share_of_voice: 'total_responses brand_mentions share_of_voice',
  brand_visibility: 'average_visibility mention_count total_responses visibility_percentage',
  domain_citations: 'citations',
  citation_ranks: 'total_citations average_rank best_rank worst_rank citations_with_rank',
  response_sentiment: 'positive negative neutral unknown',
  crawler_requests: 'requests',
  visitor_visits: 'visits',
  competitor_heatmap: 'window_end relation competitor_rank visibility',
  domain_citation_totals: 'window_end total percentage average_rank',
  citation_totals: 'window_end total_citations',
  llm_sources: 'window_end total_citations unique_domains unique_prompts',
  share_of_voice_comparison:
    'window_end current_total_responses current_brand_mentions previous_total_responses previous_brand_mentions',
  crawler_top_pages: 'window_end requests unique_crawlers',
  sentiment_distribution: 'window_end count percentage',
  competitor_mentions: 'window_end count percentage',
  response_summary: 'window_end total_responses total_brand_mentions brand_mention_rate',
  events: 'date type action_title prompt_count',
  prompts: 'removed_at',
};

export interface Asked {
  simulator: Simulator;
  apiKey: string;
  start: Day;
  today: Day;
  /** The last day that the server answers for: today, or one before it. */
  lastDay: Day;
  windows: readonly WindowKind[];
}

/** Asked for each model and monitor too. */
const SCOPED = ['visibility', 'sentiment', 'share_of_voice'];

/** What the server says of models that are out of use: the first run asks for them, and later ones where they have rows. */
export function factsOfOldModels({ simulator, ...asked }: Asked): Content {
  const rows: [string, TruthRow][] = [];
  for (const { id: projectId } of simulator.world.projects)
    for (const { id } of simulator.world.models.filter(({ deprecated }) => deprecated))
      for (let day = asked.start; day <= asked.lastDay; day = addDays(day, 1)) {
        const scope = { scope: 'model', scopeId: id, parameter: {} };
        const options = { ...asked, simulator, projectId, start: day, end: day, scope };
        for (const table of SCOPED)
          for (const row of served(() => seriesTruth(table, options), [])) rows.push([table, row]);
      }
  return contentOfRows(rows);
}

/** What the server says of every day, closed month and running window, tonight. */
export function factsOf(asked: Asked): Content {
  const rows: [string, TruthRow][] = [];
  for (const project of asked.simulator.world.projects) {
    const whole = { ...asked, projectId: project.id, end: asked.lastDay };
    const scopes = [
      ...project.models.map(({ id }) => ({ scope: 'model', scopeId: id, parameter: {} })),
      ...project.monitors
        .filter(({ isNullInEvents }) => isNullInEvents !== true)
        .map(({ id }) => ({ scope: 'monitor', scopeId: id, parameter: { llmMonitorId: id } })),
    ];
    const add = (table: string, of: () => TruthRow[]): void => {
      for (const row of served(of, [])) rows.push([table, row]);
    };
    add('prompts', () => promptRows(whole));
    for (const window of windowsOf(asked))
      for (const [table, truth] of Object.entries(served(() => windowTruths(whole, [window]), {})))
        add(table, () => truth);
    for (let day = whole.start; day <= whole.end; day = addDays(day, 1)) {
      const one = { ...whole, start: day, end: day };
      for (const table of Object.keys(SERIES)) {
        add(table, () => seriesTruth(table, one));
        if (SCOPED.includes(table))
          for (const scope of scopes) add(table, () => seriesTruth(table, { ...one, scope }));
      }
      add('events', () => eventRows(one));
    }
  }
  return contentOfRows(rows);
}

function contentOfRows(rows: Iterable<readonly [table: string, row: TruthRow]>): Content {
  const tables = new Map<string, Map<string, Cells>>();
  for (const [table, row] of rows) {
    const columns = COMPARED[table]?.split(' ') ?? [];
    const values = columns.map((name) => plain(row[name]));
    const isNothing = values.every((value) => value === null || (COUNTED.has(table) && value === 0));
    if (isNothing) continue;
    const key = coreKeys.get(table) ?? [];
    const cells = [...key, ...columns].map((name) => [name, JSON.stringify(plain(row[name]))]);
    const ofTable = tables.get(table) ?? new Map<string, Cells>();
    tables.set(
      table,
      ofTable.set(JSON.stringify(key.map((name) => plain(row[name]))), Object.fromEntries(cells)),
    );
  }
  return { ...EMPTY, tables };
}

function eventRows(options: TruthOptions): TruthRow[] {
  return eventsTruth(options).events.map(({ title, prompts, ...row }) => ({
    ...row,
    action_title: title,
    prompt_count: prompts,
  }));
}

function promptRows(whole: TruthOptions): TruthRow[] {
  const { prompts } = ask<{ prompts: Json[] }>(whole, '/api/v1/prompts', { page: '1', size: '100' });
  return prompts.map(({ id }) => ({ project_id: whole.projectId, prompt_id: id, removed_at: false }));
}

/** Prompts that were deleted until that day, as a warehouse that knew them has them. */
export function deletedPrompts(world: World, today: Day): Content {
  const rows = world.projects.flatMap(({ id, prompts }) =>
    prompts
      .filter(({ deletedAt }) => deletedAt !== undefined && deletedAt < Date.parse(today))
      .map((prompt) => ({ project_id: id, prompt_id: prompt.id, removed_at: true })),
  );
  return contentOfRows(rows.map((row) => ['prompts', row]));
}

function windowsOf({ start, today, lastDay, windows: kinds }: Asked): Window[] {
  const windows: Window[] = [{ kind: 'last_7_days', start: addDays(today, -7), end: addDays(today, -1) }];
  for (let last, first = periodStart(start, 'month'); first <= lastDay; first = addDays(last, 1)) {
    last = periodEnd(first, 'month');
    windows.push({ kind: 'month', start: first, end: last < lastDay ? last : lastDay });
  }
  return windows.filter(({ kind }) => kinds.some((asked) => asked === kind));
}

/** Nothing where the server refuses the question. */
function served<T>(rows: () => T, otherwise: T): T {
  try {
    return rows();
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return otherwise;
  }
}

/** The same of a working file. */
export function comparedOf({ tables, ...content }: Content): Content {
  const valuesOf = (cells: Cells): TruthRow =>
    Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, JSON.parse(cell) as unknown]));
  const rows = [...tables].flatMap(([table, all]) =>
    [...all.values()].map((cells) => [table, valuesOf(cells)] as const),
  );
  return { ...content, tables: contentOfRows(rows).tables };
}

/** Days without their hour. */
function plain(value: unknown): unknown {
  const isMidnight = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]00:00:00/.test(value);
  return isMidnight ? value.slice(0, 10) : (roundedValue(value) ?? null);
}
