import { z } from 'zod';
import { addDays, countDays, type Day, type DayRange, daySchema, isDay } from '../day.ts';
import { knownProject } from '../publish/find-project.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount, counted, named } from '../quantity.ts';
import { hasSums } from '../warehouse/meaning.ts';
import { readSqlData } from '../files.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';
import {
  changedQuestions,
  cutWords,
  daysOf,
  listProjects,
  type ProjectDays,
  readKnownProjects,
} from './metric.ts';
import { GOVERNED } from './governed.ts';
import type { Bound, StatementReading } from './reading.ts';
import type { Origin } from './relations.ts';
import { readContents, readSyncDay } from './views.ts';
import { DETAIL_KEYS } from './view-keys.ts';
import { dayOfExpression, executed, type Node, nodesAt, parseSelect, valuesOf } from './statement.ts';

const MAX_NAMED = 5;
/** Share of the requested days above which a warning says that they may change. */
const OPEN_SHARE = 0.25;

/** Columns from which governed figures of answers are computed. */
const FIGURES_OF_ANSWERS = new Set(
  GOVERNED.filter((figure) => figure.is_of_answers).flatMap(({ source, parts }) =>
    [source, ...Object.values(parts)].flatMap(
      ({ numerator, denominator = '' }) => `${numerator} ${denominator}`.match(/[a-z_]+/g) ?? [],
    ),
  ),
);

/** Lists that the API cut off at their limit lack entries. */
export async function cutLists(file: PublishedFile, { counted }: StatementReading): Promise<string[]> {
  const columns = [...counted].filter(({ endpoints }) => endpoints.length > 0);
  if (columns.length === 0) return [];
  const sql = 'select distinct endpoint from meta.slices where truncated order by 1';
  const all = await file.values(z.string(), sql);
  return columns.flatMap(({ column, endpoints }) => {
    const cut = all.filter((endpoint) => endpoints.includes(endpoint));
    if (cut.length === 0) return [];
    return `The lists of ${cut.join(', ')} are cut off at their limit: there is more of ${column} than is counted.`;
  });
}

const gapRow = z.object({
  project: z.string(),
  endpoint: z.string(),
  days: z.number(),
  first: z.string(),
  last: z.string(),
});

/** Days that were requested and are not covered, not stored yet, or cut a period; in the notes, the events of these days. */
export async function dayWarnings(file: PublishedFile, reading: StatementReading) {
  const warnings: string[] = [];
  const notes: string[] = [];
  const isDaily = [...reading.views.values()].some((view) => view.columns.get('date')?.type === 'DATE');
  if (!isDaily) return { warnings, notes };
  const projects = chosenProjects(await readKnownProjects(file), reading);
  const { first, last } = daysOf(projects);
  const columns = [...reading.used.values()];
  if (first === undefined || last === undefined) return { warnings, notes };
  const whole = await rangeOf(file, reading.bounds);
  const cases = await Promise.all(reading.cases.map((bounds) => rangeOf(file, bounds)));
  const ranges = [...new Map(cases.map((range) => [JSON.stringify(range), range])).values()];
  const widest = await rangeOf(file, reading.cases.flat());
  // A CASE without an end leaves its rows unbounded.
  const ofCases = (side: 'from' | 'to'): Day | null =>
    ranges.every((range) => range[side] !== null) ? widest[side] : null;
  const from = whole.from ?? ofCases('from');
  const to = whole.to ?? ofCases('to');
  const isCompared = ranges.length > 1;
  // A range up to today includes an unfinished day on purpose, unless its days are compared with as many whole ones.
  if (to !== null && to > (isCompared ? last : addDays(last, 1)))
    warnings.push(`Days after ${last}, the newest whole day, are not stored yet.`);
  if (from !== null && from < first)
    warnings.push(`Days before ${first}, the first stored day, are missing.`);
  const endpoints = [...new Set(columns.flatMap((column) => column.endpoints))];
  const start = from === null || from < first ? first : from;
  const end = to === null || to > last ? last : to;
  if (start > end) return { warnings, notes };
  if (endpoints.length > 0) {
    const list = (texts: readonly string[]): string => texts.map(quoteLiteral).join(', ');
    const asked = {
      endpoints: list(endpoints),
      projects: list(projects.map((one) => one.project_id)),
      start: quoteLiteral(start),
      end: quoteLiteral(end),
    };
    const gaps = await file.rowsAs(gapRow, readSql('guide/gaps', asked));
    const missing = gaps.map(({ endpoint, project, days, first, last }) => {
      const text = days === 1 ? first : `${amount(days)} days from ${first} to ${last}`;
      return `${endpoint} of ${project} ${text}`;
    });
    const days = named(missing, MAX_NAMED, '; ');
    if (missing.length > 0)
      warnings.push(`Days are missing: ${days}. A sum or mean lacks them (main.sync_gaps).`);
  }
  for (const period of reading.periods)
    warnings.push(...(await periodWarnings(file, period, { start, end })));
  const isOfAnswers = ({ column, facts, endpoints }: Origin): boolean =>
    facts.adds !== undefined && ((!hasSums(facts) && endpoints.length > 0) || FIGURES_OF_ANSWERS.has(column));
  // Within one period, changed questions are part of the measurement; between two, they are not a change of the answers.
  if (from !== null && columns.some(isOfAnswers))
    (isCompared ? warnings : notes).push(...(await changedQuestions(file, projects, { start, end })));
  const open = (await readSyncDay(file))?.open_from ?? null;
  if (from !== null && open !== null && end >= open) {
    const changing = countDays(open > start ? open : start, end);
    const asked = countDays(start, end);
    if (changing >= OPEN_SHARE * asked)
      notes.push(
        `${amount(changing)} of the ${amount(asked)} requested days, from ${open} on, may still change.`,
      );
  }
  return { warnings, notes };
}

