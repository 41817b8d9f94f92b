import { z } from 'zod';
import { addDays, dayNumber, dayOf, type Day, daySchema } from '../day.ts';
import { findProject, knownProject } from '../publish/find-project.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { readAges } from '../warehouse/freshness.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';

export interface ProjectsRequest {
  /** Id, name or slug of one project; every project when left out. */
  projectId?: string | undefined;
  /** Milliseconds since the epoch: the creation time on the page. */
  now: number;
  /** `freshness.max_age` of the configuration, in milliseconds; null: the value that the newest run stored. */
  maxAgeMs?: number | null;
}

/**
 * Reads every project, or the named one, with a dozen queries regardless of their number.
 * @throws AnswerlakeError 'configuration' when no project, or more than one, has the id, name or slug
 */
export async function readProjects(file: PublishedFile, request: ProjectsRequest) {
  const { projectId: called, now, maxAgeMs } = request;
  const known = await file.rowsAs(projectRow, readSql('report/projects', { project: 'true' }));
  const one = called === undefined ? null : findProject(known, called);
  const projects = one === null ? known : [one];
  const chosen = one === null ? 'true' : `project_id = ${quoteLiteral(one.project_id)}`;
  /** Gives the rows of a project, without its id. */
  const read = async <Row extends { project_id: string | null }>(row: z.ZodType<Row>, name: string) => {
    const rows = await file.rowsAs(row, readSql(`report/${name}`, { project: chosen }));
    return (id: string | null): OfProject<Row>[] =>
      rows.flatMap(({ project_id: of, ...rest }) => (of === id ? [rest] : []));
  };
  const lines = await read(lineRow, 'lines');
  const events = await read(eventRow, 'events');
  const kpis = await read(kpiRow, 'kpis');
  const heatmap = await read(heatmapRow, 'heatmap');
  const domains = await read(rankedRow, 'domains');
  const pages = await read(rankedRow, 'pages');
  const prompts = await read(rankedRow, 'prompts');
  const why = await read(whyRow, 'why');
  const impact = await read(impactRow, 'impact');
  const shifts = await read(shiftRow, 'shifts');
  const freshness = await read(freshnessRow, 'freshness');
  const ageOf = await readAges(file, { now, maxAgeMs });
  return projects.map(({ project_id: id, ...project }) => {
    const own = freshness(id);
    const age = ageOf(id);
    const start = project.first_date ?? addDays(dayOf(now), -1);
    const end = project.last_date;
    const dayIndex = (day: Day): number => dayNumber(day) - dayNumber(start);
    const days = end === null ? 1 : dayIndex(end) + 1;
    const linesOf = (kind: string): Line[] => lines(id).filter((line) => line.kind === kind);
    const daily = Object.fromEntries(linesOf('measure').map(({ name, figures }) => [name, figures]));
    return {
      id,
      name: project.project_name,
      /** Last whole day; null before the first. */
      end,
      pendingFrom: project.pending_from,
      /** The age of its newest answers at the creation of the page; null before the first. */
      age,
      /** Milliseconds since the newest answer, if that is too long; else 0. */
      staleMs: age?.isStale === true ? age.ageMs : 0,
      charts: {
        start,
        days,
        /** Days from the start that are final; later ones may still change. */
        finalDays: project.pending_from === null ? days : dayIndex(project.pending_from),
        daily: dailyFigures.parse(daily),
        models: linesOf('model'),
        brands: linesOf('brand'),
        crawlers: linesOf('crawler'),
        visitors: linesOf('visitor'),
        kpis: kpis(id),
        events: events(id)
          .map(({ date, ...event }) => ({ ...event, day: dayIndex(date) }))
          .filter(({ day }) => day >= 0 && day < days),
        heatmap: heatmap(id),
        domains: domains(id),
        pages: pages(id),
        prompts: prompts(id),
        why: why(id),
        impact: impact(id),
        shifts: shifts(id).map(({ date, ...shift }) => ({ ...shift, day: dayIndex(date) })),
        /** Endpoints that the API does not offer to this project. */
        notEnabled: own.filter(({ status }) => status === 'not_enabled').map(({ endpoint }) => endpoint),
      },
      freshness: [...own, ...freshness(null)],
    };
  });
}

type OfProject<Row> = Omit<Row, 'project_id'>;

/** The content of the report for one project. */
export type ProjectData = Awaited<ReturnType<typeof readProjects>>[number];

