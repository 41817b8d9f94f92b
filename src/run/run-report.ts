import { AnswerlakeError, strongestExitCode, type ExitCode } from '../errors.ts';
import type { PublishReport } from '../publish/publish.ts';
import type { Reached } from '../accounts/open-accounts.ts';
import type { RunState } from './run-state.ts';
import type { RunReport, RunStatus } from './sync-request.ts';

/** The exit code that stands for everything that happened, and the status that goes with it. */
export function conclude(
  state: RunState,
  reached: Reached | null,
  signal: AbortSignal,
): { exitCode: ExitCode; status: RunStatus } {
  const { request, totals, failures } = state;
  if (signal.aborted) return { exitCode: stopCode(signal), status: 'stopped' };
  const codes = new Set(state.exitCodes);
  // One wrong key among several leaves the run partial; only when none works is it the key's fault.
  if (reached !== null && reached.accounts.length > 0 && codes.delete(4)) codes.add(3);
  if (request.strict && (totals.rows_rejected > 0 || state.driftCount > 0)) codes.add(3);
  const exitCode = strongestExitCode(codes);
  return {
    exitCode,
    status: statusOf(
      exitCode,
      failures.some((failure) => failure.class === 'quota'),
    ),
  };
}

function stopCode(signal: AbortSignal): ExitCode {
  const { reason } = signal as { reason: unknown };
  return reason instanceof AnswerlakeError ? reason.exitCode : 130;
}

function statusOf(exitCode: ExitCode, isParked: boolean): RunStatus {
  switch (exitCode) {
    case 0:
      return 'ok';
    case 3:
      return 'partial';
    case 5:
      return isParked ? 'parked' : 'failed';
    case 130:
    case 143:
      return 'stopped';
    default:
      return 'failed';
  }
}

export interface ReportParts {
  state: RunState;
  exitCode: ExitCode;
  status: RunStatus;
  finishedAt: number;
  requests: number;
  retries: number;
  projects: number;
  published: PublishReport | null;
  workingFile: string;
  rawArchive: string | null;
}

export function runReport(parts: ReportParts): RunReport {
  const { state, published, finishedAt } = parts;
  const { run, request } = state;
  const core = Object.entries(published?.tables ?? {}).filter(([name]) => name.startsWith('core.'));
  return {
    run_id: run.runId,
    job: request.job,
    status: parts.status,
    exit_code: parts.exitCode,
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    duration_ms: finishedAt - run.startedAt,
    sync_day: run.syncDay,
    requests: parts.requests,
    retries: parts.retries,
    projects: parts.projects,
    ...state.totals,
    published: published?.path ?? null,
    working_file: parts.workingFile,
    raw_archive: parts.rawArchive,
    tables: Object.fromEntries(core.map(([name, rows]) => [name.slice('core.'.length), rows])),
    failures: state.failures,
    warnings: [...state.warnings, ...warningsOf(state)],
  };
}

function warningsOf(state: RunState): string[] {
  const { totals } = state;
  const warnings: string[] = [];
  if (totals.rows_rejected > 0)
    warnings.push(`${String(totals.rows_rejected)} rows were refused: see meta.rejects`);
  if (state.driftCount > 0)
    warnings.push('answers had fields or values that the API does not document: see meta.drift');
  if (state.suspicious > 0) {
    warnings.push(
      `${String(state.suspicious)} answers shrank by more than half and were held back: see meta.slices, or run again with --accept-shrink`,
    );
  }
  return warnings;
}