/** A year around the days, so that all their periods are whole in it. */
const AROUND = 366;

const cutRow = z.object({
  first: daySchema,
  last: daySchema,
  again: daySchema.nullable(),
  least: z.number().nullable(),
  most: z.number().nullable(),
});

/** Periods that the first or the last day cuts, or that occur twice as one; none if rows are separated by something else. */
async function periodWarnings(
  file: PublishedFile,
  { names, conditions }: StatementReading['periods'][number],
  { start, end }: DayRange,
): Promise<string[]> {
  const values = [...names, ...conditions].map((_, place) => `value_${String(place + 1)}`);
  const rows = await overDays(file, [...names, ...conditions], {
    row: cutRow,
    days: { start, end },
    sql: (calendar) =>
      readSql('guide/cut-periods', {
        calendar,
        period: `row(${values.slice(0, names.length).join(', ')})`,
        asked: ['true', ...values.slice(names.length)].join(' and '),
        start: quoteLiteral(start),
        end: quoteLiteral(end),
      }),
  });
  return rows.map(({ first, last, again, least, most }) => {
    if (least !== null && most !== null)
      return `The groups hold from ${amount(least)} to ${amount(most)} days: take a mean of days, or divide by them.`;
    if (again !== null)
      return `The rows from ${first} on and those from ${again} on are one group: they are of two years; group by the year as well, or ask for less.`;
    return cutWords({ start: first, end: last }, { start, end });
  });
}

/** Whether days are sorted as text. */
export async function orderWarnings(file: PublishedFile, { orders }: StatementReading): Promise<string[]> {
  const warnings: string[] = [];
  if (orders.length === 0) return warnings;
  const { first, last } = daysOf(await readKnownProjects(file));
  if (first === undefined || last === undefined) return warnings;
  for (const order of orders) {
    const [row] = await overDays(file, [order], {
      row: z.object({ is_wrong: z.boolean() }),
      days: { start: first, end: last },
      sql: (calendar) => readSql('guide/text-order', { calendar }),
    });
    if (row?.is_wrong === true)
      warnings.push('Days as text are ordered by their letters, not by time: order by the day itself.');
  }
  return warnings;
}

interface OverDays<Row> {
  row: z.ZodType<Row>;
  days: DayRange;
  sql: (calendar: string) => string;
}

/** The rows of a statement over days, with the values of each one's expressions; empty if days alone do not determine them. */
async function overDays<Row>(
  file: PublishedFile,
  expressions: readonly Node[],
  { row, days, sql }: OverDays<Row>,
): Promise<Row[]> {
  const date = nodesAt((await parseSelect(file, 'select date')) ?? {}, 'select_list');
  const around = `select cast(unnest(generate_series(date '${addDays(days.start, -AROUND)}', date '${addDays(days.end, AROUND)}', interval '1 day')) as date) as date`;
  // Expressions over calendar columns need the view, which ends with the newest day.
  for (const from of [`from (${around}) as calendar`, 'from calendar']) {
    try {
      return await file.rowsAs(row, sql(await valuesOf(file, [...date, ...expressions], from)));
    } catch {
      continue;
    }
  }
  return [];
}

/** Unknown verdicts that a share counts as no. */
export async function verdictWarnings(file: PublishedFile, { verdicts }: StatementReading) {
  const warnings: string[] = [];
  for (const { origin, rows } of verdicts) {
    const [known] = await unjudgedOf(file, origin, rows);
    if (known === undefined || known.without === 0) continue;
    warnings.push(
      `${origin.column} is NULL in ${amount(known.without)} of the ${amount(known.rows)} rows, which count as no: divide by count(${origin.column}).`,
    );
  }
  return warnings;
}

