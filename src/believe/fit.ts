import { addDays, dayNumber, parseInstant, type Day, type Grain } from '../day.ts';
import type { AnswerRows, Endpoint } from '../endpoints/endpoint.ts';
import type { TableRows } from '../endpoints/table-rows.ts';
import { AnswerlakeError } from '../errors.ts';
import { describeSlice, sliceGrain, sliceWindow, type ArchivedAnswer, type Slice } from '../slice.ts';
import type { DatesRead } from './instants.ts';
import { lastOf } from './terms.ts';

/** Days by which a bucket may begin before the requested days: its period began earlier. */
const EARLY_BUCKET_DAYS = { day: 0, week: 6, month: 30 } as const;
const WEEK_DAYS = 7;

/** The periods of an answer, as in its body. */
export interface Periods {
  dates: Pick<DatesRead, 'texts' | 'clock'>;
  /** Days that a list of periods repeats, or that have several rows although the period alone is the key. */
  doubled: ReadonlySet<Day>;
}

/**
 * The rows of an answer that belong to its slice.
 * @throws MisunderstoodError (contract, scope slice) when the rows show that the server misunderstood the request
 */
export function fitQuestion(
  rows: AnswerRows,
  { endpoint, answer, periods }: { endpoint: Endpoint; answer: ArchivedAnswer; periods: Periods },
): AnswerRows {
  const { asked, slice } = answer;
  const window = sliceWindow(slice);
  if (asked === null || window === null || slice.kind === 'window') return rows;
  const grain = sliceGrain(slice) ?? 'day';
  const days = [...new Set(rows.flatMap((table) => table.days()))];
  const grouping = `the grouping parameter ${groupingOf(endpoint, slice)}`;
  const refuse = (what: string, named: string): never => {
    const { clock } = periods.dates;
    if (clock === null) throw new MisunderstoodError(answer, what, named);
    throw zoneError(answer, `${what}: every instant is ${clock.map(timeText).join(' or ')}`);
  };
  const first = addDays(asked.start, -EARLY_BUCKET_DAYS[grain]);
  // One odd entry of a dated list does not affect the others.
  if (slice.kind === 'series') {
    const outside = days.find((day) => day < first || day > asked.end);
    const question = `asked for ${asked.start}..${asked.end}`;
    if (outside !== undefined)
      refuse(`window ignored: ${question}, got a row of ${outside}`, DATE_PARAMETERS);
    const spacing = spacingProblem(days, grain);
    if (spacing !== null) refuse(spacing, grouping);
    const finer = finerProblem(periods, { grain, answer });
    if (finer !== null) refuse(finer, grouping);
  }
  const isOwn = (day: Day): boolean => {
    if (day < window.start || day > window.end) return false;
    // A period that extends beyond the requested days is partial, unless it is the running one.
    const end = lastOf(day, grain);
    return end <= asked.end || end >= answer.syncDay;
  };
  return withoutDays(rows, new Set(days.filter((day) => !isOwn(day))));
}

export function withoutDays([first, ...sides]: AnswerRows, days: ReadonlySet<unknown>): AnswerRows {
  if (days.size === 0) return [first, ...sides];
  const left = (rows: TableRows): TableRows => rows.where('date', (date) => !days.has(date));
  return [left(first), ...sides.map(left)];
}

/** Why the days of a series cannot be periods of the grain; null if they can. @param days distinct */
function spacingProblem(days: readonly Day[], grain: Grain): string | null {
  const weekdays = new Set(days.map((day) => dayNumber(day) % WEEK_DAYS));
  if (grain === 'week' && weekdays.size > 1)
    return 'asked for weeks, got periods that do not begin on one weekday';
  if (grain === 'month' && days.some((day) => !day.endsWith('-01')))
    return 'asked for months, got periods that do not begin on the 1st';
  return null;
}

/** Why the periods are shorter than the grain; null if they are not. The running period may appear twice. */
function finerProblem(
  { dates, doubled }: Periods,
  { grain, answer }: { grain: Grain; answer: ArchivedAnswer },
): string | null {
  const isOver = (day: Day): boolean => lastOf(day, grain) < answer.syncDay;
  const instants = new Map<Day, number>();
  for (const [text, day] of dates.texts) {
    const instant = parseInstant(text);
    if (day === undefined || instant === undefined || !isOver(day)) continue;
    if (instants.get(day) !== undefined && instants.get(day) !== instant)
      return `finer than asked: by ${grain}, got several instants of ${day}`;
    instants.set(day, instant);
  }
  const twice = [...doubled].filter(isOver);
  const isSlip = twice.length < 2 && instants.size > 1;
  if (isSlip || twice.length * 10 <= instants.size) return null;
  return `finer than asked: by ${grain}, got more than one row for ${String(twice.length)} of ${String(instants.size)} periods`;
}

/** A time of day in milliseconds as `T23:00Z`. */
function timeText(time: number): string {
  return `T${new Date(time).toISOString().slice(11, 16)}Z`;
}

/** Where a person changes how an endpoint is requested. */
export function settingOf(
  { slice, declared }: Pick<ArchivedAnswer, 'slice' | 'declared'>,
  word: string,
): string {
  return declared === undefined
    ? `sync.endpoints.${slice.endpoint}.${word}`
    : `endpoints/${slice.endpoint}.yaml`;
}

/** An answer that does not fit its request, or what is stored. */
export class MisunderstoodError extends AnswerlakeError {
  readonly alarm: 'ignored' | 'zone' | 'scale';

  /** @param named the parameter to check, or the whole remedy */
  constructor(
    answer: Pick<ArchivedAnswer, 'slice' | 'declared'>,
    what: string,
    named: string | { alarm: 'zone' | 'scale'; todo: string },
  ) {
    const { alarm, todo } =
      typeof named === 'string'
        ? { alarm: 'ignored' as const, todo: `Check ${named} (${settingOf(answer, 'parameters')})` }
        : named;
    super([`${describeSlice(answer.slice)}: ${what}; none of it was stored.`, todo], {
      class: 'contract',
      scope: 'slice',
    });
    this.alarm = alarm;
  }
}

/** Date-times that cannot belong to the days that they were read as. */
export function zoneError(
  answer: Pick<ArchivedAnswer, 'slice' | 'declared' | 'instants'>,
  what: string,
): MisunderstoodError {
  const todo =
    answer.instants === 'next_day'
      ? 'api.instants: next_day does not fit it: set utc, and look at the time zone of the account'
      : 'Local midnights of a zone east of UTC are sent as instants of the day before: set api.instants: next_day';
  return new MisunderstoodError(answer, what, { alarm: 'zone', todo });
}

export const DATE_PARAMETERS = 'the date parameters startDate and endDate';

/** Names of the parameters that carry the grain; an endpoint with days only has none. */
function groupingOf(endpoint: Endpoint, slice: Slice): string {
  const names = endpoint
    .params({ slice, asked: null, limit: null, timezone: 'UTC' })
    .map(([name]) => name)
    .filter((name) => name === 'range' || name === 'granularity');
  return names.join(' and ') || 'or the zone of its days';
}
