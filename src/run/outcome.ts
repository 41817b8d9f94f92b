import { stopCode } from '../effects.ts';
import type { AlarmReason } from '../believe/alarms.ts';
import { isAnswered } from '../believe/terms.ts';
import { AnswerlakeError, exitCodeOf, messageOf, strongestExitCode, type ExitCode } from '../errors.ts';
import { NO_TOTALS, type RunFailure, type RunStatus, type RunTotals } from './sync-request.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import type { Log } from '../log.ts';
import { flatSlice, type Slice } from '../slice.ts';
import type { IsKnown } from './alarms.ts';
import { counted } from '../quantity.ts';

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
  /** Set by the step that validates the keys. */
  reached?: { accounts: number; projects: number };
}

/** A failure, with its slice if it has one. */
interface Failure extends RunFailure {
  slice?: Slice;
  alarm?: AlarmReason | null;
}

const COUNTED = [
  'received',
  'inserted',
  'updated',
  'deleted',
  'unchanged',
  'rejected',
  'deduplicated',
] as const;

/** What a run has done so far: the sum of its steps. */
export class Outcome {
  reached = { accounts: 0, projects: 0 };
  readonly totals: RunTotals = { ...NO_TOTALS };
  failures: readonly Failure[] = [];
  readonly warnings: string[] = [];
  readonly exitCodes = new Set<ExitCode>();
  drifts = 0;
  /** Slices and projects whose alarm is known. */
  known = 0;
  newlyKnown = 0;
  /** Slices whose days are too old for the server. */
  refused = 0;
  /** Own views that could not be created. */
  viewsLeftOut = 0;

  add({ results = [], problems = [], ...step }: Step): void {
    const { reached = this.reached, removed = 0, known = 0, newlyKnown = 0, isKnown = () => false } = step;
    this.reached = reached;
    for (const result of results) this.#addResult(result);
    this.totals.rows_deleted += removed;
    const all = [...this.failures, ...problems.map(problemFailure), ...results.flatMap(sliceFailure)];
    this.failures = all.filter(({ slice, alarm }) => slice === undefined || !alarm || !isKnown(slice, alarm));
    this.known += all.length - this.failures.length + known;
    this.newlyKnown += newlyKnown;
    for (const { error } of problems) this.exitCodes.add(exitCodeOf(error));
    this.warnings.push(...(step.warnings ?? []));
  }

  #addResult({ status, counts, drifts }: SliceResult): void {
    for (const name of COUNTED) this.totals[`rows_${name}`] += counts[name];
    if (isAnswered(status)) this.totals.slices_loaded += 1;
    if (status === 'failed') this.totals.slices_failed += 1;
    if (status === 'refused') this.refused += 1;
    this.drifts += drifts;
  }
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
    [totals.rows_rejected, `${counted(totals.rows_rejected, 'row')} refused: see meta.rejects`],
    [drifts, 'answers had fields or values that the API does not document: see meta.drift'],
    [known, `${counted(known, 'answer')} with a known alarm: see answerlake status (meta.alarms)`],
    [
      refused,
      `${counted(refused, 'slice')} too old for the server: a run with a longer look-back asks again`,
    ],
  ];
  return found.flatMap(([count, warning]) => (count > 0 ? [warning] : []));
}

/** The figures that a run keeps about a loaded slice, without its rows. */
export type SliceResult = Pick<LedgerEntry, 'slice' | 'status' | 'counts' | 'requests' | 'failure'> & {
  drifts: number;
};

export function resultOf({ rejects: _rejects, drift, ...kept }: LedgerEntry): SliceResult {
  return { ...kept, drifts: drift.length };
}

export function logResult(log: Log, run: string, result: SliceResult): void {
  const { slice, status, counts, requests, failure } = result;
  const { received: rows, changed, rejected } = counts;
  const { endpoint, projectId: project, scope, scopeId } = slice;
  const { grain, window_kind, window_start: from, window_end: to } = flatSlice(slice);
  const filter = scope === 'project' ? {} : { scope, scope_id: scopeId };
  // The ids in every log line about a slice.
  const ids = Object.entries({ endpoint, project, ...filter, grain, window_kind, from, to }).filter(
    ([name, value]) => value !== null || name === 'project',
  );
  const figures = { status, rows, changed, rejected, requests };
  const fields = { run, ...Object.fromEntries(ids), ...figures };
  if (status === 'suspicious') log.warn('slice.suspicious', { ...fields, held: counts.held });
  else if (failure === null) log.debug('slice.loaded', fields);
  else {
    const event = status === 'failed' || status === 'refused' ? status : 'incomplete';
    log.warn(`slice.${event}`, { ...fields, error: failure.message });
  }
}
