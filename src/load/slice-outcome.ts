import { AnswerlakeError, messageOf, type ErrorClass } from '../errors.ts';
import type { AnswerPage, ArchivedAnswer, Slice } from '../slice.ts';

/** What became of one slice on the way to the loader. */
export type SliceOutcome = { kind: 'answered'; answer: ArchivedAnswer } | FailedSlice;

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
}

/** Why a slice failed or is incomplete, as the ledger says it. */
export interface SliceFailure {
  errorClass: ErrorClass;
  message: string;
}

export function sliceFailure(error: unknown): SliceFailure {
  return {
    errorClass: error instanceof AnswerlakeError ? error.class : 'bug',
    message: messageOf(error),
  };
}

/** An answer that `error` keeps from being loaded. */
export function refusedAnswer(
  answer: Pick<ArchivedAnswer, 'slice' | 'requests' | 'runStartedAt'> & {
    pages: readonly Pick<AnswerPage, 'status' | 'fetchedAt'>[];
  },
  error: unknown,
): FailedSlice {
  const last = answer.pages.at(-1);
  return {
    kind: 'failed',
    slice: answer.slice,
    error,
    requests: answer.requests,
    httpStatus: last?.status ?? null,
    at: last?.fetchedAt ?? answer.runStartedAt,
  };
}

/** Size of the decoded bodies; 0 where nobody measured them. */
export function outcomeBytes(outcome: SliceOutcome): number {
  if (outcome.kind === 'failed') return 0;
  return outcome.answer.pages.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}
