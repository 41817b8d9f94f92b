import { addDays, minDay, type Day } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow } from '../endpoints/row.ts';
import { sliceGrain, sliceWindow, type AnswerPage, type ArchivedAnswer, type Slice } from '../slice.ts';
import type { EndDays } from './end-days.ts';
import type { FailedSlice } from './slice-outcome.ts';
import { tableRows, type TableRows } from './table-rows.ts';
import { validateAnswer, type ValidatedAnswer } from '../validate/validate.ts';

/** An answer whose bodies have been read: nothing holds them any longer. */
export interface AnsweredSlice extends Omit<ArchivedAnswer, 'pages'> {
  pages: readonly Pick<AnswerPage, 'page' | 'status' | 'fetchedAt'>[];
}

/** An answer ready to be merged. */
export interface PreparedAnswer {
  endpoint: Endpoint;
  answer: AnsweredSlice;
  validated: Omit<ValidatedAnswer, 'rows'>;
  /** Table → the rows that the answer has for it. */
  rows: ReadonlyMap<string, TableRows>;
  /** Rows of all tables together. */
  rowCount: number;
  /** Last day whose missing rows are known to be gone; null where days do not decide. */
  deleteEnd: Day | null;
  /** Last day that the answer covers; null for lists. */
  coveredEnd: Day | null;
  /** Holds only some items of the answer, so a missing row proves nothing. */
  isPartial: boolean;
  /** The answer shows that this endpoint's `endDate` counts. */
  showsEndDay: boolean;
}

/** A slice outcome on its way to the tables. */
export type PreparedOutcome = PreparedAnswer | FailedSlice;

export function preparedSlice(outcome: PreparedOutcome): Slice {
  return 'validated' in outcome ? outcome.answer.slice : outcome.slice;
}

/** @throws AnswerlakeError (contract, scope slice) */
export function prepareAnswer(endpoint: Endpoint, answer: ArchivedAnswer, ends: EndDays): PreparedAnswer {
  const { rows, ...validated } = validateAnswer(endpoint, answer);
  return {
    endpoint,
    answer: withoutBodies(answer),
    validated,
    rows: tableRows(rows),
    rowCount: rows.length,
    isPartial: false,
    ...coverage({ endpoint, answer, validated, ends }),
  };
}

/** Only the items of an answer at `paths` (null: all), and of their rows only those that `isWanted`. @throws as `prepareAnswer` */
export function prepareItems(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  { paths, isWanted }: { paths: ReadonlySet<string> | null; isWanted: (row: OutputRow) => boolean },
): PreparedAnswer {
  const { rows, ...validated } = validateAnswer(endpoint, answer, paths);
  const wanted = rows.filter(isWanted);
  return {
    endpoint,
    answer: withoutBodies(answer),
    validated,
    rows: tableRows(wanted),
    rowCount: wanted.length,
    isPartial: true,
    deleteEnd: null,
    coveredEnd: null,
    showsEndDay: false,
  };
}

function withoutBodies({ pages, ...answer }: ArchivedAnswer): AnsweredSlice {
  return { ...answer, pages: pages.map(({ page, status, fetchedAt }) => ({ page, status, fetchedAt })) };
}

/** Which days an answer covers: a server with an exclusive `endDate` leaves out the last one, and we cannot know which kind it is. */
function coverage({
  endpoint,
  answer,
  validated,
  ends,
}: {
  endpoint: Endpoint;
  answer: ArchivedAnswer;
  validated: PreparedAnswer['validated'];
  ends: EndDays;
}): Pick<PreparedAnswer, 'deleteEnd' | 'coveredEnd' | 'showsEndDay'> {
  const { asked, slice, syncDay } = answer;
  const end = sliceWindow(slice)?.end ?? null;
  const isDaily = slice.kind === 'dated' || sliceGrain(slice) === 'day';
  if (end === null || asked === null) return { deleteEnd: end, coveredEnd: end, showsEndDay: false };
  if (!isDaily) {
    const isShort = slice.kind === 'series' && ends.isLeftOut(endpoint.name) && asked.end <= end;
    const coveredEnd = isShort && end < syncDay ? addDays(asked.end, -1) : end;
    return { deleteEnd: end, coveredEnd, showsEndDay: false };
  }
  const showsEndDay = validated.newestDay === asked.end;
  const isCertain = ends.shown(endpoint.name) === true || showsEndDay || asked.end > end;
  const deleteEnd = isCertain ? end : addDays(end, -1);
  // A project that does not use the endpoint has no last day to miss; one day alone may have been left out.
  const isUnused = validated.isNotEnabled && asked.start < asked.end;
  // Today is partial and asked again anyway.
  const coveredEnd = end >= syncDay || isUnused ? end : minDay(deleteEnd, end);
  return { deleteEnd, coveredEnd, showsEndDay };
}

/** Only a whole answer proves that what it lacks is gone: no missing pages, not cut off by its limit, no item in doubt but on known days. */
export function mayDelete({ answer, endpoint, validated, isPartial }: PreparedAnswer): boolean {
  const { doubtfulDays, isTruncated } = validated;
  if (isPartial || answer.incomplete !== undefined) return false;
  const { kind } = endpoint.cut;
  const hasDays = kind === 'series' || kind === 'dated';
  if (doubtfulDays.has(null) || (doubtfulDays.size > 0 && !hasDays)) return false;
  return !(isTruncated && kind === 'series');
}

/** Days, or ids of a list, of items that could not be read: no row of these may be deleted or marked as removed. */
export function keptRows({ validated }: PreparedAnswer): readonly string[] {
  return [...validated.doubtfulDays, ...validated.doubtfulIds].filter((kept) => kept !== null);
}
