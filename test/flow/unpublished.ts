import { addStep, concludeRun, NOTHING_DONE, type Outcome, type RunEnd } from '../../src/run/outcome.ts';
import { finishRun } from '../../src/run/run-record.ts';
import { runStages } from '../../src/run/stages.ts';
import { withOpenRun } from '../../src/run/sync.ts';
import type { RunTotals, SyncContext, SyncRequest } from '../../src/run/sync-request.ts';

export interface UnpublishedRun {
  runId: string;
  exitCode: number;
  failures: readonly string[];
  warnings: readonly string[];
  requests: number;
  retries: number;
  totals: RunTotals;
}

/** A run without its last step, which costs more than all the others: what it did stands in the working file. */
export async function runUnpublished(request: SyncRequest, context: SyncContext): Promise<UnpublishedRun> {
  return await withOpenRun(request, context, async (run) => {
    const { clients } = run;
    const { runId } = run.run;
    let outcome: Outcome = NOTHING_DONE;
    for await (const step of runStages(run)) outcome = addStep(outcome, step);
    outcome = addStep(outcome, { results: await run.queue.drain() });
    const end: RunEnd = concludeRun(outcome, { isStrict: false, signal: context.signal });
    await finishRun(run.connection, runId, {
      finished_at: new Date(run.now()).toISOString(),
      status: end.status,
      exit_code: end.exitCode,
      error_message: null,
      ...clients.totals(),
      ...outcome.totals,
    });
    return {
      runId,
      exitCode: end.exitCode,
      failures: outcome.failures.map(({ message }) => message),
      warnings: outcome.warnings,
      ...clients.totals(),
      totals: outcome.totals,
    };
  });
}