async function unjudgedOf(file: PublishedFile, { column }: Origin, rows: Node) {
  const row = z.object({ rows: z.number(), without: z.number() });
  const counts = await parseSelect(
    file,
    `select count(*)::double as value_0, count_if("${column}" is null)::double as value_1`,
  );
  const plain = { modifiers: [], group_expressions: [], group_sets: [], having: null, qualify: null };
  const node = { ...rows, ...plain, select_list: counts?.['select_list'] };
  try {
    return await file.rowsAs(row, `select value_0 as "rows", value_1 as without from ${executed(node)}`);
  } catch {
    // Rows of an outer query are not available here.
    return [];
  }
}

/** The widest range of days that the conditions allow; null if a side is open. */
async function rangeOf(file: PublishedFile, bounds: readonly Bound[]) {
  const days: Record<'from' | 'to', Day[]> = { from: [], to: [] };
  for (const { side, expression, isOpen } of bounds) {
    const day = await dayOfExpression(file, expression);
    if (day === null || !isDay(day)) continue;
    days[side].push(isOpen ? addDays(day, side === 'from' ? 1 : -1) : day);
  }
  return { from: days.from.toSorted()[0] ?? null, to: days.to.toSorted().at(-1) ?? null };
}

/** The projects of a statement: those that it names, or all. */
function chosenProjects(projects: readonly ProjectDays[], { filters }: StatementReading) {
  const named = filters.filter(({ origin }) => Object.hasOwn(knownProject.shape, origin.column));
  const values = new Set(named.flatMap((one) => one.values));
  const chosen = projects.filter((one) =>
    [one.project_id, one.project_name, one.slug].some((name) => name !== null && values.has(name)),
  );
  return chosen.length === 0 ? projects : chosen;
}

const MAX_VALUES = 12;
const unknownRow = z.object({ unknown: z.array(z.string()), known: z.array(z.string()) });

/** Why a result has no rows: the existing projects, values and days, and endpoints that are not enabled. */
export async function explainEmpty(file: PublishedFile, reading: StatementReading): Promise<string[]> {
  const projects = await readKnownProjects(file);
  const lines: string[] = [];
  for (const { view, columns } of reading.views.values()) {
    const held = await readContents(file, {
      name: view,
      columns: [...columns.keys()].map((name) => ({ name })),
    });
    if (held === null || held.rows === 0) lines.push(await explainEmptyView(file, view));
    else if (held.first !== null)
      lines.push(`${view} has ${counted(held.rows, 'row')}, from ${held.first} to ${held.last ?? ''}.`);
  }
  for (const { origin, values, isPattern } of reading.filters) {
    if (origin.column.startsWith('project_')) continue;
    const sql = readSql('guide/unknown-values', {
      view: origin.view,
      column: quoteIdentifier(origin.column),
      values: values.map(quoteLiteral).join(', '),
      compared: isPattern ? 'ilike' : '=',
      most: String(MAX_VALUES + 1),
    });
    const [{ unknown, known } = { unknown: [], known: [] }] = await file.rowsAs(unknownRow, sql);
    if (unknown.length === 0 || known.length === 0) continue;
    const shown = known.slice(0, MAX_VALUES).join(', ') + (known.length > MAX_VALUES ? ', …' : '');
    lines.push(
      `${origin.view}.${origin.column} is never ${unknown.map((one) => `'${one}'`).join(' or ')}; it is one of: ${shown}.`,
    );
  }
  lines.push(projects.length === 0 ? 'No project was ever synced.' : `Projects: ${listProjects(projects)}.`);
  return lines;
}

const windowRow = z.object({ kind: z.string(), first: z.string(), last: z.string() });

async function explainEmptyView(file: PublishedFile, view: string): Promise<string> {
  const needs = Object.entries(z.record(z.string(), z.string()).parse(readSqlData('guide/needed-settings')));
  const needed = needs.find(([name]) => view.endsWith(name));
  if (needed !== undefined) return `${view} has no rows: ${needed[1]}.`;
  const sql = "select distinct endpoint from main.sync_freshness where status = 'not_enabled' order by 1";
  const off = await file.values(z.string(), sql);
  const disabled = off.length === 0 ? '' : ` Not enabled for a project: ${off.join(', ')}.`;
  // If `main` has no month yet, `detail` may have a whole window.
  const hasWindows = DETAIL_KEYS[view]?.includes('window_kind') === true;
  const newest = `select window_kind as kind, min(window_start)::varchar as first, max(window_end)::varchar as last from detail.${view}
     where is_whole_window group by window_kind, window_end order by window_end desc limit 1`;
  const [window] = hasWindows ? await file.rowsAs(windowRow, newest) : [];
  if (window === undefined) return `${view} has no rows in this file.${disabled}`;
  return `${view} has no rows: no calendar month is whole yet. The newest whole window is in detail.${view}: window_kind '${window.kind}', ${window.first} to ${window.last}.${disabled}`;
}
