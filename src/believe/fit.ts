import { addDays, dayNumber, isDay, type Day, type DayRange, type Grain } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow } from '../endpoints/table.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, sliceGrain, sliceWindow, type ArchivedAnswer, type Slice } from '../slice.ts';
import { lastOf } from './terms.ts';

/** Days that a bucket may begin before the days asked for: its period began earlier. */
const EARLY_BUCKET_DAYS = { day: 0, week: 6, month: 30 } as const;
const WEEK_DAYS = 7;

/**
 * The rows of an answer that belong to its slice.
 * @throws AnswerlakeError (contract, scope slice) when the rows show that the server did not understand the question
 */
export function fitQuestion(
  rows: readonly OutputRow[],
  endpoint: Endpoint,
  answer: ArchivedAnswer,
): readonly OutputRow[] {
  const { asked, slice } = answer;
  const window = sliceWindow(slice);
  if (asked === null || window === null || slice.kind === 'window') return rows;
  const grain = sliceGrain(slice) ?? 'day';
  const days = daysOf(rows).toSorted();
  requireWindow(days, { grain, answer, asked });
  if (slice.kind === 'series') {
    const problem = spacingProblem(days, grain);
    if (problem !== null)
      throw new MisunderstoodError(answer, problem, `the grouping parameter ${groupingOf(endpoint, slice)}`);
  }
  const isOwn = (day: Day): boolean => {
    if (day < window.start || day > window.end) return false;
    // A period that reaches beyond the days asked for is partial, unless it is the running one.
    const end = lastOf(day, grain);
    return end <= asked.end || end >= answer.syncDay;
  };
  const foreign: ReadonlySet<unknown> = new Set(days.filter((day) => !isOwn(day)));
  return foreign.size === 0 ? rows : rows.filter(({ values: { date } }) => !foreign.has(date));
}

function requireWindow(
  days: readonly Day[],
  { grain, answer, asked }: { grain: Grain; answer: ArchivedAnswer; asked: DayRange },
): void {
  const first = addDays(asked.start, -EARLY_BUCKET_DAYS[grain]);
  const outside = days.find((day) => day < first || day > asked.end);
  if (outside === undefined) return;
  const what = `window ignored: asked for ${asked.start}..${asked.end}, got a row of ${outside}`;
  throw new MisunderstoodError(answer, what, DATE_PARAMETERS);
}

/** Why the days of a series cannot be periods of the grain; null when they can. @param days distinct, in order */
function spacingProblem(days: readonly Day[], grain: Grain): string | null {
  const gapBefore = (day: Day, index: number): number => dayNumber(day) - dayNumber(days[index - 1] ?? day);
  const areWeeks = (): boolean => days.every((day, index) => gapBefore(day, index) % WEEK_DAYS === 0);
  switch (grain) {
    case 'day':
      if (areWeeks() && days.some((day, index) => gapBefore(day, index) === WEEK_DAYS))
        return 'asked for days, got only every seventh day (a long range may be answered in weeks: max_window_days)';
      return days.length > 1 && days.every(isFirstOfMonth)
        ? 'asked for days, got only the first of each month'
        : null;
    case 'week':
      return areWeeks() ? null : 'asked for weeks, got periods that do not begin on one weekday';
    case 'month':
      return days.every(isFirstOfMonth) ? null : 'asked for months, got periods that do not begin on the 1st';
    default:
      return grain satisfies never;
  }
}

function isFirstOfMonth(day: Day): boolean {
  return day.endsWith('-01');
}

/** The distinct days of rows. */
export function daysOf(rows: readonly OutputRow[]): Day[] {
  const dates = new Set<unknown>();
  for (const { values } of rows) dates.add(values['date']);
  return [...dates].filter((date): date is Day => typeof date === 'string' && isDay(date));
}

/** An answer that does not fit its question. */
export class MisunderstoodError extends AnswerlakeError {
  /** @param named the parameter or setting to look at */
  constructor({ slice }: Pick<ArchivedAnswer, 'slice'>, what: string, named: string) {
    super(
      `${describeSlice(slice)}: ${what}; nothing of it was stored. Check ${named} (sync.endpoints.${slice.endpoint}.parameters)`,
      { class: 'contract', scope: 'slice' },
    );
  }
}

export const DATE_PARAMETERS = 'the date parameters startDate and endDate';

/** Names of the parameters that carry the grain. */
function groupingOf(endpoint: Endpoint, slice: Slice): string {
  const names = endpoint
    .params({ slice, asked: null, limit: null, timezone: 'UTC' })
    .map(([name]) => name)
    .filter((name) => name === 'range' || name === 'granularity');
  return names.join(' and ');
}
