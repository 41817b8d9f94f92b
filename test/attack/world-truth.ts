import type { WindowKind } from '../../src/slice.ts';
import { addDays, isDay, periodEnd, periodStart, type Day } from '../../src/day.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import type { World } from '../../simulator/world.ts';
import {
  ask,
  brandVisibilityTruth,
  citationRanksTruth,
  domainCitationsTruth,
  responseSentimentTruth,
  sentimentTruth,
  trafficTruth,
  visibilityTruth,
  type Json,
  type TruthOptions,
  type TruthRow,
} from '../flow/truth.ts';
import { eventsTruth, windowTruths, type Window } from '../flow/truth-windows.ts';
import type { Cells, Content } from './warehouse-content.ts';

/*
 * What a server says of its world, asked day by day and written by hand: it shares no line with the endpoints, the
 * planner or the loader.
 */

/** One row of a table. */
export interface Fact {
  /** Table and key. */
  key: string;
  table: string;
  endpoint: string;
  projectId: string;
  scopeId: string;
  /** First day of the period or window; null: a row without one. */
  date: Day | null;
  /** The compared columns as JSON. */
  values: string;
}

export type Facts = ReadonlyMap<string, Fact>;

interface Compared {
  endpoint: string;
  key: readonly string[];
  columns: readonly string[];
}

const SERIES = ['project_id', 'grain', 'scope', 'scope_id', 'date'];
const WINDOW = ['project_id', 'window_kind', 'scope', 'scope_id', 'window_start'];

const of = (endpoint: string, key: readonly string[], columns: string): Compared => ({
  endpoint,
  key,
  columns: columns.split(' '),
});

/** Tables in which a row that says 0 is as good as none. */
const COUNTED = new Set(['domain_citations', 'crawler_requests', 'visitor_visits']);

/** The tables that are compared, with the columns that no cut of a range changes. */
const COMPARED: Readonly<Record<string, Compared>> = {
  visibility: of('visibility', SERIES, 'visibility'),
  sentiment: of('sentiment', SERIES, 'sentiment'),
  share_of_voice: of('share_of_voice', SERIES, 'total_responses brand_mentions share_of_voice'),
  brand_visibility: of(
    'brand_visibility',
    [...SERIES, 'brand_id'],
    'average_visibility mention_count total_responses visibility_percentage',
  ),
  domain_citations: of('domain_citations', [...SERIES, 'domain'], 'citations'),
  citation_ranks: of(
    'citation_ranks',
    SERIES,
    'total_citations average_rank best_rank worst_rank citations_with_rank',
  ),
  response_sentiment: of('response_sentiment', SERIES, 'positive negative neutral unknown'),
  crawler_requests: of('crawler_requests', [...SERIES, 'crawler'], 'requests'),
  visitor_visits: of('visitor_visits', [...SERIES, 'referrer'], 'visits'),
  competitor_heatmap: of(
    'competitor_heatmap',
    [...WINDOW, 'competitor_name', 'competitor_domain', 'model_id'],
    'window_end relation competitor_rank visibility',
  ),
  domain_citation_totals: of(
    'domain_citation_totals',
    [...WINDOW, 'domain'],
    'window_end total percentage average_rank',
  ),
  citation_totals: of('domain_citation_totals', WINDOW, 'window_end total_citations'),
  llm_sources: of(
    'llm_sources',
    [...WINDOW, 'llm'],
    'window_end total_citations unique_domains unique_prompts',
  ),
  share_of_voice_comparison: of(
    'share_of_voice_comparison',
    WINDOW,
    'window_end current_total_responses current_brand_mentions previous_total_responses previous_brand_mentions',
  ),
  crawler_top_pages: of(
    'crawler_top_pages',
    [...WINDOW, 'request_path'],
    'window_end requests unique_crawlers',
  ),
  sentiment_distribution: of(
    'sentiment_distribution',
    [...WINDOW, 'sentiment'],
    'window_end count percentage',
  ),
  competitor_mentions: of('competitor_mentions', [...WINDOW, 'competitor'], 'window_end count percentage'),
  response_summary: of(
    'response_summary',
    WINDOW,
    'window_end total_responses total_brand_mentions brand_mention_rate',
  ),
  events: of('events', ['project_id', 'event_id'], 'date type action_title prompt_count'),
  prompts: of('prompts', ['project_id', 'prompt_id'], 'removed_at'),
};

