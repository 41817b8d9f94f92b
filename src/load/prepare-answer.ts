import { reachOf, type Witness } from '../believe/coverage.ts';
import { figuresOf, type Figures } from '../believe/figures.ts';
import { readAnswer, type ValidatedAnswer } from '../believe/read-answer.ts';
import { isWhole } from '../believe/terms.ts';
import type { DayRange } from '../day.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow, Row, Value } from '../endpoints/table.ts';
import {
  describeSlice,
  sliceGrain,
  sliceWindow,
  type AnswerPage,
  type ArchivedAnswer,
  type Slice,
} from '../slice.ts';
import type { LoadRun } from './load-run.ts';
import { AnswerlakeError, messageOf, type ErrorClass } from '../errors.ts';

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
  figures: Figures;
  /** Days whose stored rows the answer can contradict; null: none, or those of a list or a whole window. */
  reach: DayRange | null;
  /** The stored rows that the answer lacks may be gone. */
  mayDelete: boolean;
  /** What the answer says about the days of its series; null for lists and whole windows. */
  witness: Witness | null;
  /** Why the run is partial although the answer was loaded; null when it is not. */
  failure: SliceFailure | null;
  /** Size of the decoded bodies. */
  bytes: number;
}

/** A slice outcome before it is loaded. */
export type PreparedOutcome = PreparedAnswer | FailedSlice;

/** @throws AnswerlakeError (contract, scope slice) */
export function prepareAnswer(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  { lookbackDays, acceptShrink }: Pick<LoadRun, 'lookbackDays' | 'acceptShrink'>,
): PreparedAnswer {
  const { rows, ...validated } = readAnswer(endpoint, answer);
  const witness = witnessOf(endpoint, answer, { validated, lookbackDays });
  return {
    ...withRows(endpoint, answer, rows),
    validated,
    figures: figuresOf(endpoint, answer, rows),
    reach: witness === null ? null : reachOf(witness, acceptShrink),
    mayDelete: mayDelete(endpoint, answer, validated),
    witness,
    failure: failureOf(answer, validated),
    bytes: answer.pages.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}

function withRows(endpoint: Endpoint, { pages, ...answer }: ArchivedAnswer, rows: readonly OutputRow[]) {
  const withoutBodies = pages.map(({ page, status, fetchedAt }) => ({ page, status, fetchedAt }));
  const answered: AnsweredSlice = { ...answer, pages: withoutBodies };
  return { endpoint, answer: answered, rows: tableRows(rows), rowCount: rows.length };
}

function witnessOf(
  { outputs: [{ shape }] }: Endpoint,
  answer: ArchivedAnswer,
  { validated, lookbackDays }: { validated: PreparedAnswer['validated']; lookbackDays: number },
): Witness | null {
  const window = sliceWindow(answer.slice);
  if (window === null || answer.slice.kind === 'window') return null;
  const isSeries = shape === 'series';
  return {
    window,
    grain: sliceGrain(answer.slice),
    syncDay: answer.syncDay,
    taken: validated.takenDays,
    // One refused event is a warning: the other events of its day are there.
    refused: isSeries ? validated.doubtfulDays : new Set(),
    isWhole: answer.incomplete === undefined && !(isSeries && validated.isTruncated),
    isIncomplete: answer.incomplete !== undefined,
    lookbackDays,
  };
}

/** Only a list that is whole proves that what it lacks is gone; a window that is not over follows each answer. */
function mayDelete(
  endpoint: Endpoint,
  answer: ArchivedAnswer,
  { doubtfulDays, isTruncated }: PreparedAnswer['validated'],
): boolean {
  if (answer.incomplete !== undefined || doubtfulDays.has(null)) return false;
  if (!endpoint.isDaily && doubtfulDays.size > 0) return false;
  const { slice, syncDay } = answer;
  const isRunning = slice.kind === 'window' && !isWhole(slice.window.end, syncDay);
  return !isTruncated || isRunning;
}

function failureOf(answer: ArchivedAnswer, { rejects }: PreparedAnswer['validated']): SliceFailure | null {
  const { incomplete, slice } = answer;
  const what = describeSlice(slice);
  if (incomplete !== undefined)
    return { errorClass: 'contract', message: `${what}: incomplete, ${incomplete}` };
  const [first] = rejects;
  if (first === undefined || (slice.kind !== 'series' && slice.kind !== 'window')) return null;
  const message = `${what}: ${String(rejects.length)} rows were refused, so their days stay owed; the first: ${first.path}: ${first.reason}`;
  return { errorClass: 'contract', message };
}

/** Days, or ids of a list, of items that could not be read: no row of these may be deleted or marked as removed. */
export function keptRows({ validated }: PreparedAnswer): readonly string[] {
  return [...validated.doubtfulDays, ...validated.doubtfulIds].filter((kept) => kept !== null);
}

/** The rows of an answer for one table, column by column: a few arrays wait for their transaction, not many objects. */
export interface TableRows {
  count: number;
  /** Column → its values; undefined where a row has none of its own. */
  columns: ReadonlyMap<string, readonly (Value | undefined)[]>;
}

export const NO_ROWS: TableRows = { count: 0, columns: new Map() };

/** Table → its rows. */
function tableRows(rows: readonly OutputRow[]): ReadonlyMap<string, TableRows> {
  const byTable = new Map<string, Row[]>();
  for (const { table, values } of rows) {
    const known = byTable.get(table);
    if (known === undefined) byTable.set(table, [values]);
    else known.push(values);
  }
  return new Map([...byTable].map(([table, values]) => [table, columnsOf(values)]));
}

function columnsOf(rows: readonly Row[]): TableRows {
  const names = new Set<string>();
  for (const row of rows) for (const name in row) names.add(name);
  const columns = new Map([...names].map((name) => [name, rows.map((row) => row[name])]));
  return { count: rows.length, columns };
}

/** Result of one slice before it is loaded. */
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
export function refusedAnswer(answer: AnsweredSlice, error: unknown): FailedSlice {
  const last = answer.pages.at(-1);
  return {
    kind: 'failed',
    slice: answer.slice,
    error,
    requests: answer.requests,
    httpStatus: last?.status ?? null,
    at: last?.fetchedAt ?? answer.startedAt,
  };
}

/** Size of the decoded bodies; 0 where they were not measured. */
export function outcomeBytes(outcome: SliceOutcome): number {
  if (outcome.kind === 'failed') return 0;
  return outcome.answer.pages.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}
