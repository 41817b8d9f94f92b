import { receivedRows, type LedgerEntry } from '../load/ledger.ts';
import type { Log } from '../log.ts';
import { sliceWindow, type Slice } from '../slice.ts';

/** What a run keeps about a loaded slice: figures, not rows. */
export interface SliceResult extends Pick<
  LedgerEntry,
  'slice' | 'status' | 'counts' | 'requests' | 'failure'
> {
  received: number;
  rejected: number;
  drifts: number;
}

export function resultOf(entry: LedgerEntry): SliceResult {
  const { slice, status, counts, requests, failure, rejects, drift } = entry;
  return {
    slice,
    status,
    counts,
    requests,
    failure,
    received: receivedRows(entry),
    rejected: rejects.length,
    drifts: drift.length,
  };
}

export function logResult(log: Log, run: string, result: SliceResult): void {
  const { slice, status, counts, requests, received, rejected, failure } = result;
  const fields = {
    run,
    ...sliceFields(slice),
    status,
    rows: received,
    changed: counts.changed,
    rejected,
    requests,
  };
  if (status === 'suspicious') log.warn('slice.suspicious', { ...fields, held: counts.held });
  else if (failure !== null) {
    log.warn(status === 'failed' || status === 'refused' ? `slice.${status}` : 'slice.incomplete', {
      ...fields,
      error: failure.message,
    });
  } else log.debug('slice.loaded', fields);
}

/** The ids that every log line about a slice carries. */
function sliceFields(slice: Slice): Record<string, unknown> {
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
