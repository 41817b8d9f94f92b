import { stopCode } from '../effects.ts';
import type { AlarmReason } from '../believe/alarms.ts';
import { isAnswered } from '../believe/terms.ts';
import { AnswerlakeError, messageOf, strongestExitCode, type ExitCode } from '../errors.ts';
import { NO_TOTALS, type RunFailure, type RunStatus, type RunTotals } from './sync-request.ts';
import { receivedRows, type LedgerEntry } from '../load/ledger.ts';
import type { Log } from '../log.ts';
import { flatSlice, type Slice } from '../slice.ts';
import type { IsKnown } from './alarms.ts';

/** A failure that does not belong to a slice, and where it happened. */
export interface Problem {
  error: unknown;
  account?: string | null;
  projectId?: string | null;
}

/** What one step of a run did. */
export interface Step {
  results?: readonly SliceResult[];
  problems?: readonly Problem[];
  warnings?: readonly string[];
  /** Set by the last step: which alarms no longer make a run partial, how many lost projects have one, and how many alarms become known today. */
  isKnown?: IsKnown;
  known?: number;
  newlyKnown?: number;
  /** Rows that were removed because of their age. */
  removed?: number;
  /** Own views that could not be created. */
  viewsLeftOut?: number;
  /** Set by the step that validates the keys. */
  reached?: { accounts: number; projects: number };
}

/** What a run has done so far: a fold over its steps. */
export interface Outcome {
  reached: { accounts: number; projects: number };
  totals: RunTotals;
  failures: readonly Failure[];
  warnings: readonly string[];
  exitCodes: readonly ExitCode[];
  drifts: number;
  /** Slices and projects whose alarm is known. */
  known: number;
  newlyKnown: number;
  /** Slices whose days are too old for the server. */
  refused: number;
  viewsLeftOut: number;
}

/** A failure, with its slice if it has one. */
interface Failure extends RunFailure {
  slice?: Slice;
  alarm?: AlarmReason | null;
}

export const NOTHING_DONE: Outcome = {
  reached: { accounts: 0, projects: 0 },
  totals: NO_TOTALS,
  failures: [],
  warnings: [],
  exitCodes: [],
  drifts: 0,
  known: 0,
  newlyKnown: 0,
  refused: 0,
  viewsLeftOut: 0,
};

export function addStep(outcome: Outcome, step: Step): Outcome {
  const { results = [], problems = [], warnings = [], removed = 0, reached, isKnown = () => false } = step;
  const totals = results.reduce(addResult, outcome.totals);
  const all = [...outcome.failures, ...problems.map(problemFailure), ...results.flatMap(sliceFailure)];
  const failures = all.filter(({ slice, alarm }) => slice === undefined || !alarm || !isKnown(slice, alarm));
  const codes = new Set([
    ...outcome.exitCodes,
    ...problems.map(({ error }) => (error instanceof AnswerlakeError ? error.exitCode : 1)),
  ]);
  const refused = results.filter(({ status }) => status === 'refused').length;
  return {
    reached: reached ?? outcome.reached,
    totals: { ...totals, rows_deleted: totals.rows_deleted + removed },
    failures,
    warnings: [...outcome.warnings, ...warnings],
    exitCodes: [...codes],
    drifts: outcome.drifts + results.reduce((sum, { drifts }) => sum + drifts, 0),
    known: outcome.known + all.length - failures.length + (step.known ?? 0),
    newlyKnown: outcome.newlyKnown + (step.newlyKnown ?? 0),
    refused: outcome.refused + refused,
    viewsLeftOut: outcome.viewsLeftOut + (step.viewsLeftOut ?? 0),
  };
}

function addResult(totals: RunTotals, { status, counts, received, rejected }: SliceResult): RunTotals {
  return {
    rows_received: totals.rows_received + received,
    rows_inserted: totals.rows_inserted + counts.inserted,
    rows_updated: totals.rows_updated + counts.updated,
    rows_deleted: totals.rows_deleted + counts.deleted,
    rows_unchanged: totals.rows_unchanged + counts.unchanged,
    rows_rejected: totals.rows_rejected + rejected,
    rows_deduplicated: totals.rows_deduplicated + counts.deduplicated,
    slices_loaded: totals.slices_loaded + (isAnswered(status) ? 1 : 0),
    slices_failed: totals.slices_failed + (status === 'failed' ? 1 : 0),
  };
}

