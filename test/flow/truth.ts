import { addDays, type Day } from '../../src/day.ts';
import type { Simulator } from '../../simulator/simulator.ts';

/*
 * What the warehouse must hold, asked from the simulator directly and written by hand: it shares no line with the
 * endpoints, the planner or the loader. One request a day wherever the answer is about days, so that no window cut of
 * ours can hide a fault.
 */

export type TruthRow = Record<string, unknown>;
export type Json = Record<string, unknown>;

export interface TruthOptions {
  simulator: Simulator;
  apiKey: string;
  projectId: string;
  start: Day;
  end: Day;
  scope?: { scope: string; scopeId: string; parameter: Record<string, string> };
}

export function ask<T>(options: TruthOptions, path: string, query: Record<string, string>): T {
  const { simulator, apiKey, projectId } = options;
  const answer = simulator.answer(path, query, { apiKey, projectId });
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

export function eachDay(options: TruthOptions): Day[] {
  const days: Day[] = [];
  for (let day = options.start; day <= options.end; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The fields of an answer as the columns of a table are called. */
export function renamed(row: Json, prefix = ''): TruthRow {
  const nameOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [prefix + nameOf(name), value]));
}

const dayOfText = (text: unknown): string => String(text).slice(0, 10);
const filters = { visibility: 'models', other: 'model' };

function scopeQuery(options: TruthOptions, family: keyof typeof filters): Record<string, string> {
  const { scope } = options;
  if (scope === undefined) return {};
  return scope.scope === 'model' ? { [filters[family]]: scope.scopeId } : scope.parameter;
}

function series(options: TruthOptions): TruthRow {
  return {
    project_id: options.projectId,
    grain: 'day',
    scope: options.scope?.scope ?? 'project',
    scope_id: options.scope?.scopeId ?? options.projectId,
  };
}

function daily(
  options: TruthOptions,
  rows: (day: Day, window: Record<string, string>) => TruthRow[],
): TruthRow[] {
  return eachDay(options).flatMap((day) =>
    rows(day, { startDate: day, endDate: day }).map((row) => ({ ...series(options), ...row })),
  );
}

export function visibilityTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/visibility-time-series', {
      ...window,
      range: 'day',
      ...scopeQuery(options, 'visibility'),
    }).map((point) => ({ date: point['date'], visibility: point['value'] })),
  );
}

export function sentimentTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/sentiment-time-series', {
      ...window,
      range: 'day',
      ...scopeQuery(options, 'other'),
    }).map((point) => ({ date: point['date'], sentiment: point['value'] })),
  );
}

/** In one answer from a day early: the day before may have no data, and then the one before that is the previous. */
export function shareOfVoiceTruth(options: TruthOptions): TruthRow[] {
  return ask<Json[]>(options, '/api/v1/share-of-voice/time-series', {
    startDate: addDays(options.start, -1),
    endDate: options.end,
    range: 'day',
    ...scopeQuery(options, 'other'),
  })
    .filter((point) => dayOfText(point['date']) >= options.start)
    .map((point) => ({
      ...series(options),
      previous_period_share_of_voice: null,
      change: null,
      ...renamed(point),
      date: dayOfText(point['date']),
    }));
}

export function brandVisibilityTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/analytics/brands/visibility-over-time', {
      ...window,
      granularity: 'daily',
      limit: '100000',
    }).map(({ brand, date, ...figures }) => ({
      ...renamed(figures),
      date: dayOfText(date),
      brand_id: (brand as Json)['id'],
    })),
  );
}

export const CITATIONS = { range: 'DAILY', granularity: 'daily', domainLimit: '50', includeSelf: 'true' };

interface Trend {
  dates: string[];
  series: { name?: string; domain?: string; data: number[] }[];
}

function points(trend: Trend, name: string, value: string): TruthRow[] {
  return trend.series.flatMap((one) =>
    one.data.map((number, index) => ({
      date: dayOfText(trend.dates[index]),
      [name]: one.domain ?? one.name,
      [value]: number,
    })),
  );
}

/** By the windows that were really asked: the list is the top of each window. */
export function domainCitationsTruth(
  options: TruthOptions,
  windows: readonly { start: Day; end: Day }[],
): TruthRow[] {
  return windows.flatMap(({ start, end }) =>
    points(
      ask<Trend>(options, '/api/v1/citations/domains-over-time', {
        startDate: start,
        endDate: end,
        ...CITATIONS,
      }),
      'domain',
      'citations',
    ).map((row) => ({ ...series(options), ...row })),
  );
}

export function citationRanksTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<{ timeSeries: Json[] }>(options, '/api/v1/citations/rank-analysis', {
      ...window,
      ...CITATIONS,
    }).timeSeries.map((point) => ({ ...renamed(point), date: dayOfText(point['date']) })),
  );
}

export function responseSentimentTruth(options: TruthOptions): TruthRow[] {
  return daily(options, (_, window) =>
    ask<Json[]>(options, '/api/v1/responses/sentiment-time-series', window),
  );
}

export function trafficTruth(options: TruthOptions, kind: 'crawlers' | 'visitors'): TruthRow[] {
  const [name, value] = kind === 'crawlers' ? ['crawler', 'requests'] : ['referrer', 'visits'];
  return daily(options, (_, window) =>
    points(
      ask<Trend>(options, `/api/v1/analytics/${kind}/trend`, { ...window, timezone: 'UTC' }),
      name ?? '',
      value ?? '',
    ),
  );
}
