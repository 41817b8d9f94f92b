import { z } from 'zod';

/** A calendar day `YYYY-MM-DD`, always UTC. Days compare correctly as text. */
export type Day = string & { readonly __day: never };

/** The length of one period of a series. */
export const GRAINS = ['day', 'week', 'month'] as const;
export type Grain = (typeof GRAINS)[number];

/** A run of days, both ends counted. */
export interface DayRange {
  start: Day;
  end: Day;
}

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
export const DAY_MS = 86_400_000;

/** True for an existing calendar day written `YYYY-MM-DD`. */
export function isDay(text: string): text is Day {
  // No other program reads the year 0.
  if (!DAY_PATTERN.test(text) || text < '0001') return false;
  // Every date of every row is checked here: numbers take a tenth of the time of a Date.
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(Number(text.slice(0, 4)), month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** @throws RangeError when `text` is not a calendar day */
export function toDay(text: string): Day {
  if (!isDay(text)) throw new RangeError(`not a calendar day (YYYY-MM-DD): ${JSON.stringify(text)}`);
  return text;
}

const MAX_REMEMBERED = 10_000;

/** Caches a pure function: days and instants repeat from row to row, and parsing them each time was a tenth of a first sync. */
export function remembering<Key, Found>(find: (key: Key) => Found): (key: Key) => Found {
  const known = new Map<Key, Found>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = find(key);
    if (known.size < MAX_REMEMBERED) known.set(key, found);
    return found;
  };
}

/** Days since 1970-01-01. */
export const dayNumber = remembering((day: Day): number =>
  Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS),
);

/** The inverse of `dayNumber`. */
export const dayFromNumber = remembering((number: number): Day => dayOf(number * DAY_MS));

/** The UTC day of an instant in milliseconds. */
export function dayOf(instantMs: number): Day {
  return asDay(new Date(instantMs).toISOString().slice(0, 10));
}

function asDay(text: string): Day {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only texts made from a date come here
  return text as Day;
}

export function addDays(day: Day, days: number): Day {
  return dayFromNumber(dayNumber(day) + days);
}

/** Days from `start` to `end`, both counted; 0 or less when `end` is before `start`. */
export function countDays(start: Day, end: Day): number {
  return dayNumber(end) - dayNumber(start) + 1;
}

export function minDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}

export function maxDay(a: Day, b: Day): Day {
  return a > b ? a : b;
}

/** Whether two ranges share a day; null is all days. */
export function overlap(one: DayRange | null, other: DayRange | null): boolean {
  return one === null || other === null || (one.start <= other.end && other.start <= one.end);
}

const MONDAY_OF_1970 = dayNumber(asDay('1970-01-05'));

/** First day of the period that holds `day`; weeks start on Monday. */
export function periodStart(day: Day, grain: Grain): Day {
  switch (grain) {
    case 'day':
      return day;
    case 'week': {
      const sinceMonday = (dayNumber(day) - MONDAY_OF_1970) % 7;
      return addDays(day, -(sinceMonday < 0 ? sinceMonday + 7 : sinceMonday));
    }
    case 'month':
      return asDay(`${day.slice(0, 8)}01`);
    default:
      return grain satisfies never;
  }
}

/** Last day of the period that holds `day`. */
export function periodEnd(day: Day, grain: Grain): Day {
  return grain === 'day' ? day : addDays(nextPeriod(day, grain), -1);
}

/** First day of the period after the one that holds `day`. */
export function nextPeriod(day: Day, grain: Grain): Day {
  return shiftPeriod(day, grain, 1);
}

/** First day of the period `count` periods away from the one that holds `day`. */
export function shiftPeriod(day: Day, grain: Grain, count: number): Day {
  if (grain !== 'month') return addDays(periodStart(day, grain), grain === 'week' ? count * 7 : count);
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count;
  return asDay(`${text(Math.floor(months / 12), 4)}-${text((months % 12) + 1, 2)}-01`);
}

function text(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

/** The day of an ISO date or date-time: for a midnight in its own offset, its stated day, for any other instant, the UTC day; undefined for other text. */
export const parseDay = remembering((text: string): Day | undefined => {
  if (isDay(text)) return text;
  const instant = parseInstant(text);
  if (instant === undefined) return undefined;
  return isOwnMidnight(text) ? asDay(text.slice(0, 10)) : dayOf(instant);
});

/** True for a date-time that is midnight in its own offset. */
export function isOwnMidnight(text: string): boolean {
  return /[T ]00:00(?::00(?:[.,]0+)?)?(?:Z|[+-][\d:]+)?$/i.test(text);
}

const INSTANT_PATTERN =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/i;

// An offset may lead outside the four-digit years, which other programs do not read.
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since the epoch of an ISO date-time (no offset means UTC), microseconds as their fraction; undefined for other text. */
export const parseInstant = remembering((text: string): number | undefined => {
  if (isDay(text)) return dayNumber(text) * DAY_MS;
  if (!INSTANT_PATTERN.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const normal = text.replace(' ', 'T').replace(',', '.').toUpperCase();
  const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(normal.slice(16));
  const zoned = hasZone
    ? normal.replace(/([+-]\d{2})(\d{2})$/, '$1:$2').replace(/([+-]\d{2})$/, '$1:00')
    : `${normal}Z`;
  const instant = Date.parse(zoned);
  const microseconds = Number((/\.\d{3}(\d{1,3})/.exec(normal)?.[1] ?? '').padEnd(3, '0'));
  if (!(instant >= EARLIEST && instant <= LATEST)) return undefined;
  // The number nearest to the last microsecond is in the next year.
  const exact = instant + microseconds / 1000;
  return exact < LATEST + 1 ? exact : instant;
});

/** A calendar day `YYYY-MM-DD`; marked as pure, so that the report's page script leaves zod out. */
export const daySchema = /* @__PURE__ */ z.custom<Day>(
  (value) => typeof value === 'string' && isDay(value),
  'is not a calendar day',
);