function problemFailure({ error, account = null, projectId: project = null }: Problem): Failure {
  const known = error instanceof AnswerlakeError ? error : ({ scope: 'run', class: 'bug' } as const);
  const place = { scope: known.scope, account, project, project_name: null, endpoint: null };
  return { ...place, class: known.class, message: messageOf(error) };
}

/** Days that are too old for the server are a warning: no run can load them. */
function sliceFailure({ slice, status, failure }: SliceResult): Failure[] {
  if (failure === null || status === 'refused') return [];
  const { projectId: project, endpoint } = slice;
  const { errorClass, message, alarm } = failure;
  const place = { scope: 'slice', account: null, project, project_name: null, endpoint } as const;
  return [{ ...place, class: errorClass, message, slice, alarm }];
}

export interface RunEnd {
  exitCode: ExitCode;
  status: RunStatus;
}

/** The exit code for all that happened, and the matching status. */
export function concludeRun(
  outcome: Outcome,
  { isStrict, signal }: { isStrict: boolean; signal: AbortSignal },
): RunEnd {
  if (signal.aborted) return { exitCode: stopCode(signal), status: 'stopped' };
  const { totals, failures, reached, drifts, known, viewsLeftOut } = outcome;
  const codes = new Set(outcome.exitCodes);
  if (failures.some(({ slice }) => slice !== undefined)) codes.add(3);
  // One wrong key among several makes the run partial; exit code 4 is for runs whose keys reach nothing.
  if (reached.projects > 0 && codes.delete(4)) codes.add(3);
  // A run is partial only if something succeeded, and only an answer of the API itself is evidence against a key.
  if (reached.accounts === 0 && codes.size === 1 && codes.delete(3)) codes.add(5);
  if (isStrict && totals.rows_rejected + drifts + known + viewsLeftOut > 0) codes.add(3);
  const exitCode = strongestExitCode(codes);
  const isParked = failures.some((failure) => failure.class === 'quota');
  if (exitCode === 0) return { exitCode, status: 'ok' };
  if (exitCode === 3) return { exitCode, status: 'partial' };
  return { exitCode, status: exitCode === 5 && isParked ? 'parked' : 'failed' };
}

/** Warnings about a run, whatever its exit code. */
export function outcomeWarnings({ totals, drifts, known, refused }: Outcome): string[] {
  const found: [number, string][] = [
    [totals.rows_rejected, `${String(totals.rows_rejected)} rows were refused: see meta.rejects`],
    [drifts, 'answers had fields or values that the API does not document: see meta.drift'],
    [known, `${String(known)} answers have a known alarm: see answerlake status (meta.alarms)`],
    [
      refused,
      `${String(refused)} slices are too old for the server and not available: a run with a longer look-back asks again`,
    ],
  ];
  return found.flatMap(([count, warning]) => (count > 0 ? [warning] : []));
}

/** The figures that a run keeps about a loaded slice, without its rows. */
export interface SliceResult extends Pick<
  LedgerEntry,
  'slice' | 'status' | 'counts' | 'requests' | 'failure' | 'httpStatus'
> {
  received: number;
  rejected: number;
  drifts: number;
}

export function resultOf(entry: LedgerEntry): SliceResult {
  const { rejects, drift, ...kept } = entry;
  return { ...kept, received: receivedRows(entry), rejected: rejects.length, drifts: drift.length };
}

export function logResult(log: Log, run: string, result: SliceResult): void {
  const { slice, status, counts, requests, received: rows, rejected, failure } = result;
  const { endpoint, projectId: project, scope, scopeId } = slice;
  const { grain, window_kind, window_start: from, window_end: to } = flatSlice(slice);
  const filter = scope === 'project' ? {} : { scope, scope_id: scopeId };
  // The ids in every log line about a slice.
  const ids = Object.entries({ endpoint, project, ...filter, grain, window_kind, from, to }).filter(
    ([name, value]) => value !== null || name === 'project',
  );
  const figures = { status, rows, changed: counts.changed, rejected, requests };
  const fields = { run, ...Object.fromEntries(ids), ...figures };
  if (status === 'suspicious') log.warn('slice.suspicious', { ...fields, held: counts.held });
  else if (failure === null) log.debug('slice.loaded', fields);
  else {
    const event = status === 'failed' || status === 'refused' ? status : 'incomplete';
    log.warn(`slice.${event}`, { ...fields, error: failure.message });
  }
}
