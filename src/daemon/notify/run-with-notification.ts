import type { Config } from '../../config/config.ts';
import { addDays } from '../../day.ts';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, exitCodeOf, messageOf, type ErrorClass, type ExitCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { finishedRuns, readJournal } from '../../run/journal.ts';
import type { RunReport, SyncRequest } from '../../run/sync-request.ts';
import { readPublishedFacts, type PublishedFacts } from '../serve/published-facts.ts';
import type { EndpointAge, FinishedRun } from './decide-notifications.ts';
import { notifyRun } from './notify-run.ts';

export interface RunEndParts {
  config: Config;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

/** Does a run and sends the notifications that are due; returns or throws what the run does. */
export async function runWithNotification(
  request: SyncRequest,
  parts: RunEndParts,
  run: () => Promise<RunReport>,
): Promise<RunReport> {
  if (request.dryRun) return await run();
  const startedAt = parts.effects.now();
  try {
    const report = await run();
    await notify(report, parts);
    return report;
  } catch (error) {
    const broken = {
      job: request.job,
      startedAt,
      finishedAt: parts.effects.now(),
      exitCode: exitCodeOf(error),
      errorClass: error instanceof AnswerlakeError ? error.class : 'bug',
      message: messageOf(error),
    } as const;
    await notify(brokenRun(broken), parts);
    throw error;
  }
}

async function notify(run: FinishedRun, parts: RunEndParts): Promise<void> {
  await notifyRun(run, {
    ...parts,
    previous: async () => {
      const runs = finishedRuns(await readJournal(parts.config.warehouse.path), run.job);
      return runs.find(({ run_id: runId }) => runId !== run.run_id) ?? null;
    },
    ages: async () => {
      const known = await readPublishedFacts(parts.config.warehouse.path);
      return known === null ? null : agesOf(known, parts.config.sync.lookbackDays);
    },
  });
}

/** A day is final once the look-back has passed over it; an endpoint that was never answered is a failure, not stale. */
function agesOf({ freshness }: PublishedFacts, lookbackDays: number): EndpointAge[] {
  return freshness.flatMap(({ isExpected, projectId, projectName, endpoint, lastCoveredDay }) =>
    isExpected && lastCoveredDay !== null
      ? [
          {
            project: projectName ?? projectId,
            endpoint,
            newestFinalDay: addDays(lastCoveredDay, -lookbackDays),
          },
        ]
      : [],
  );
}

/** A run that threw instead of reporting. */
function brokenRun(parts: {
  job: string | null;
  startedAt: number;
  finishedAt: number;
  exitCode: ExitCode;
  errorClass: ErrorClass;
  message: string;
}): FinishedRun {
  return {
    run_id: null,
    job: parts.job,
    status: parts.errorClass === 'stopped' ? 'stopped' : 'failed',
    exit_code: parts.exitCode,
    started_at: new Date(parts.startedAt).toISOString(),
    finished_at: new Date(parts.finishedAt).toISOString(),
    requests: 0,
    slices_loaded: 0,
    slices_failed: 0,
    failures: [{ project: null, endpoint: null, class: parts.errorClass, message: parts.message }],
  };
}