/** The data for the charts of a project, here and in the page: plain values, whole days only. */
export type ChartData = ProjectData['charts'];

// Rows of the files in `sql/report`, one schema a file.

const project = { project_id: z.string() };

const projectRow = knownProject.extend({
  first_date: daySchema.nullable(),
  last_date: daySchema.nullable(),
  pending_from: daySchema.nullable(),
});

/** Larger figures would flatten all others in a chart. */
const MAX_SHOWN = 1e15;
const shownFigure = z
  .number()
  .nullable()
  .catch(null)
  .transform((figure) => (figure === null || Math.abs(figure) > MAX_SHOWN ? null : figure));
const figures = z.array(shownFigure);

/** A line of figures, one for each shown day of the project. */
const lineRow = z.object({ ...project, kind: z.string(), name: z.string(), is_own: z.boolean(), figures });
export type Line = OfProject<z.output<typeof lineRow>>;

const DAY_MEASURES = [
  'visibility',
  'responses',
  'mentions',
  'share_of_voice',
  'all_brand_mentions',
  'positive',
  'neutral',
  'unknown',
  'negative',
  'sentiment',
  'net_sentiment_known',
  'citations',
  'crawler_requests',
  'ai_visits',
] as const;
/** The lines of kind `measure`. */
export const dailyFigures = z.record(z.enum(DAY_MEASURES), figures.default([]));

const eventRow = z.object({
  ...project,
  date: daySchema,
  type: z.string(),
  action_type: z.string().nullable(),
  title: z.string(),
  prompt_count: z.number().nullable(),
});
export type ReportEvent = Omit<OfProject<z.output<typeof eventRow>>, 'date'> & { day: number };

/** A row of `main.kpi_changes`: the last whole days compared with as many before, with the 95 % interval of the change. */
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
  is_clear: z.boolean(),
  is_trend: z.boolean(),
  /** The questions changed in or between the periods. */
  is_changed: z.boolean(),
  /** The part of the change for the same questions; null: unknown. */
  real_change: z.number().nullable(),
  real_is_clear: z.boolean(),
  goal: z.number().nullable(),
  due_date: daySchema.nullable(),
  is_reached: z.boolean().nullable(),
  is_on_course: z.boolean().nullable(),
});
export type Kpi = OfProject<z.output<typeof kpiRow>>;

/** A brand in the newest window, a cell a model. */
const heatmapRow = z.object({
  ...project,
  window_start: daySchema,
  window_end: daySchema,
  name: z.string(),
  is_own: z.boolean(),
  models: z.array(z.string()),
  cells: figures,
});

/** Rows of `domains.sql`, `pages.sql` and `prompts.sql`: bars about one window. */
const rankedRow = z.object({
  ...project,
  window_start: daySchema,
  window_end: daySchema,
  label: z.string(),
  is_own: z.boolean(),
  value: z.number(),
  previous: z.number().nullable(),
  /** Among the least of its list. */
  is_worst: z.boolean().optional(),
});
export type Ranked = OfProject<z.output<typeof rankedRow>>;

/** A part of the change of visibility, or a prompt that moved it; those of a window are about the same days. */
const whyRow = z.object({
  ...project,
  window_days: z.number(),
  before_from: daySchema,
  before_to: daySchema,
  after_from: daySchema,
  after_to: daySchema,
  change: z.number(),
  kind: z.enum(['part', 'prompt']),
  label: z.string(),
  points: z.number(),
  visibility_before: z.number().nullable(),
  visibility_after: z.number().nullable(),
});
export type Why = OfProject<z.output<typeof whyRow>>;

/** A burst of completed actions, the effect on visibility after it with its 95 % interval, and of how many bursts it is shown. */
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
  setup_change_titles: z.string().nullable(),
  /** Completed actions of other bursts in the 14 days before and after. */
  other_actions_count: z.number(),
  judged_count: z.number(),
  not_judged: z.string().nullable(),
});

/** A day on which the level of a measure shifted. */
const shiftRow = z.object({
  ...project,
  measure: z.string(),
  date: daySchema,
  value_before: z.number(),
  value_after: z.number(),
  candidate_titles: z.string().nullable(),
});

/** The newest answers of an endpoint; without a project for lists that all projects share. */
const freshnessRow = z.object({
  project_id: z.string().nullable(),
  endpoint: z.string(),
  status: z.string(),
  last_covered_date: daySchema.nullable(),
  last_error: z.string().nullable(),
});
