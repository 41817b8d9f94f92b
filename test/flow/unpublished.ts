import { openRun } from '../../src/run/open-run.ts';
import { addStep, concludeRun, NOTHING_DONE, type Outcome, type RunEnd } from '../../src/run/outcome.ts';
import { pull } from '../../src/run/pull.ts';
import { finishRun } from '../../src/run/run-record.ts';
import type { RunTotals, SyncContext, SyncRequest } from '../../src/run/sync-request.ts';

export interface UnpublishedRun {
  runId: string;
  exitCode: number;
  failures: readonly string[];
  requests: number;
  retries: number;
  totals: RunTotals;
}

/** A run without its last step, which costs more than all the others: what it did stands in the working file. */
export async function runUnpublished(request: SyncRequest, context: SyncContext): Promise<UnpublishedRun> {
  await using run = await openRun(request, context);
  const { pulling, clients } = run;
  let outcome: Outcome = NOTHING_DONE;
  for await (const step of pull(pulling)) outcome = addStep(outcome, step);
  outcome = addStep(outcome, { results: await pulling.queue.drain(), problems: [] });
  const end: RunEnd = concludeRun(outcome, { isStrict: false, signal: context.signal });
  await finishRun(pulling.connection, {
    ...end,
    runId: pulling.run.runId,
    ...clients.totals(),
    totals: outcome.totals,
    errorMessage: null,
    finishedAt: context.effects.now(),
  });
  return {
    runId: pulling.run.runId,
    exitCode: end.exitCode,
    failures: outcome.failures.map(({ message }) => message),
    requests: clients.totals().requests,
    retries: clients.totals().retries,
    totals: outcome.totals,
  };
}
