import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addDays, dayNumber, dayOf, type Day, daySchema } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteLiteral, SQL_FOLDER } from '../warehouse/sql.ts';
import type { ChartData, DayMeasure, Impacts, Line, Ranking } from './chart.ts';
import { explainOutdatedViews } from '../warehouse/failure.ts';

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
  const projects = await read(projectRow, 'projects');
  if (scope.projectId !== undefined && projects.length === 0)
    throw await noSuchProject(connection, scope.projectId);
  const lines = byProject(await read(lineRow, 'lines'));
  const events = byProject(await read(eventRow, 'events'));
  const kpis = byProject(await read(kpiRow, 'kpis'));
  const heatmap = byProject(await read(heatmapRow, 'heatmap'));
  const domains = byProject(await read(rankedRow, 'domains'));
  const pages = byProject(await read(rankedRow, 'pages'));
  const prompts = byProject(await read(rankedRow, 'prompts'));
  const impact = byProject(await read(impactRow, 'impact'));
  const shifts = byProject(await read(shiftRow, 'shifts'));
  const freshness = await read(freshnessRow, 'freshness');
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
        kpis: kpis.get(id) ?? [],
        events: (events.get(id) ?? [])
          .map(({ date, type, action_type: action, title, prompt_count: count }) => ({
            day: dayIndex(date),
            type,
            action,
            title,
            prompts: count,
          }))
          .filter(({ day }) => day >= 0 && day < days),
        heatmap: heatmapData(heatmap.get(id) ?? []),
        domains: rankingOf(domains.get(id)),
        pages: rankingOf(pages.get(id)),
        prompts: rankingOf(prompts.get(id)),
        impact: impactsOf(impact.get(id)),
        notEnabled: own.filter(({ status }) => status === 'not_enabled').map(({ endpoint }) => endpoint),
      },
      shifts: shifts.get(id) ?? [],
      freshness: [...own, ...shared],
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
  rows: readonly LineRow[],
): Pick<ChartData, 'daily' | 'models' | 'brands' | 'crawlers' | 'visitors'> {
  const linesOf = (kind: string): Line[] =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ label, key, is_own: isOwn, figures }) => ({ name: label ?? key, isOwn, figures }));
  const figuresOf = (measure: DayMeasure): (number | null)[] =>
    rows.find((row) => row.kind === 'measure' && row.key === measure)?.figures ?? [];
  return {
    daily: {
      visibility: figuresOf('visibility'),
      responses: figuresOf('responses'),
      mentions: figuresOf('mentions'),
      all_brand_mentions: figuresOf('all_brand_mentions'),
      positive: figuresOf('positive'),
      neutral: figuresOf('neutral'),
      unknown: figuresOf('unknown'),
      negative: figuresOf('negative'),
      sentiment: figuresOf('sentiment'),
      citations: figuresOf('citations'),
      crawler_requests: figuresOf('crawler_requests'),
      ai_visits: figuresOf('ai_visits'),
    },
    models: linesOf('model'),
    brands: linesOf('brand'),
    crawlers: linesOf('crawler'),
    visitors: linesOf('visitor'),
  };
}

