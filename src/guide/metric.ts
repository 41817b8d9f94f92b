import { z } from 'zod';
import {
  addDays,
  type Day,
  type DayRange,
  daySchema,
  isDay,
  maxDay,
  minDay,
  nextPeriod,
  periodEnd,
  periodStart,
  shiftPeriod,
} from '../day.ts';
import { usageError, suggestion } from '../errors.ts';
import { findProject, knownProject } from '../publish/find-project.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount, named } from '../quantity.ts';
import type { QueryResult } from '../warehouse/query-result.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import {
  GOVERNED,
  type Governed,
  isTime,
  type Part,
  PART_COLUMNS,
  PARTS,
  type Time,
  TIMES,
} from './governed.ts';
import { readSyncDay } from './views.ts';

const USUAL_DAYS = 28;
const USUAL_MONTHS = 12;
const MAX_NAMED = 20;
const MAX_CHANGES = 3;
const MAX_MEANT = 5;

/** The parameters of `metric`. */
export interface MetricRequest {
  name: string;
  /** Id, name or slug; left out: every project. */
  project?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  by?: Time | Part | undefined;
  /** All projects as one. */
  asOne?: boolean | undefined;
}

const projectRow = knownProject.extend({
  project_label: z.string(),
  first_date: daySchema.nullable(),
  last_whole_date: daySchema.nullable(),
});
export type ProjectDays = z.output<typeof projectRow>;

/** The projects of the file, by name. */
export async function readKnownProjects(file: PublishedFile): Promise<ProjectDays[]> {
  return await file.rowsAs(
    projectRow,
    'select project_id, project_name, project_label, slug, is_listed, first_date, last_whole_date from main.projects order by project_label, project_id',
  );
}

/** The projects of a question: the named one, or all. @throws AnswerlakeError (configuration) for an unknown one */
export async function readProjects(file: PublishedFile, named: string | undefined) {
  const known = await readKnownProjects(file);
  if (named === undefined) return { projects: known, projectId: undefined };
  const found = findProject(known, named);
  return { projects: [found], projectId: found.project_id };
}

/** `Fernhill (2025-11-28 to 2026-11-26)`, of the first projects. */
export function listProjects(projects: readonly ProjectDays[]): string {
  const texts = projects.map(({ first_date: first, last_whole_date: last, ...one }) => {
    const days = first === null || last === null ? 'no whole day yet' : `${first} to ${last}`;
    return `${one.project_label} (${days})`;
  });
  return named(texts, MAX_NAMED);
}

/** Computes a governed figure. @throws AnswerlakeError (configuration) for a name, project, day or part that does not exist */
export async function answerMetric(file: PublishedFile, request: MetricRequest) {
  const { name, project, by, asOne = false } = request;
  const figure = figureNamed(name);
  if (asOne && (project !== undefined || by === 'brand'))
    throw usageError('all_as_one goes without a project, and not by brand: brands belong to one project.');
  const { projects, projectId } = await readProjects(file, project);
  const { from, to, warnings } = rangeOf(projects, request, (await readSyncDay(file))?.open_from ?? null);
  const asked = { by, projectId, asOne, from, to };
  const sql = metricSql(figure, asked);
  const result = await file.query(sql);
  const days = dayWarnings(result);
  warnings.push(...days.warnings);
  if (by === 'week' || by === 'month') warnings.push(...cutPeriods(by, { start: from, end: to }));
  if (by === 'model') warnings.push(...(await severalModels(file, result)));
  const changed = figure.is_of_answers
    ? await changedQuestions(file, projects, { start: from, end: to })
    : [];
  const meant = by === undefined ? await oftenMeant(file, figure, asked) : [];
  return { figure, from, to, sql, result, warnings, notes: [...days.notes, ...changed, ...meant] };
}

interface Asked extends Pick<MetricRequest, 'by'> {
  /** Left out: every project, each with its own rows. */
  projectId: string | undefined;
  /** All projects as one. */
  asOne: boolean;
  from: Day;
  to: Day;
}

/** First and last day of the period of a day. */
const PERIODS: Readonly<Record<Time, readonly [first: string, last: string]>> = {
  day: ['date', 'date'],
  week: ["cast(date_trunc('week', date) as date)", "cast(date_trunc('week', date) as date) + 6"],
  month: ["cast(date_trunc('month', date) as date)", 'last_day(date)'],
};

