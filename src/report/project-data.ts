import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { addDays, dayOf, maxDay, type Day } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { SQL_FOLDER } from '../warehouse/sql-files.ts';
import type { Param } from '../warehouse/values.ts';
import * as Rows from './rows.ts';

/** Everything the report says of one project. */
export interface ProjectData {
  id: string;
  name: string | null;
  start: Day;
  /** Last whole day: the one before the day of the newest sync. */
  end: Day;
  /** First shown day that may still change; null when all are final. */
  pendingFrom: Day | null;
  sentimentGrain: 'day' | 'week';
  daily: Rows.DailyRow[];
  /** The days of the key figures, whatever days are shown. */
  recent: Rows.DailyRow[];
  kpis: Rows.KpiRow[];
  events: Rows.EventRow[];
  brands: Rows.BrandRow[];
  brandDays: Rows.BrandDayRow[];
  heatmap: Rows.HeatmapRow[];
  domains: Rows.DomainRow[];
  citationRanks: Rows.CitationRankRow[];
  sentiment: Rows.SentimentRow[];
  impact: Rows.ImpactRow[];
  freshness: Rows.FreshnessRow[];
  coverage: Rows.CoverageRow[];
}

export interface ReportScope {
  projectId?: string | undefined;
  days: number;
  now: number;
}

/** Days of a period of the key figures, as in `kpis.sql`. */
export const KPI_DAYS = 28;
/** Longest span of days the strip of covered days shows. */
const COVERAGE_DAYS = 84;
/** More days than these are shown by week where counts are stacked. */
const MOST_DAILY_BARS = 45;

/** @throws AnswerlakeError 'configuration' when no project has the id */
export async function readProjects(connection: Connection, scope: ReportScope): Promise<ProjectData[]> {
  const settings = (await connection.rowsAs(Rows.settingsRow, sqlOf('settings')))[0];
  const projects = await connection.rowsAs(Rows.projectRow, sqlOf('projects'));
  const asked = projects.filter(
    ({ project_id: id }) => scope.projectId === undefined || id === scope.projectId,
  );
  if (scope.projectId !== undefined && asked.length === 0) {
    const known = projects.map(({ project_id: id, project_name: name }) => `  ${id}  ${name ?? ''}`);
    throw new AnswerlakeError(
      `The published file has no project ${JSON.stringify(scope.projectId)}. It has:\n${known.join('\n')}`,
      { class: 'configuration' },
    );
  }
  const result: ProjectData[] = [];
  for (const project of asked) {
    const syncDay = settings?.sync_day ?? project.last_date ?? dayOf(scope.now);
    result.push(await readProject(connection, project, { end: addDays(syncDay, -1), days: scope.days }));
  }
  return result;
}

async function readProject(
  connection: Connection,
  project: Rows.ProjectRow,
  { end, days }: { end: Day; days: number },
): Promise<ProjectData> {
  const id = project.project_id;
  const asked = addDays(end, 1 - days);
  const start =
    project.first_date === null || project.first_date > end ? asked : maxDay(asked, project.first_date);
  const read = async <Read>(row: z.ZodType<Read>, name: string, ...params: Param[]): Promise<Read[]> =>
    await connection.rowsAs(row, sqlOf(name), [id, ...params]);
  const sentimentGrain = days > MOST_DAILY_BARS ? 'week' : 'day';
  const daily = await read(Rows.dailyRow, 'daily', start, end);
  const coverageStart = maxDay(start, addDays(end, 1 - COVERAGE_DAYS));
  return {
    id,
    name: project.project_name,
    start,
    end,
    pendingFrom: daily.find((day) => !day.is_final)?.date ?? null,
    sentimentGrain,
    daily,
    recent: await read(Rows.dailyRow, 'daily', addDays(end, 1 - KPI_DAYS), end),
    kpis: await read(Rows.kpiRow, 'kpis', end),
    events: await read(Rows.eventRow, 'events', start, end),
    brands: await read(Rows.brandRow, 'brands', end),
    brandDays: await read(Rows.brandDayRow, 'brand_days', start, end),
    heatmap: await read(Rows.heatmapRow, 'heatmap'),
    domains: await read(Rows.domainRow, 'domains'),
    citationRanks: await read(Rows.citationRankRow, 'citation_ranks', start, end),
    sentiment: await read(Rows.sentimentRow, 'sentiment_periods', start, end, sentimentGrain),
    impact: await read(Rows.impactRow, 'impact', start, end),
    freshness: await read(Rows.freshnessRow, 'freshness'),
    coverage: await read(Rows.coverageRow, 'coverage', coverageStart, end),
  };
}

function sqlOf(name: string): string {
  return readFileSync(join(SQL_FOLDER, 'report', `${name}.sql`), 'utf8');
}
