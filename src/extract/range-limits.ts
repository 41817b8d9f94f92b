import { addDays, countDays, maxDay, minDay, type Day, type DayRange } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from './api-error.ts';

/** What a refusal of a range means. */
export type RangeVerdict =
  /** Ask for its halves, the newer one first. */
  | 'halve'
  /** The server no longer has it, nor anything before. */
  | 'too_old'
  /** It is older and longer than all that was answered: one day of it shows which of the two was refused. */
  | 'unclear'
  /** Neither shorter nor newer ranges are answered: the refusal has another reason. */
  | 'failed';

/** How long and how old the ranges are that one endpoint answers to one account; kept within a run only. */
export class RangeLimits {
  /** Longest range that was answered, in days. */
  #longest = 0;
  /** Earliest day that was answered. */
  #earliest: Day | null = null;
  /** First day that the server still has, once that is known. */
  #available: Day | null = null;
  readonly #refused: DayRange[] = [];

  answered(asked: DayRange): void {
    this.#longest = Math.max(this.#longest, countDays(asked.start, asked.end));
    this.#earliest = minDay(asked.start, this.#earliest ?? asked.start);
  }

  /** @param isSmallest the range cannot be cut any further @param first the first day that its rows belong to */
  refused(asked: DayRange, { isSmallest, first }: { isSmallest: boolean; first: Day }): RangeVerdict {
    const isOlder = this.#earliest !== null && asked.start < this.#earliest;
    if (isSmallest && isOlder && countDays(asked.start, asked.end) <= this.#longest) {
      this.tooOld(first);
      return 'too_old';
    }
    this.#refused.push(asked);
    if (!isSmallest) return 'halve';
    return isOlder ? 'unclear' : 'failed';
  }

  /** Notes that the server no longer has a day. */
  tooOld(day: Day): void {
    const next = addDays(day, 1);
    this.#available = maxDay(next, this.#available ?? next);
  }

  /** True when the whole range lies before the first day that the server still has. */
  isTooOld({ end }: DayRange): boolean {
    return this.#available !== null && end < this.#available;
  }

  /** First day that may be asked for; null while no day is known to be too old. */
  get available(): Day | null {
    return this.#available;
  }

  /** Longest range to ask for, in days; null while no length is known to be too long. A refusal because of the age does not count for the length. */
  get maxDays(): number | null {
    return this.#refusedLengths().length > 0 ? this.#longest : null;
  }

  /** True when as many days, or fewer, were refused as too long. */
  isTooLong(asked: DayRange): boolean {
    const days = countDays(asked.start, asked.end);
    return this.#refusedLengths().some((length) => length <= days);
  }

  /** Those that were refused for their length: longer than any that was answered, if one was. */
  #refusedLengths(): number[] {
    const available = this.#available;
    return this.#refused
      .filter(({ start }) => available === null || start >= available)
      .map(({ start, end }) => countDays(start, end))
      .filter((days) => this.#longest > 0 && days > this.#longest);
  }

  /** Requests under way for ranges earlier than any that was answered: each may be refused, and before the first answer nothing shows why. */
  get mostUntried(): number {
    return this.#earliest === null ? 1 : 2;
  }

  /** True when nothing shows yet that ranges as early as this one are answered. */
  isUntried({ start }: DayRange): boolean {
    return this.#earliest === null || start < this.#earliest;
  }
}

const SPEAKS_OF_DATES =
  /\b(start_?date|end_?date|dates?|days|months|weeks|\d+[ -]day|window|span|interval|older|earlier|earliest|oldest|retention|history)\b/i;
const SPEAKS_OF_RANGE = /\brange\b/i;
const SPEAKS_OF_LENGTH =
  /\b(too (large|long|wide|big|many)|exceed(s|ed)?|at most|max(imum)?|(longer|more|greater|less|shorter|smaller) than|up to|limit(ed)?)\b/i;

/** True when the server refused the days that it was asked for: a wrong parameter or an expired trial is no limit. */
export function isRangeRefused(error: AnswerlakeError): error is ApiError {
  if (!(error instanceof ApiError) || !error.isBadQuestion) return false;
  if (error.code === 'DATE_RANGE_TOO_LARGE') return true;
  const text = error.serverMessage ?? '';
  return SPEAKS_OF_DATES.test(text) || (SPEAKS_OF_RANGE.test(text) && SPEAKS_OF_LENGTH.test(text));
}