/** The statement that computes a governed figure. */
function metricSql(figure: Governed, { by, projectId, asOne, ...range }: Asked): string {
  const [from, to] = [`date '${range.from}'`, `date '${range.to}'`];
  const part = isTime(by) ? undefined : by;
  const { once, ...source } = requirePart(figure, part);
  const [first, last] = isTime(by) ? PERIODS[by] : [from, to];
  const { id, name } = part === undefined ? { id: 'null', name: 'null' } : PART_COLUMNS[part];
  const shown = part === undefined ? {} : { [id]: 'part_id', [name]: 'part_name' };
  const names = Object.entries(isTime(by) ? { [by]: 'first_day' } : shown);
  return readSql('guide/metric', {
    spread: 'null',
    denominator: `case when ${source.numerator} is not null then 1 end`,
    ...source,
    from,
    to,
    first,
    last,
    part_id: id,
    part_name: name,
    is_repeated: String(once !== undefined),
    kind: quoteLiteral(figure.kind),
    measure: figure.measure === undefined ? 'null' : quoteLiteral(figure.measure),
    names: names.map(([as, column]) => `, ${column} as ${as}`).join(''),
    project: projectId === undefined ? '' : ` and project_id = ${quoteLiteral(projectId)}`,
    project_id: asOne ? "'all'" : 'project_id',
    project_name: asOne ? "'All projects'" : 'project_name',
  });
}

/** The figure that those who ask for this one often mean, of the same days. */
async function oftenMeant(
  file: PublishedFile,
  { often_meant: name }: Governed,
  asked: Asked,
): Promise<string[]> {
  const figure = GOVERNED.find((one) => one.name === name);
  if (figure === undefined) return [];
  const sql = metricSql(figure, asked);
  const rows = await file.rowsAs(
    z.object({ project_name: z.string().nullable(), value: z.number().nullable() }),
    `select project_name, value::double as value from (${sql}) limit ${MAX_MEANT}`,
  );
  const values = rows.map(({ project_name: of, value }) => `${of ?? ''} ${value ?? 'no figure'}`);
  return values.length === 0 ? [] : [`${figure.label} (${figure.name}) in these days: ${values.join('; ')}.`];
}

/** Warns that a period extends beyond both ends of a range. */
export function cutWords(period: DayRange, { start, end }: DayRange): string {
  const begins = period.start < start ? ` from ${start}` : '';
  const ends = period.end > end ? ` up to ${end}` : '';
  return `The period that begins on ${period.start} has days${begins}${ends} only.`;
}

/** The first and the last period of a range, if it cuts them. */
function cutPeriods(grain: 'week' | 'month', range: DayRange): string[] {
  const starts = new Set([range.start, range.end].map((day) => periodStart(day, grain)));
  const periods = [...starts].map((start) => ({ start, end: periodEnd(start, grain) }));
  return periods
    .filter(({ start, end }) => start < range.start || end > range.end)
    .map((period) => cutWords(period, range));
}

/** Assistants that comprise several of the models: no row covers them. */
async function severalModels(file: PublishedFile, { columns, rows }: QueryResult): Promise<string[]> {
  const index = columns.findIndex(({ name }) => name === PART_COLUMNS.model.id);
  const ids = [...new Set(rows.flatMap((row) => row[index]?.text ?? []))];
  if (ids.length === 0) return [];
  const several = await file.rowsAs(
    z.object({ assistant: z.string(), models: z.string() }),
    `select assistant, string_agg(model_name, ', ' order by model_name) as models from main.models
     where assistant is not null and model_id in (${ids.map(quoteLiteral).join(', ')}) group by 1 having count(*) > 1 order by 1`,
  );
  return several.map(
    ({ assistant, models }) =>
      `${assistant} comprises several of these models (${models}): for the assistant as a whole, group model_kpis by assistant.`,
  );
}

/** @throws AnswerlakeError (configuration) if no figure has the name */
export function figureNamed(name: string): Governed {
  const figure = GOVERNED.find((one) => one.name === name);
  if (figure !== undefined) return figure;
  const names = GOVERNED.map((one) => one.name);
  throw usageError(`There is no figure ${name}: ${suggestion(name, names)} (${names.join(', ')})`);
}

/** The source of a figure's days, by part if given. @throws AnswerlakeError (configuration) for a part that it cannot be split by */
export function requirePart({ name, source, parts }: Governed, part: Part | undefined) {
  const found = part === undefined ? source : parts[part];
  if (found !== undefined) return found;
  const given = [...TIMES, ...PARTS.filter((one) => parts[one] !== undefined)];
  throw usageError(`${name} cannot be split by ${part ?? ''}, only by ${given.join(', ')}.`);
}

/** The days of these projects: the first one and the last whole one. */
export function daysOf(projects: readonly ProjectDays[]): { first: Day | undefined; last: Day | undefined } {
  const firsts = projects.flatMap(({ first_date: day }) => day ?? []).toSorted();
  const lasts = projects.flatMap(({ last_whole_date: day }) => day ?? []).toSorted();
  return { first: firsts[0], last: lasts.at(-1) };
}

