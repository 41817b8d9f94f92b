import { messageOf, AnswerlakeError, type ExitCode } from '../errors.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import { receivedRows } from '../load/ledger.ts';
import type { LearnedLimits } from '../load/limits.ts';
import type { LoadRun } from '../load/load-unit.ts';
import { sliceWindow, type Slice } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Account } from '../accounts/validate-account.ts';
import type { RunFailure, RunTotals, SyncContext, SyncRequest } from './sync-request.ts';

/** Why an account is asked no more in this run. */
export type Blocked = 'quota' | 'auth' | 'unavailable';

/** Everything that the steps of one run share; counts and failures are gathered here and nowhere else. */
export class RunState {
  readonly request: SyncRequest;
  readonly context: SyncContext;
  readonly run: LoadRun;
  readonly connection: Connection;
  readonly limits: LearnedLimits;
  readonly failures: RunFailure[] = [];
  readonly warnings: string[] = [];
  readonly exitCodes = new Set<ExitCode>();
  readonly blocked = new Map<Account, Blocked>();
  readonly totals: RunTotals = {
    rows_received: 0,
    rows_inserted: 0,
    rows_updated: 0,
    rows_deleted: 0,
    rows_unchanged: 0,
    rows_rejected: 0,
    rows_deduplicated: 0,
    slices_loaded: 0,
    slices_failed: 0,
  };
  driftCount = 0;
  /** An answer of this stage lacks the last day it was asked for. */
  hasLeftOut = false;
  suspicious = 0;
  stage = 'accounts';
  planned = 0;
  done = 0;

  constructor(parts: Pick<RunState, 'request' | 'context' | 'run' | 'connection' | 'limits'>) {
    this.request = parts.request;
    this.context = parts.context;
    this.run = parts.run;
    this.connection = parts.connection;
    this.limits = parts.limits;
  }

  /** Counts what the loader says of a slice. */
  loaded(entry: LedgerEntry): void {
    const { totals } = this;
    totals.rows_received += receivedRows(entry);
    totals.rows_inserted += entry.counts.inserted;
    totals.rows_updated += entry.counts.updated;
    totals.rows_deleted += entry.counts.deleted;
    totals.rows_unchanged += entry.counts.unchanged;
    totals.rows_rejected += entry.rejects.length;
    totals.rows_deduplicated += entry.counts.deduplicated;
    this.driftCount += entry.drift.length;
    const end = sliceWindow(entry.slice)?.end;
    if (entry.coveredEnd !== null && end !== undefined && entry.coveredEnd < end) this.hasLeftOut = true;
    this.done += 1;
    const fields = {
      run: this.run.runId,
      ...sliceFields(entry.slice),
      status: entry.status,
      rows: receivedRows(entry),
      changed: entry.counts.changed,
      rejected: entry.rejects.length,
      requests: entry.requests,
    };
    switch (entry.status) {
      case 'failed':
        totals.slices_failed += 1;
        this.context.log.warn('slice.failed', { ...fields, error: entry.failure?.message });
        this.fail(
          new AnswerlakeError(entry.failure?.message ?? 'failed', {
            class: entry.failure?.errorClass ?? 'bug',
            scope: 'slice',
            exitCode: 3,
          }),
          entry.slice,
        );
        break;
      case 'suspicious':
        this.suspicious += 1;
        this.exitCodes.add(3);
        this.context.log.warn('slice.suspicious', { ...fields, held: entry.counts.held });
        break;
      default:
        totals.slices_loaded += 1;
        this.context.log.debug('slice.loaded', fields);
    }
  }

  /** Enters a failure once; it decides the exit code with all others. */
  fail(error: unknown, where?: Partial<Pick<Slice, 'projectId' | 'endpoint'>> & { account?: string }): void {
    const known = error instanceof AnswerlakeError ? error : null;
    this.exitCodes.add(known?.exitCode ?? 1);
    this.failures.push({
      scope: known?.scope ?? 'run',
      account: where?.account ?? null,
      project: where?.projectId ?? null,
      endpoint: where?.endpoint ?? null,
      class: known?.class ?? 'bug',
      message: messageOf(error),
    });
  }
}

/** The ids that every log line about a slice carries. */
export function sliceFields(slice: Slice): Record<string, unknown> {
  const { endpoint, projectId, scope, scopeId } = slice;
  const window = sliceWindow(slice);
  return {
    endpoint,
    project: projectId,
    ...(scope === 'project' ? {} : { scope, scope_id: scopeId }),
    ...(slice.kind === 'series' ? { grain: slice.grain } : {}),
    ...(slice.kind === 'window' ? { window_kind: slice.windowKind } : {}),
    ...(window === null ? {} : { from: window.start, to: window.end }),
  };
}
