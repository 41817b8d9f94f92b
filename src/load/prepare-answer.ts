import { reachOf, type Witness } from '../believe/coverage.ts';
import { readAnswer, type ValidatedAnswer } from '../believe/read-answer.ts';
import type { AlarmReason } from '../believe/alarms.ts';
import { isWhole } from '../believe/terms.ts';
import { addDays, minDay, nextPeriod, periodEnd, periodStart, type Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { describeSlice, sliceGrain, type AnswerPage, type ArchivedAnswer, type Slice } from '../slice.ts';
import { AnswerlakeError, type ErrorClass } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import { MisunderstoodError } from '../believe/fit.ts';
import { counted } from '../quantity.ts';

/** An answer whose bodies have been read and can be freed. */
export interface AnsweredSlice extends Omit<ArchivedAnswer, 'pages'> {
  pages: readonly Pick<AnswerPage, 'page' | 'status' | 'fetchedAt'>[];
}

/** An answer ready to be merged. */
export type PreparedAnswer = ReturnType<typeof prepareAnswer>;

/** A slice outcome before it is loaded. */
export type PreparedOutcome = PreparedAnswer | FailedSlice;

/** @param known the answer as already read @throws AnswerlakeError (contract, scope slice) */
export function prepareAnswer(endpoint: Endpoint, answer: ArchivedAnswer, known?: ValidatedAnswer) {
  const read = known ?? readAnswer(endpoint, answer);
  const failure = failureOf(answer, read);
  const witness = failure?.isUnread === true ? null : witnessOf(endpoint, answer, read);
  const pages = answer.pages.map(({ page, status, fetchedAt }) => ({ page, status, fetchedAt }));
  const withoutBodies: AnsweredSlice = { ...answer, pages };
  return {
    endpoint,
    answer: withoutBodies,
    validated: read,
    /** Days whose stored rows the answer can contradict; null: none, or for a list or a whole window. */
    reach: witness === null ? null : reachOf(witness),
    /** Whether stored rows that the answer lacks may be gone. */
    mayDelete: mayDelete(endpoint, answer, read),
    /** The days or window that the answer covers; null for lists. */
    witness,
    /** Why the run is partial although the answer was loaded or, if none of its rows could be read, was not; null if it is complete. */
    failure,
    /** None of its rows can be stored, or none of its newest closed day. */
    gotNothing: read.rowCount === 0 || failure?.isUnread === true || lacksNewestDay(answer, read),
  };
}

/** Whether the newest closed period of a series has rows, all of them unreadable. */
function lacksNewestDay(
  { slice, syncDay }: ArchivedAnswer,
  { doubtfulDays, takenDays }: ValidatedAnswer,
): boolean {
  if (slice.kind !== 'series' && slice.kind !== 'dated') return false;
  const grain = sliceGrain(slice) ?? 'day';
  const running = periodStart(minDay(syncDay, nextPeriod(slice.window.end, grain)), grain);
  const newest = periodStart(addDays(running, -1), grain);
  const isIn = (day: Day | null): boolean => day !== null && periodStart(day, grain) === newest;
  return [...doubtfulDays].some(isIn) && ![...takenDays].some(isIn);
}

function witnessOf(
  { cut }: Endpoint,
  { slice, incomplete }: ArchivedAnswer,
  { takenDays, doubtfulDays, unknownDays, isTruncated }: ValidatedAnswer,
): Witness | null {
  if (slice.kind === 'list') return null;
  const isWindow = slice.kind === 'window';
  return {
    window: slice.window,
    grain: isWindow ? 'window' : sliceGrain(slice),
    taken: isWindow && unknownDays.size > 0 ? new Set([slice.window.start]) : takenDays,
    refused: doubtfulDays,
    // If a cut-off answer is requested in halves, the smallest part is no evidence about its day.
    isIncomplete: incomplete !== undefined || (isTruncated && cut.kind === 'series' && cut.isHalved === true),
    isTruncated,
  };
}

/** Only a complete list is evidence that missing rows are gone; a running window follows each answer. */
function mayDelete(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  { doubtfulDays, isTruncated, isUnread }: ValidatedAnswer,
): boolean {
  if (answer.incomplete !== undefined || isUnread || doubtfulDays.has(null)) return false;
  if (!endpoint.isDaily && doubtfulDays.size > 0) return false;
  const { slice, syncDay } = answer;
  if (!isTruncated || slice.kind !== 'window') return !isTruncated;
  // A running month may be requested up to the day before the sync day.
  const { windowKind, window } = slice;
  return !isWhole(windowKind === 'month' ? periodEnd(window.start, 'month') : window.end, syncDay);
}

function failureOf(
  { incomplete, isOutage, slice }: ArchivedAnswer,
  { rejects, isUnread }: ValidatedAnswer,
): (SliceFailure & { isUnread: boolean }) | null {
  const what = describeSlice(slice);
  const errorClass = 'contract';
  if (incomplete !== undefined)
    return {
      errorClass: isOutage === true ? 'transient' : errorClass,
      message: `${what}: incomplete, ${incomplete}`,
      alarm: isOutage === true ? null : 'incomplete',
      isUnread: false,
    };
  const [first] = rejects;
  if (first === undefined) return null;
  const owed = slice.kind === 'list' ? 'so nothing is taken as removed' : 'so their days stay owed';
  const message = `${what}: ${counted(rejects.length, 'row')} refused, ${owed}; the first: ${first.path}: ${first.reason}`;
  return { errorClass, message, alarm: 'bad_row', isUnread };
}

/** Days, or list ids, of unreadable items: none of their rows may be deleted or marked as removed. */
export function keptRows({ validated }: PreparedAnswer): readonly string[] {
  return [...validated.doubtfulDays, ...validated.doubtfulIds, ...validated.unknownDays].filter(
    (kept) => kept !== null,
  );
}

/** Result of one slice before it is loaded. */
export type SliceOutcome = Answered | FailedSlice;

export interface Answered {
  kind: 'answered';
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  /** The answer as already read. */
  read?: ValidatedAnswer | undefined;
}

/** A slice without an answer, or with one that cannot be loaded. */
export interface FailedSlice {
  kind: 'failed';
  slice: Slice;
  error: unknown;
  requests: number;
  httpStatus: number | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** The server no longer has days that old. */
  refused?: 'too_old';
  /** Left out if the network, the key or the quota failed. */
  alarm?: AlarmReason;
}

/** Why a slice failed or is incomplete, as recorded in the ledger. */
export interface SliceFailure {
  errorClass: ErrorClass;
  message: string;
  /** Null if the network, the key or the quota failed. */
  alarm: AlarmReason | null;
}

/** An answer that `error` prevents from being loaded. */
export function refusedAnswer(answer: AnsweredSlice, error: unknown): FailedSlice {
  const last = answer.pages.at(-1);
  return {
    kind: 'failed',
    slice: answer.slice,
    error,
    requests: answer.requests,
    httpStatus: last?.status ?? null,
    at: last?.fetchedAt ?? answer.startedAt,
    ...alarmOf(error, answer.slice),
  };
}

/** The server's refusal of the slice itself, or of a similar one. */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  return error instanceof Error && error.cause instanceof ApiError ? error.cause : null;
}

/** The alarm of an error: failures of the network, the key or the quota never become known. */
export function alarmOf(error: unknown, { scope }: Pick<Slice, 'scope'>): Pick<FailedSlice, 'alarm'> {
  if (error instanceof MisunderstoodError) return { alarm: error.alarm };
  const status = refusalOf(error)?.status;
  // A server failure may concern a single filter value; the run checks whether it is the only one.
  const isOfValue = scope !== 'project' && (status ?? 0) >= 500;
  if (typeof status === 'number') return isOfValue || isRefusal(status, error) ? { alarm: 'refused' } : {};
  return error instanceof AnswerlakeError && error.class === 'contract' ? { alarm: 'bad_row' } : {};
}

/** Whether a status refuses a request or a path, regardless of the key. */
function isRefusal(status: number, error: unknown): boolean {
  if (status === 429) return error instanceof AnswerlakeError && error.scope === 'slice';
  const isOfKey = [401, 407].includes(status);
  return status === 501 || (status >= 400 && status < 500 && !isOfKey && ![408, 425].includes(status));
}

/** Size of the decoded bodies; 0 if not measured. */
export function outcomeBytes(outcome: SliceOutcome): number {
  if (outcome.kind === 'failed') return 0;
  return outcome.answer.pages.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}