/** @throws AnswerlakeError (configuration) before a first whole day */
export function requireStored({ first, last }: ReturnType<typeof daysOf>): { first: Day; last: Day } {
  if (first !== undefined && last !== undefined) return { first, last };
  throw usageError('No whole day is stored yet: the first sync has to end, and a day has to be over.');
}

/**
 * The days to compute, within those of the projects, and warnings about excluded ones; by default, final days in whole periods.
 * @param openFrom the first day that may still change
 */
function rangeOf(projects: readonly ProjectDays[], request: MetricRequest, openFrom: Day | null) {
  const { first, last } = requireStored(daysOf(projects));
  const grain = request.by === 'week' || request.by === 'month' ? request.by : 'day';
  const given = { from: dayGiven('from', request.from), to: dayGiven('to', request.to) };
  const final = openFrom === null ? last : minDay(last, addDays(openFrom, -1));
  const ended = addDays(periodStart(addDays(final, 1), grain), -1);
  const usualEnd = [ended, final].find((day) => day >= first) ?? last;
  const to = given.to ?? (given.from === undefined ? usualEnd : last);
  const usual =
    grain === 'month'
      ? shiftPeriod(periodStart(to, 'month'), 'month', 1 - USUAL_MONTHS)
      : periodStart(addDays(to, 1 - USUAL_DAYS), grain);
  const begun = periodStart(first, grain) === first ? first : nextPeriod(first, grain);
  const from = given.from ?? maxDay(usual, begun <= to ? begun : first);
  if (from > to) throw usageError(`from (${from}) is after to (${to}).`);
  const warnings: string[] = [];
  if (to > last) warnings.push(`Days after ${last}, the newest whole day, are left out.`);
  if (from < first) warnings.push(`Days before ${first}, the first stored day, are left out.`);
  if (from > last || to < first)
    throw usageError(`There are no figures from ${from} to ${to}: ${listProjects(projects)}.`);
  return { from: maxDay(from, first), to: minDay(to, last), warnings };
}

export function dayGiven(name: string, text: string | undefined): Day | undefined {
  if (text === undefined || isDay(text)) return text;
  throw usageError([`${name}: ${text} is not a calendar day:`, 'write it as YYYY-MM-DD.']);
}

/** Warns that the questions changed inside a range; empty if they did not. */
export async function changedQuestions(
  file: PublishedFile,
  projects: readonly ProjectDays[],
  { start, end }: DayRange,
): Promise<string[]> {
  const ids = projects.map((one) => quoteLiteral(one.project_id)).join(', ');
  const rows = await file.rowsAs(
    z.object({ date: z.string(), of: z.string(), title: z.string() }),
    `select cast(date as varchar) as date, project_label as of, title from main.setup_changes join detail.project_labels using (project_id)
     where moves_figures and date > date '${start}' and date <= date '${end}' and project_id in (${ids}) order by date, of, what`,
  );
  if (rows.length === 0) return [];
  const named = rows.slice(-MAX_CHANGES).map(({ date, of, title }) => {
    return projects.length === 1 ? `${date} ${title}` : `${date} ${title} (${of})`;
  });
  const more = rows.length > named.length ? `${amount(rows.length - named.length)} earlier ones, ` : '';
  return [`The questions changed in these days, which alone moves the figures: ${more}${named.join('; ')}.`];
}

/** Warnings and notes about the days of the rows. */
function dayWarnings({ columns, rows }: QueryResult) {
  const numbers = (name: string): number[] => {
    const index = columns.findIndex((column) => column.name === name);
    return rows.map((row) => Number(row[index]?.text ?? 0));
  };
  const asked = numbers('days_asked');
  const without = numbers('days_with_figure').filter((count, index) => count < (asked[index] ?? 0));
  const open = numbers('days_that_may_change').filter((count) => count > 0);
  const warnings: string[] = [];
  const notes: string[] = [];
  if (rows.length === 0)
    warnings.push('No project has a figure on these days: it may not be requested, or not be enabled.');
  if (without.length > 0)
    warnings.push(
      `${of(without.length, rows.length)}: days without a figure are left out (days_with_figure against days_asked); a sum lacks them.`,
    );
  if (open.length > 0)
    notes.push(`${of(open.length, rows.length)}: some days may still change (days_that_may_change).`);
  return { warnings, notes };
}

function of(count: number, rows: number): string {
  return rows === 1 ? 'The figure' : `${amount(count)} of ${amount(rows)} rows`;
}
