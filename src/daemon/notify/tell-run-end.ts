import type { Config } from '../../config/config.ts';
import { addDays } from '../../day.ts';
import type { Effects } from '../../effects.ts';
import { AnswerlakeError, exitCodeOf, messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { brokenRun, type FinishedRun } from './finished-run.ts';
import type { EndpointAge } from './news.ts';
import { notifyRun } from './notify-run.ts';
import { readPublishedFacts, type PublishedFacts } from '../serve/published-facts.ts';
import { finishedRuns, readJournal } from '../../run/journal.ts';
import type { RunReport, SyncRequest } from '../../run/sync-request.ts';

export interface RunEndParts {
  config: Config;
  effects: Effects;
  log: Log;
  signal: AbortSignal;
}

/** Does a run, remembers how it ended and tells the webhook; what the run gives or throws stays as it is. */
export async function tellingRunEnd(
  request: SyncRequest,
  parts: RunEndParts,
  run: () => Promise<RunReport>,
): Promise<RunReport> {
  if (request.dryRun) return await run();
  const startedAt = parts.effects.now();
  try {
    const report = await run();
    await tell(report, parts);
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
    await tell(brokenRun(broken), parts);
    throw error;
  }
}

async function tell(run: FinishedRun, parts: RunEndParts): Promise<void> {
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

/** A day is final once the look-back has passed over it; what was never answered is told as a failure, not as stale. */
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
