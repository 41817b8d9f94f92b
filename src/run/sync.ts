import { AnswerlakeError, exitCodeOf } from '../errors.ts';
import { closeBrokenRun, closeRun, isBroken } from './close-run.ts';
import { publishingMemory } from './memory.ts';
import { openRun } from './open-run.ts';
import { addStep, NOTHING_DONE } from './outcome.ts';
import { pull } from './pull.ts';
import type { RunReport, SyncContext, SyncRequest } from './sync-request.ts';

/**
 * One run: open it, pull its steps, close it. Failures of the API are in the report.
 * @throws AnswerlakeError only if the run could not start (configuration, locked) or could not write (storage)
 */
export async function runSync(request: SyncRequest, context: SyncContext): Promise<RunReport> {
  if (request.dryRun) throw new AnswerlakeError('a dry run is planned, not run', { class: 'bug' });
  await using run = await openRun(request, context);
  let outcome = NOTHING_DONE;
  try {
    for await (const step of pull(run.pulling)) outcome = addStep(outcome, step);
  } catch (error) {
    if (!context.signal.aborted) {
      outcome = addStep(outcome, { results: [], problems: [{ error }] });
      if (isBroken(error)) {
        await closeBrokenRun(run, outcome, exitCodeOf(error));
        throw error;
      }
    }
  }
  return await closeRun(run, outcome, publishingMemory());
}
