import { addDays, DAY_MS, isDay, isOwnMidnight, parseDay, parseInstant, type Day } from '../day.ts';
import type { ArchivedAnswer } from '../slice.ts';

/** How to read the date-times of a series. */
type InstantSettings = Pick<ArchivedAnswer, 'instants' | 'timezone'>;

const HOUR_MS = 3_600_000;

/** The dates of one answer, as text and as days. */
export class DatesRead {
  readonly #settings: InstantSettings;
  /** Text → its day; undefined if it is not a date. */
  readonly #days = new Map<string, Day | undefined>();

  constructor(settings: InstantSettings) {
    this.#settings = settings;
  }

  /** The day of a date or date-time: for a midnight of its own offset or of the requested zone, that day, else the one by `instants`. */
  dayOf(text: string): Day | undefined {
    if (this.#days.has(text)) return this.#days.get(text);
    const day = this.#statedDay(text) ?? this.#shiftedDay(text);
    this.#days.set(text, day);
    return day;
  }

  get texts(): ReadonlyMap<string, Day | undefined> {
    return this.#days;
  }

  /** The times of day of its instants in milliseconds, if there is one other than midnight, or two an hour apart (summer time); null otherwise. */
  get clock(): readonly number[] | null {
    const times = new Set<number>();
    for (const [text, day] of this.#days) if (day !== undefined) times.add(this.#timeOf(text));
    const [earliest = 0, latest = earliest, ...others] = [...times].toSorted((a, b) => a - b);
    if (latest === 0 || others.length > 0) return null;
    const apart = latest - earliest;
    return apart === 0 || apart === HOUR_MS || apart === DAY_MS - HOUR_MS ? [...times] : null;
  }

  /** The newest day before `end` that no date of the answer states literally; null if there is no such day. */
  newestShifted(end: Day): Day | null {
    let newest: Day | null = null;
    for (const [text, day] of this.#days) {
      if (day === undefined || day >= end || (newest !== null && day <= newest)) continue;
      if (this.#timeOf(text) !== 0) newest = day;
    }
    return newest;
  }

  #timeOf(text: string): number {
    return this.#statedDay(text) === undefined ? timeOfDay(parseInstant(text) ?? 0) : 0;
  }

  #statedDay(text: string): Day | undefined {
    const instant = parseInstant(text);
    if (instant === undefined) return undefined;
    if (isDay(text) || isOwnMidnight(text)) return parseDay(text);
    const { timezone = 'UTC' } = this.#settings;
    const [day = '', time] = timezone === 'UTC' ? [] : localTime(timezone, instant).split(' ');
    return time === '00:00:00' && isDay(day) ? day : undefined;
  }

  #shiftedDay(text: string): Day | undefined {
    const day = parseDay(text);
    return day !== undefined && this.#settings.instants === 'next_day' ? addDays(day, 1) : day;
  }
}

function timeOfDay(instant: number): number {
  return ((instant % DAY_MS) + DAY_MS) % DAY_MS;
}

/** `2026-03-10 00:00:00` by the clocks of a zone. */
function localTime(timezone: string, instant: number): string {
  // The Swedish time format is that of ISO 8601.
  const written = { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' } as const;
  return new Intl.DateTimeFormat('sv-SE', written).format(instant);
}
