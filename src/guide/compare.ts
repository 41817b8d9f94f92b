import {
  addDays,
  countDays,
  type Day,
  type DayRange,
  minDay,
  overlap,
  periodEnd,
  periodStart,
  shiftPeriod,
} from '../day.ts';
import { usageError } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { quoteLiteral } from '../warehouse/sql.ts';
import type { Part } from './governed.ts';
import {
  dayGiven,
  daysOf,
  figureNamed,
  readProjects,
  requirePart,
  requireStored,
  type MetricRequest,
} from './metric.ts';

/** The named periods: the last whole days, the newest whole week, month, quarter or year, and the unfinished month. */
export const PRESETS = [
  'last_7_days',
  'last_28_days',
  'week',
  'month',
  'quarter',
  'year',
  'month_so_far',
] as const;
type Preset = (typeof PRESETS)[number];

/** The other period: the preceding one, or the same period a year earlier. */
export const AGAINST = ['before', 'year'] as const;
type Against = (typeof AGAINST)[number];

/** A figure of two periods: a preset, or days; by default the last 28 whole days and those before them. */
export interface CompareRequest extends Omit<MetricRequest, 'by' | 'asOne'> {
  by?: Part | undefined;
  preset?: Preset | undefined;
  against?: Against | undefined;
  againstFrom?: string | undefined;
  againstTo?: string | undefined;
}

interface Periods {
  period: DayRange;
  against: DayRange;
}

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };
/** A year in whole weeks, which keeps the weekdays. */
const YEAR_OF_WEEKS = 364;

/** The days of a preset and of its comparison; `last` is the newest whole day. */
export function presetPeriods(preset: Preset, against: Against, last: Day): Periods {
  if (preset === 'month_so_far') {
    const start = periodStart(last, 'month');
    const other = shiftPeriod(start, 'month', against === 'year' ? -12 : -1);
    const end = minDay(addDays(other, countDays(start, last) - 1), periodEnd(other, 'month'));
    return { period: { start, end: last }, against: { start: other, end } };
  }
  const months = MONTHS[preset];
  if (months !== undefined) {
    const running = addDays(last, 1);
    const begun = (Number(running.slice(5, 7)) - 1) % months;
    const at = (shift: number): Day => shiftPeriod(running, 'month', shift - begun);
    const back = against === 'year' ? 12 : months;
    return {
      period: { start: at(-months), end: addDays(at(0), -1) },
      against: { start: at(-months - back), end: addDays(at(-back), -1) },
    };
  }
  const length = preset === 'last_28_days' ? 28 : 7;
  const end = preset === 'week' ? addDays(periodStart(addDays(last, 1), 'week'), -1) : last;
  const back = against === 'year' ? YEAR_OF_WEEKS : length;
  const start = addDays(end, 1 - length);
  return { period: { start, end }, against: { start: addDays(start, -back), end: addDays(end, -back) } };
}

const COUNTS = ['total', 'total_against'];
const CHANGE = ['change', 'change_low', 'change_high', 'real_change', 'change_of_questions'];

/** Compares a governed figure in two periods. @throws AnswerlakeError (configuration) for an unknown name, project, day or part */
export async function compareMetric(file: PublishedFile, request: CompareRequest) {
  const { by } = request;
  const figure = figureNamed(request.name);
  requirePart(figure, by);
  const { projects, projectId } = await readProjects(file, request.project);
  const { first, last } = requireStored(daysOf(projects));
  const { period, against } = periodsOf(request, last);
  const days = [period.start, period.end, against.start, against.end].map((day) => `date '${day}'`);
  const split = by === undefined ? '' : `, split_by := '${by}'`;
  const names = ['value', 'value_against', ...(figure.kind === 'sum' ? COUNTS : []), ...CHANGE];
  const sql = `select coalesce(project_label, project_name) as project_name, ${by === undefined ? '' : `part_name as ${by}, `}${names.map((name) => `round(${name}, 4) as ${name}`).join(', ')},
  not_judged, days, days_without, days_against, days_without_against, weekdays, setup_changes, project_id
from compare_periods('${figure.name}', ${days.join(', ')}${split})
left join detail.project_labels using (project_id)${projectId === undefined ? '' : `\nwhere project_id = ${quoteLiteral(projectId)}`}
order by 1, project_id, value desc nulls last`;
  const result = await file.query(sql);
  const warnings: string[] = [];
  if (period.end > last || against.end > last)
    warnings.push(`Days after ${last}, the newest whole day, are not stored yet.`);
  if (period.start < first || against.start < first)
    warnings.push(`Days before ${first}, the first stored day, are missing.`);
  if (overlap(period, against))
    warnings.push('The periods share days: name the last day of both (to, against_to).');
  const has = (name: string, is: (text: string | null) => boolean): boolean => {
    const index = result.columns.findIndex((column) => column.name === name);
    return result.rows.some((row) => is(row[index]?.text ?? null));
  };
  if (result.rows.length === 0)
    warnings.push('No project has a figure on these days: it may not be requested, or not be enabled.');
  if (['days_without', 'days_without_against'].some((name) => has(name, (text) => text !== '0')))
    warnings.push(
      'Days without a figure are left out (days_without, days_without_against); a total lacks them.',
    );
  if (has('not_judged', (text) => text !== null))
    warnings.push(
      'The questions changed in or between the periods (setup_changes): the change is not judged; real_change, if known, is the change for the same questions.',
    );
  return { figure, period, against, sql, result, warnings };
}

function periodsOf(request: CompareRequest, last: Day): Periods {
  const { preset, against = 'before' } = request;
  const from = dayGiven('from', request.from);
  const to = dayGiven('to', request.to);
  const againstFrom = dayGiven('against_from', request.againstFrom);
  const againstTo = dayGiven('against_to', request.againstTo);
  const hasDays = [from, to, againstFrom, againstTo].some((day) => day !== undefined);
  if (preset !== undefined && hasDays) throw usageError('Name a preset or days, not both.');
  if (!hasDays) return presetPeriods(preset ?? 'last_28_days', against, last);
  const end = to ?? last;
  const start = from ?? addDays(end, -27);
  const length = countDays(start, end);
  // One end of the other period is enough: it has the same length.
  const otherEnd =
    againstTo ??
    (againstFrom === undefined
      ? addDays(start, against === 'year' ? -YEAR_OF_WEEKS + length - 1 : -1)
      : addDays(againstFrom, length - 1));
  const otherStart = againstFrom ?? addDays(otherEnd, 1 - length);
  for (const [name, range] of [
    ['from', { start, end }],
    ['against_from', { start: otherStart, end: otherEnd }],
  ] as const)
    if (range.start > range.end)
      throw usageError(`${name} (${range.start}) is after its last day (${range.end}).`);
  return { period: { start, end }, against: { start: otherStart, end: otherEnd } };
}
