import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addDays, dayNumber, dayOf, type Day } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteLiteral, SQL_FOLDER } from '../warehouse/sql.ts';
import { DAY_MEASURES, type ChartData, type Line, type Ranking } from './chart.ts';
import { explainOutdatedViews } from '../warehouse/failure.ts';
import type { ProjectData } from './report-data.ts';
import * as Rows from './report-data.ts';

const MAX_NAMED = 20;

export interface ReportScope {
  /** An id, a name or a slug; the report of every project when it is left out. */
  projectId?: string | undefined;
  now: number;
}

/**
 * Reads every project by a dozen queries, however many projects there are.
 * @throws AnswerlakeError 'configuration' when no project, or more than one, has the id, name or slug
 */
export async function readProjects(connection: Connection, scope: ReportScope): Promise<ProjectData[]> {
  const { now } = scope;
  const projectId =
    scope.projectId === undefined ? undefined : await findProject(connection, scope.projectId);
  const read = async <Row>(row: z.ZodType<Row>, name: string): Promise<Row[]> => {
    try {
      return await connection.rowsAs(row, sqlOf(name, projectId));
    } catch (error) {
      throw explainOutdatedViews(error);
    }
  };
  const projects = await read(Rows.projectRow, 'projects');
  if (scope.projectId !== undefined && projects.length === 0)
    throw await noSuchProject(connection, scope.projectId);
  const lines = byProject(await read(Rows.lineRow, 'lines'));
  const events = byProject(await read(Rows.eventRow, 'events'));
  const kpis = byProject(await read(Rows.kpiRow, 'kpis'));
  const heatmap = byProject(await read(Rows.heatmapRow, 'heatmap'));
  const domains = byProject(await read(Rows.rankedRow, 'domains'));
  const pages = byProject(await read(Rows.rankedRow, 'pages'));
  const prompts = byProject(await read(Rows.rankedRow, 'prompts'));
  const impact = byProject(await read(Rows.impactRow, 'impact'));
  const shifts = byProject(await read(Rows.shiftRow, 'shifts'));
  const freshness = await read(Rows.freshnessRow, 'freshness');
  const shared = freshness.filter(({ project_id: id }) => id === null);
  const fresh = byProject(
    freshness.flatMap((row) => (row.project_id === null ? [] : [{ ...row, project_id: row.project_id }])),
  );
  return projects.map((project): ProjectData => {
    const id = project.project_id;
    const own = fresh.get(id) ?? [];
    const start = project.first_date ?? addDays(dayOf(now), -1);
    const end = project.last_date;
    const days = end === null ? 1 : dayNumber(end) - dayNumber(start) + 1;
    const dayIndex = (day: Day): number => dayNumber(day) - dayNumber(start);
    return {
      id,
      name: project.project_name,
      end,
      pendingFrom: project.pending_from,
      charts: {
        start,
        days,
        finalDays: project.pending_from === null ? days : dayIndex(project.pending_from),
        ...lineData(lines.get(id) ?? []),
        events: (events.get(id) ?? [])
          .map(({ date, type, title, prompt_count: count }) => ({
            day: dayIndex(date),
            type,
            title,
            prompts: count,
          }))
          .filter(({ day }) => day >= 0 && day < days),
        heatmap: heatmapData(heatmap.get(id) ?? []),
        domains: rankingOf(domains.get(id)),
        pages: rankingOf(pages.get(id)),
        prompts: rankingOf(prompts.get(id)),
        impact: (impact.get(id) ?? []).map((row, index, all) => ({
          first: row.first_date,
          last: row.last_date,
          actions: row.actions,
          titles: row.titles ?? '',
          before: row.visibility_before,
          after: row.visibility_after,
          typical: row.visibility_typical_change,
          isClear: row.is_clear,
          promptSetChanged: row.prompt_set_changed,
          otherActions: row.other_actions_count,
          sharesDays: sharesDays(all[index - 1], row),
        })),
        notEnabled: own.filter(({ status }) => status === 'not_enabled').map(({ endpoint }) => endpoint),
      },
      kpis: (kpis.get(id) ?? []).map((row) => ({
        measure: row.measure,
        value: row.value,
        previous: row.previous_value,
        change: row.change,
        typical: row.typical_change,
        isClear: row.is_clear,
        days: row.days_with_value,
        goal: row.goal,
      })),
      shifts: (shifts.get(id) ?? []).map((row) => ({
        measure: row.measure,
        date: row.date,
        before: row.value_before,
        after: row.value_after,
        candidates: row.candidates_count,
        titles: row.candidate_titles,
      })),
      freshness: [...own, ...shared].map((row) => ({
        endpoint: row.endpoint,
        status: row.status,
        covered: row.last_covered_date,
        error: row.last_error,
      })),
    };
  });
}

