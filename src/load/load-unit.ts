import { addDays, minDay, type Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { AnswerlakeError, messageOf, type ErrorClass } from '../errors.ts';
import { sliceGrain, sliceWindow, type ArchivedAnswer, type Slice } from '../slice.ts';
import { validateAnswer, type ValidatedAnswer } from '../validate/validate.ts';

/** The run that rows and ledger entries are written for. */
export interface LoadRun {
  runId: string;
  /** Milliseconds since the epoch; the `_changed_at` of every row the run changes, so that a replay writes the same. */
  startedAt: number;
  syncDay: Day;
  baseUrl: string;
  acceptShrink: boolean;
}

/** What became of one slice on the way to the loader. */
export type SliceOutcome =
  | { kind: 'answered'; answer: ArchivedAnswer }
  | { kind: 'failed'; slice: Slice; error: unknown; requests: number; httpStatus: number | null; at: number };

/** An answer ready to be merged. */
export interface LoadUnit {
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  validated: ValidatedAnswer;
  /** Last day whose missing rows are known to be gone; null where days do not decide. */
  deleteEnd: Day | null;
  /** Last day that the answer counts for; null for lists. */
  coveredEnd: Day | null;
  /** Only some items of the answer: nothing that is not among them is gone. */
  isPartial: boolean;
  /** The answer shows that this endpoint's `endDate` is counted in. */
  showsEndInclusive: boolean;
}

export interface SliceFailure {
  errorClass: ErrorClass;
  message: string;
}

/** @throws AnswerlakeError (contract, scope slice) */
export function loadUnit(endpoint: Endpoint, answer: ArchivedAnswer, isEndInclusive: boolean): LoadUnit {
  const validated = validateAnswer(endpoint, answer);
  return {
    endpoint,
    answer,
    validated,
    isPartial: false,
    ...coverage({ endpoint, answer, validated, isEndInclusive }),
  };
}

/** The items of an answer at `paths` alone. @throws as `loadUnit` */
export function partialUnit(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  paths: ReadonlySet<string>,
): LoadUnit {
  const validated = validateAnswer(endpoint, answer, paths);
  return {
    endpoint,
    answer,
    validated,
    isPartial: true,
    deleteEnd: null,
    coveredEnd: null,
    showsEndInclusive: false,
  };
}

/** Which days an answer speaks of: an exclusive server leaves out the last one, and nobody knows which kind it is. */
function coverage({
  endpoint,
  answer,
  validated,
  isEndInclusive,
}: {
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  validated: ValidatedAnswer;
  isEndInclusive: boolean;
}): Pick<LoadUnit, 'deleteEnd' | 'coveredEnd' | 'showsEndInclusive'> {
  const { asked, slice, syncDay } = answer;
  const end = sliceWindow(slice)?.end ?? null;
  const isDaily = slice.kind === 'dated' || sliceGrain(slice) === 'day';
  if (end === null || asked === null || !isDaily) {
    return { deleteEnd: end, coveredEnd: end, showsEndInclusive: false };
  }
  const [{ table }] = endpoint.outputs;
  const showsEndInclusive =
    asked.end === end && validated.rows.some((row) => row.table === table && row.values['date'] === end);
  const isCertain = isEndInclusive || showsEndInclusive || asked.end > end;
  const deleteEnd = isCertain ? end : addDays(end, -1);
  // Today is partial and asked again anyway; a project that does not use the endpoint has no last day to miss.
  const coveredEnd = end >= syncDay || validated.isNotEnabled ? end : minDay(deleteEnd, end);
  return { deleteEnd, coveredEnd, showsEndInclusive };
}

/** Rejects make the answer incomplete, and a cut-off list says nothing of the things beyond it. */
export function mayDelete({ endpoint, validated, isPartial }: LoadUnit): boolean {
  return (
    !isPartial && validated.rejects.length === 0 && !(validated.isTruncated && endpoint.cut.kind === 'series')
  );
}

/** What the ledger says of an error. */
export function sliceFailure(error: unknown): SliceFailure {
  return {
    errorClass: error instanceof AnswerlakeError ? error.class : 'bug',
    message: messageOf(error),
  };
}
