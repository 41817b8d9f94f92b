import { z } from 'zod';
import { addDays, countDays, type Day, isDay } from '../day.ts';
import { knownProject } from '../publish/find-project.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { amount } from '../quantity.ts';
import { hasSums } from '../warehouse/meaning.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import { changedQuestions, daysOf, type ProjectDays, readKnownProjects } from './metric.ts';
import { GOVERNED } from './governed.ts';
import type { StatementReading } from './reading.ts';
import type { Origin } from './relations.ts';
import { readSyncDay } from './views.ts';
import { dayOfExpression, nodesAt, parseSelect, valuesOf } from './statement.ts';

const MAX_NAMED = 5;
/** Beyond this share of the days asked for, that they may change is news. */
const OPEN_SHARE = 0.25;

/** Columns that governed figures of answers are computed from. */
const FIGURES_OF_ANSWERS = new Set(
  GOVERNED.filter((figure) => figure.is_of_answers).flatMap(({ source, parts }) =>
    [source, ...Object.values(parts)].flatMap(
      ({ numerator, denominator = '' }) => `${numerator} ${denominator}`.match(/[a-z_]+/g) ?? [],
    ),
  ),
);

/** Lists that the API cut off at their limit hold fewer entries than there are. */
export async function cutLists(file: PublishedFile, { counted }: StatementReading): Promise<string[]> {
  const columns = [...counted].filter(({ endpoints }) => endpoints.length > 0);
  if (columns.length === 0) return [];
  const rows = await file.rowsAs(
    z.object({ endpoint: z.string() }),
    'select distinct endpoint from meta.slices where truncated order by 1',
  );
  return columns.flatMap(({ column, endpoints }) => {
    const cut = rows.filter(({ endpoint }) => endpoints.includes(endpoint));
    if (cut.length === 0) return [];
    return `The lists of ${cut.map(({ endpoint }) => endpoint).join(', ')} are cut off at their limit: there is more of ${column} than is counted.`;
  });
}

const gapRow = z.object({
  project: z.string(),
  endpoint: z.string(),
  days: z.number(),
  first: z.string(),
  last: z.string(),
});

/** Days that were asked for and are not covered, not there yet, or may still change. */
export async function dayWarnings(file: PublishedFile, reading: StatementReading): Promise<string[]> {
  const isDaily = [...reading.views.values()].some((view) => view.columns.get('date')?.type === 'DATE');
  if (!isDaily) return [];
  const projects = chosenProjects(await readKnownProjects(file), reading);
  const { first, last } = daysOf(projects);
  const columns = [...reading.used.values()];
  if (first === undefined || last === undefined) return [];
  const { from, to } = await rangeOf(file, reading);
  const warnings: string[] = [];
  // Today is not over; whoever asks up to it knows.
  if (to !== null && to > addDays(last, 1))
    warnings.push(`Days after ${last}, the newest whole day, are not there yet.`);
  if (from !== null && from < first)
    warnings.push(`Days before ${first}, the first day that is stored, are not there.`);
  const endpoints = [...new Set(columns.flatMap((column) => column.endpoints))];
  const start = from === null || from < first ? first : from;
  const end = to === null || to > last ? last : to;
  if (endpoints.length > 0 && start <= end) {
    const list = (texts: readonly string[]): string => texts.map(quoteLiteral).join(', ');
    const asked = {
      endpoints: list(endpoints),
      projects: list(projects.map((one) => one.project_id)),
      start: quoteLiteral(start),
      end: quoteLiteral(end),
    };
    const gaps = await file.rowsAs(gapRow, readSql('guide/gaps', asked));
    const named = gaps.slice(0, MAX_NAMED).map(({ endpoint, project, days, first, last }) => {
      const text = days === 1 ? first : `${amount(days)} days from ${first} to ${last}`;
      return `${endpoint} of ${project} ${text}`;
    });
    const more = gaps.length > MAX_NAMED ? ` and ${amount(gaps.length - MAX_NAMED)} more` : '';
    if (named.length > 0)
      warnings.push(
        `Days are missing: ${named.join('; ')}${more}. A sum or mean lacks them (main.sync_gaps).`,
      );
  }
  const isOfAnswers = ({ column, facts, endpoints }: Origin): boolean =>
    (!hasSums(facts) && endpoints.length > 0) || FIGURES_OF_ANSWERS.has(column);
  if (from !== null && start <= end && columns.some(isOfAnswers))
    warnings.push(...(await changedQuestions(file, projects, { start, end })));
  // A period that is named by its bounds is known to be short.
  for (const period of to === null || to > last ? reading.periods : []) {
    const begins = await firstDayOfRunning(file, period, end);
    if (begins !== null) warnings.push(`The period that begins on ${begins} has days up to ${end} only.`);
  }
  const open = (await readSyncDay(file))?.open_from ?? null;
  if (from !== null && open !== null && end >= open && start <= end) {
    const changing = countDays(open > start ? open : start, end);
    const asked = countDays(start, end);
    if (changing >= OPEN_SHARE * asked)
      warnings.push(
        `${amount(changing)} of the ${amount(asked)} days asked for, from ${open} on, may still change.`,
      );
  }
  return warnings;
}

/** The first day of a period that goes on after `end`; null where it does not, or where what tells it apart names no period. */
async function firstDayOfRunning(file: PublishedFile, period: StatementReading['periods'][number], end: Day) {
  const { names, conditions } = period;
  const date = nodesAt((await parseSelect(file, 'select date')) ?? {}, 'select_list');
  const values = [...names, ...conditions].map((_, place) => `value_${String(place + 1)}`);
  try {
    const [row] = await file.rowsAs(
      z.object({ first: z.string() }),
      readSql('guide/running-period', {
        calendar: await valuesOf(file, [...date, ...names, ...conditions], 'from calendar'),
        period: `row(${values.slice(0, names.length).join(', ')})`,
        asked: ['true', ...values.slice(names.length)].join(' and '),
        end: `date ${quoteLiteral(end)}`,
      }),
    );
    return row?.first ?? null;
  } catch {
    // Nor does what cannot be computed over days alone.
    return null;
  }
}

/** The widest range of days that the conditions leave; null where a side is open. */
async function rangeOf(file: PublishedFile, { bounds }: StatementReading) {
  const days: Record<'from' | 'to', Day[]> = { from: [], to: [] };
  for (const { side, expression, isOpen } of bounds) {
    const day = await dayOfExpression(file, expression);
    if (day === null || !isDay(day)) continue;
    days[side].push(isOpen ? addDays(day, side === 'from' ? 1 : -1) : day);
  }
  return { from: days.from.toSorted()[0] ?? null, to: days.to.toSorted().at(-1) ?? null };
}

/** The projects that a statement is about: those that it names, or all. */
function chosenProjects(projects: readonly ProjectDays[], { filters }: StatementReading) {
  const named = filters.filter(({ origin }) => Object.hasOwn(knownProject.shape, origin.column));
  const values = new Set(named.flatMap((one) => one.values));
  const chosen = projects.filter((one) =>
    [one.project_id, one.project_name, one.slug].some((name) => name !== null && values.has(name)),
  );
  return chosen.length === 0 ? projects : chosen;
}