export interface Asked {
  simulator: Simulator;
  apiKey: string;
  start: Day;
  today: Day;
  isWindowsOnly: boolean;
  windows: readonly WindowKind[];
}

const SERIES_OF_MODELS = {
  visibility: visibilityTruth,
  sentiment: sentimentTruth,
  share_of_voice: shareOfVoice,
};

/** What the server says of models that are out of use: the first run asks for them, and later ones where they have rows. */
export function factsOfOldModels({ simulator, ...asked }: Asked): Facts {
  const facts = new Map<string, Fact>();
  for (const { id: projectId } of simulator.world.projects)
    for (const { id } of simulator.world.models.filter(({ deprecated }) => deprecated)) {
      const scope = { scope: 'model', scopeId: id, parameter: { model: id } };
      for (let day = asked.start; day <= asked.today; day = addDays(day, 1))
        for (const [table, rowsOf] of Object.entries(SERIES_OF_MODELS))
          for (const row of served(
            () => rowsOf({ ...asked, simulator, projectId, start: day, end: day, scope }),
            [],
          )) {
            const fact = factOf(table, row);
            if (fact !== undefined) facts.set(fact.key, fact);
          }
    }
  return facts;
}

/** What the server says of every day, closed month and running window, tonight. */
export function factsOf(asked: Asked): Facts {
  const facts = new Map<string, Fact>();
  for (const project of asked.simulator.world.projects) {
    const whole = { ...asked, projectId: project.id, end: asked.today };
    const scopes: TruthOptions['scope'][] = [
      undefined,
      ...project.models.map(({ id }) => ({ scope: 'model', scopeId: id, parameter: { model: id } })),
      ...project.monitors
        .filter(({ isNullInEvents }) => isNullInEvents !== true)
        .map(({ id }) => ({ scope: 'monitor', scopeId: id, parameter: { llmMonitorId: id } })),
    ];
    const tables: Record<string, TruthRow[]> = asked.isWindowsOnly
      ? { prompts: promptRows(whole) }
      : dailyTables(whole, scopes);
    for (const window of windowsOf(asked))
      for (const [table, rows] of Object.entries(served(() => windowTruths(whole, [window]), {})))
        tables[table] = [...(tables[table] ?? []), ...rows];
    for (const [table, rows] of Object.entries(tables))
      for (const row of rows) {
        const fact = factOf(table, row);
        if (fact !== undefined) facts.set(fact.key, fact);
      }
  }
  return facts;
}

function dailyTables(
  whole: TruthOptions,
  scopes: readonly TruthOptions['scope'][],
): Record<string, TruthRow[]> {
  const tables: Record<string, TruthRow[]> = { prompts: promptRows(whole) };
  const add = (table: string, rows: () => TruthRow[]): void => {
    tables[table] = [...(tables[table] ?? []), ...served(rows, [])];
  };
  for (let day = whole.start; day <= whole.end; day = addDays(day, 1)) {
    const one = { ...whole, start: day, end: day };
    for (const scope of scopes) {
      const scoped = { ...one, ...(scope === undefined ? {} : { scope }) };
      for (const [table, rowsOf] of Object.entries(SERIES_OF_MODELS)) add(table, () => rowsOf(scoped));
    }
    add('brand_visibility', () => brandVisibilityTruth(one));
    add('domain_citations', () => domainCitationsTruth(one, [one]));
    add('citation_ranks', () => citationRanksTruth(one));
    add('response_sentiment', () => responseSentimentTruth(one));
    add('crawler_requests', () => trafficTruth(one, 'crawlers'));
    add('visitor_visits', () => trafficTruth(one, 'visitors'));
    add('events', () =>
      eventsTruth(one).events.map(({ title, prompts, ...row }) => ({
        ...row,
        action_title: title,
        prompt_count: prompts,
      })),
    );
  }
  return tables;
}