function heatmapData(rows: readonly HeatmapRow[]): ChartData['heatmap'] {
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

function impactsOf(rows: readonly ImpactRow[] | undefined): Impacts | null {
  const first = rows?.[0];
  if (rows === undefined || first === undefined) return null;
  return {
    bursts: first.bursts_count,
    judged: first.judged_count,
    notJudged: first.not_judged,
    shown: rows.map((row) => ({
      first: row.first_date,
      last: row.last_date,
      actions: row.actions,
      titles: row.titles ?? '',
      before: row.visibility_before,
      after: row.visibility_after,
      effect: row.visibility_effect,
      low: row.visibility_effect_low,
      high: row.visibility_effect_high,
      isClear: row.is_clear,
      promptSetChanged: row.prompt_set_changed,
      otherActions: row.other_actions_count,
    })),
  };
}

function rankingOf(rows: readonly RankedRow[] | undefined): Ranking | null {
  const first = rows?.[0];
  if (rows === undefined || first === undefined) return null;
  return {
    start: first.window_start,
    end: first.window_end,
    rows: rows.map(({ label, is_own: isOwn, value, previous, share, is_worst: isWorst }) => ({
      label,
      isOwn,
      value,
      previous,
      share,
      isWorst,
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
  const known = await connection.rowsAs(projectRow, sqlOf('projects', undefined));
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

/** Everything the report says of one project. */
export interface ProjectData {
  id: string;
  name: string | null;
  /** Last whole day; null before the first. */
  end: Day | null;
  pendingFrom: Day | null;
  charts: ChartData;
  shifts: Shift[];
  freshness: Freshness[];
}

// Rows of the files in `sql/report`, one schema a file.

const project = { project_id: z.string() };

const projectRow = z.object({
  ...project,
  project_name: z.string().nullable(),
  first_date: daySchema.nullable(),
  last_date: daySchema.nullable(),
  pending_from: daySchema.nullable(),
});

const lineRow = z.object({
  ...project,
  kind: z.string(),
  key: z.string(),
  label: z.string().nullable(),
  is_own: z.boolean(),
  figures: z.array(z.number().nullable()),
});
type LineRow = z.output<typeof lineRow>;

const eventRow = z.object({
  ...project,
  date: daySchema,
  type: z.string(),
  action_type: z.string().nullable(),
  title: z.string(),
  prompt_count: z.number().nullable(),
});

const kpiRow = z.object({
  ...project,
  measure: z.string(),
  window_days: z.number(),
  value: z.number().nullable(),
  previous_value: z.number().nullable(),
  change: z.number().nullable(),
  change_low: z.number().nullable(),
  change_high: z.number().nullable(),
  typical_change: z.number().nullable(),
  drift: z.number().nullable(),
  is_clear: z.boolean(),
  goal: z.number().nullable(),
});

const heatmapRow = z.object({
  ...project,
  window_start: daySchema,
  window_end: daySchema,
  competitor_name: z.string(),
  is_own_brand: z.boolean(),
  model_name: z.string(),
  visibility_pct: z.number().nullable(),
});
type HeatmapRow = z.output<typeof heatmapRow>;

/** Rows of `domains.sql`, `pages.sql` and `prompts.sql`. */
const rankedRow = z.object({
  ...project,
  window_start: daySchema,
  window_end: daySchema,
  label: z.string(),
  is_own: z.boolean(),
  value: z.number(),
  previous: z.number().nullable(),
  share: z.number().nullable(),
  is_worst: z.boolean().optional(),
});
type RankedRow = z.output<typeof rankedRow>;

const impactRow = z.object({
  ...project,
  first_date: daySchema,
  last_date: daySchema,
  actions: z.number(),
  titles: z.string().nullable(),
  visibility_before: z.number(),
  visibility_after: z.number(),
  visibility_effect: z.number(),
  visibility_effect_low: z.number(),
  visibility_effect_high: z.number(),
  is_clear: z.boolean(),
  prompt_set_changed: z.boolean(),
  other_actions_count: z.number(),
  bursts_count: z.number(),
  judged_count: z.number(),
  not_judged: z.string().nullable(),
});

type ImpactRow = z.output<typeof impactRow>;

/** A day on which the level of a measure shifted. */
const shiftRow = z.object({
  ...project,
  measure: z.string(),
  date: daySchema,
  value_before: z.number(),
  value_after: z.number(),
  candidates_count: z.number(),
  candidate_titles: z.string().nullable(),
});
export type Shift = Omit<z.output<typeof shiftRow>, 'project_id'>;

/** The newest answers of an endpoint; without a project for lists that all projects share. */
const freshnessRow = z.object({
  project_id: z.string().nullable(),
  endpoint: z.string(),
  status: z.string(),
  last_covered_date: daySchema.nullable(),
  last_error: z.string().nullable(),
});
type Freshness = Omit<z.output<typeof freshnessRow>, 'project_id'>;