function byProject<Row extends { project_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.project_id);
    if (group === undefined) groups.set(row.project_id, [row]);
    else group.push(row);
  }
  return groups;
}

function lineData(
  rows: readonly Rows.LineRow[],
): Pick<ChartData, 'daily' | 'models' | 'brands' | 'crawlers' | 'visitors'> {
  const linesOf = (kind: string): Line[] =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ label, key, is_own: isOwn, figures }) => ({ name: label ?? key, isOwn, figures }));
  const figuresOf = (measure: string): (number | null)[] =>
    rows.find((row) => row.kind === 'measure' && row.key === measure)?.figures ?? [];
  const [visibility, responses, mentions, all, positive, neutral, unknown, negative] =
    DAY_MEASURES.map(figuresOf);
  const none: (number | null)[] = [];
  return {
    daily: {
      visibility: visibility ?? none,
      responses: responses ?? none,
      mentions: mentions ?? none,
      all_brand_mentions: all ?? none,
      positive: positive ?? none,
      neutral: neutral ?? none,
      unknown: unknown ?? none,
      negative: negative ?? none,
    },
    models: linesOf('model'),
    brands: linesOf('brand'),
    crawlers: linesOf('crawler'),
    visitors: linesOf('visitor'),
  };
}

function heatmapData(rows: readonly Rows.HeatmapRow[]): ChartData['heatmap'] {
  const [first] = rows;
  if (first === undefined) return null;
  const models = [...new Set(rows.map(({ model_name: name }) => name))];
  const brands = new Map<string, { name: string; isOwn: boolean; cells: (number | null)[] }>();
  for (const row of rows) {
    const brand = brands.get(row.competitor_name) ?? {
      name: row.competitor_name,
      isOwn: row.is_own_brand,
      cells: models.map(() => null),
    };
    brand.cells[models.indexOf(row.model_name)] ??= row.visibility_pct;
    brands.set(row.competitor_name, brand);
  }
  return { start: first.window_start, end: first.window_end, models, rows: [...brands.values()] };
}

/** Days on either side of a burst that are compared, as in `main.action_group_impact`. */
const SIDE_DAYS = 14;

function sharesDays(above: Rows.ImpactRow | undefined, row: Rows.ImpactRow): boolean {
  return above !== undefined && dayNumber(row.first_date) - dayNumber(above.last_date) <= SIDE_DAYS;
}

function rankingOf(rows: readonly Rows.RankedRow[] | undefined): Ranking | null {
  const first = rows?.[0];
  if (rows === undefined || first === undefined) return null;
  return {
    start: first.window_start,
    end: first.window_end,
    rows: rows.map(({ label, is_own: isOwn, value, previous, share }) => ({
      label,
      isOwn,
      value,
      previous,
      share,
    })),
  };
}

const foundRow = z.object({ id: z.string(), is_id: z.boolean() });

/** The id of the project that is called so; an id outranks names and slugs, whose case does not count. */
async function findProject(connection: Connection, called: string): Promise<string> {
  const found = await connection.rowsAs(
    foundRow,
    `select project_id as id, project_id = $1 as is_id from core.projects
     where project_id = $1 or lower(name) = lower($1) or lower(slug) = lower($1) order by is_id desc, id`,
    [called],
  );
  const [first, second] = found;
  if (first === undefined || first.is_id || second === undefined) return first?.id ?? called;
  const ids = found.map(({ id }) => `  ${id}`).join('\n');
  throw new AnswerlakeError(
    `More than one project is called ${JSON.stringify(called)}. Name the id of one of them:\n${ids}`,
    { class: 'configuration' },
  );
}

async function noSuchProject(connection: Connection, projectId: string): Promise<AnswerlakeError> {
  const known = await connection.rowsAs(Rows.projectRow, sqlOf('projects', undefined));
  const named = known
    .slice(0, MAX_NAMED)
    .map(({ project_id: id, project_name: name }) => `  ${id}  ${name ?? ''}`);
  const rest = known.length > MAX_NAMED ? [`  … and ${known.length - MAX_NAMED} more`] : [];
  return new AnswerlakeError(
    `The published file has no project ${JSON.stringify(projectId)}. It has:\n${[...named, ...rest].join('\n')}`,
    { class: 'configuration' },
  );
}

/** The text of a query; `{{project}}` and `{{k.project}}` choose the project, or all. */
function sqlOf(name: string, projectId: string | undefined): string {
  const sql = readFileSync(join(SQL_FOLDER, 'report', `${name}.sql`), 'utf8');
  return sql.replaceAll(/\{\{(?:(\w+)\.)?project\}\}/g, (_, alias: string | undefined) =>
    projectId === undefined
      ? 'true'
      : `${alias === undefined ? '' : `${alias}.`}project_id = ${quoteLiteral(projectId)}`,
  );
}