/** Of one day, so without what it says of the period before. */
function shareOfVoice(one: TruthOptions): TruthRow[] {
  const { scope, projectId } = one;
  const query = { startDate: one.start, endDate: one.end, range: 'day', ...scope?.parameter };
  return ask<Json[]>(one, '/api/v1/share-of-voice/time-series', query).map((row) => ({
    project_id: projectId,
    grain: 'day',
    scope: scope?.scope ?? 'project',
    scope_id: scope?.scopeId ?? projectId,
    date: String(row['date']).slice(0, 10),
    total_responses: row['totalResponses'],
    brand_mentions: row['brandMentions'],
    share_of_voice: row['shareOfVoice'],
  }));
}

function promptRows(whole: TruthOptions): TruthRow[] {
  const { prompts } = ask<{ prompts: Json[] }>(whole, '/api/v1/prompts', { page: '1', size: '100' });
  return prompts.map(({ id }) => ({ project_id: whole.projectId, prompt_id: id, removed_at: false }));
}

/** Keys of prompts that were deleted until that day. */
export function deletedPrompts(world: World, today: Day): Set<string> {
  const until = Date.parse(today);
  const keys = world.projects.flatMap(({ id, prompts }) =>
    prompts.flatMap((prompt) =>
      prompt.deletedAt !== undefined && prompt.deletedAt < until
        ? [`prompts ${JSON.stringify([id, prompt.id])}`]
        : [],
    ),
  );
  return new Set(keys);
}

function windowsOf({ start, today, windows: kinds }: Asked): Window[] {
  const windows: Window[] = [{ kind: 'last_7_days', start: addDays(today, -7), end: addDays(today, -1) }];
  for (
    let first = periodStart(start, 'month');
    first <= today;
    first = addDays(periodEnd(first, 'month'), 1)
  ) {
    const last = periodEnd(first, 'month');
    windows.push({ kind: 'month', start: first, end: last < today ? last : today });
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

/** The same of the rows of a working file. */
export function storedFacts({ tables }: Content): Facts {
  const facts = new Map<string, Fact>();
  for (const [table, rows] of tables)
    for (const cells of rows.values()) {
      const fact = factOf(table, valuesOf(cells));
      if (fact !== undefined) facts.set(fact.key, fact);
    }
  return facts;
}

function valuesOf(cells: Cells): TruthRow {
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, JSON.parse(cell) as unknown]));
}

/** Undefined where the table is not compared, or the row says nothing. */
function factOf(table: string, row: TruthRow): Fact | undefined {
  const compared = COMPARED[table];
  if (compared === undefined) return undefined;
  const values = compared.columns.map((name) => plain(row[name]));
  if (values.every((value) => value === null || (COUNTED.has(table) && value === 0))) return undefined;
  const start = plain(row['date'] ?? row['window_start'] ?? null);
  return {
    key: `${table} ${JSON.stringify(compared.key.map((name) => plain(row[name])))}`,
    table,
    endpoint: compared.endpoint,
    projectId: String(row['project_id']),
    scopeId: String(row['scope_id'] ?? row['project_id']),
    date: typeof start === 'string' && isDay(start) ? start : null,
    values: JSON.stringify(values),
  };
}

/** Days without their hour; the last digit of a mean is no difference. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (typeof value !== 'string') return value ?? null;
  return /^\d{4}-\d{2}-\d{2}[T ]00:00:00/.test(value) ? value.slice(0, 10) : value;
}
