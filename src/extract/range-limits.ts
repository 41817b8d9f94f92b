import { addDays, countDays, maxDay, type Day, type DayRange } from '../day.ts';
import { AnswerlakeError } from '../errors.ts';
import { ApiError } from './api-error.ts';

/** The meaning of a refused range. */
export type RangeVerdict =
  /** Request its halves, the newer one first. */
  | 'halve'
  /** The server no longer has it, nor anything older. */
  | 'too_old'
  /** It is older and longer than every answered range: one of its days shows which property was refused. */
  | 'unclear'
  /** Shorter and newer ranges fail too: the refusal has another reason. */
  | 'failed';

/** Range lengths that an endpoint accepts from an account; kept within a run only. */
class Lengths {
  readonly answered = new Set<number>([0]);
  /** The shortest that was refused although the server has the days. */
  tooLong = Number.POSITIVE_INFINITY;

  /** The longest that was answered and is not too long; 0: none. */
  get longest(): number {
    return Math.max(...[...this.answered].filter((days) => days < this.tooLong));
  }
}

/** How long and how old the ranges may be that an endpoint answers: a length limit applies to the whole endpoint, an age limit to a project or filter value. */
export class RangeLimits {
  readonly #lengths: Lengths;
  /** The limits of the project, from which those of its filter values start. */
  readonly #ofProject: RangeLimits | null;
  readonly #answered: DayRange[] = [];
  readonly #refused: DayRange[] = [];
  /** First day that the server still has, once known. */
  #available: Day | null = null;

  /** @param sibling limits of the same endpoint @param ofProject the project's limits, for a filter value */
  constructor(sibling?: RangeLimits, ofProject: RangeLimits | null = null) {
    this.#lengths = sibling === undefined ? new Lengths() : sibling.#lengths;
    this.#ofProject = ofProject;
  }

  get hasAnswered(): boolean {
    return this.#answered.length > 0;
  }

  /** True if as many days were answered, or more: their number is no reason for a refusal. */
  hasAnsweredLength(asked: DayRange): boolean {
    return daysOf(asked) <= this.#lengths.longest;
  }

  answered(asked: DayRange): void {
    this.#answered.push(asked);
    this.#lengths.answered.add(daysOf(asked));
    this.#compareLengths();
  }

  /** @param isSmallest the range cannot be cut any further @param first the first day of its rows */
  refused(asked: DayRange, { isSmallest, first }: { isSmallest: boolean; first: Day }): RangeVerdict {
    this.#refused.push(asked);
    this.#compareLengths();
    if (!isSmallest) return 'halve';
    const isOlder = this.#answered.length > 0 && this.#answered.every(({ start }) => asked.start < start);
    if (!isOlder) return 'failed';
    if (!this.hasAnsweredLength(asked)) return 'unclear';
    this.tooOld(first);
    return 'too_old';
  }

  /** A range is too long if a shorter one that begins no later was answered: the server has its days. */
  #compareLengths(): void {
    for (const refused of this.#refused) {
      const days = daysOf(refused);
      const hasDays = this.#answered.some((one) => one.start <= refused.start && daysOf(one) < days);
      if (hasDays) this.#lengths.tooLong = Math.min(this.#lengths.tooLong, days);
    }
  }

  /** Records that the server no longer has a day. */
  tooOld(day: Day): void {
    const next = addDays(day, 1);
    this.#available = maxDay(next, this.#available ?? next);
  }

  /** First day that may be requested; null while no day is known to be too old. */
  get available(): Day | null {
    return this.#available ?? this.#ofProject?.available ?? null;
  }

  /** Longest range to request, in days; null while no length is known to be too long. */
  get maxDays(): number | null {
    const { tooLong, longest } = this.#lengths;
    return Number.isFinite(tooLong) && longest > 0 ? longest : null;
  }

  /** True if as many days, or fewer, were refused as too long, and no more were ever answered. */
  isTooLong(asked: DayRange): boolean {
    const { tooLong, answered } = this.#lengths;
    return daysOf(asked) >= tooLong && daysOf(asked) > Math.max(...answered);
  }
}

function daysOf({ start, end }: DayRange): number {
  return countDays(start, end);
}

/** The error code for a range that is too long. */
export const RANGE_TOO_LARGE = 'DATE_RANGE_TOO_LARGE';

const SPEAKS_OF_DATES =
  /\b(start_?date|end_?date|dates?|days|months|weeks|\d+[ -]day|window|span|interval|older|earlier|earliest|oldest|retention|history)\b/i;
const SPEAKS_OF_RANGE = /\brange\b/i;
const SPEAKS_OF_LENGTH =
  /\b(too (large|long|wide|big|many)|exceed(s|ed)?|at most|max(imum)?|(longer|more|greater|less|shorter|smaller) than|up to|limit(ed)?)\b/i;

/** True if the server refused the requested days: a wrong parameter or an expired trial is not a limit of days. */
export function isRangeRefused(error: AnswerlakeError): error is ApiError {
  if (!(error instanceof ApiError) || !error.isBadQuestion) return false;
  if (error.code === RANGE_TOO_LARGE) return true;
  const text = error.serverMessage ?? '';
  return SPEAKS_OF_DATES.test(text) || (SPEAKS_OF_RANGE.test(text) && SPEAKS_OF_LENGTH.test(text));
}
