import { AnswerlakeError, exitCodeOf } from '../errors.ts';
import { runFolder } from '../landing/manifest.ts';
import type { Zone } from '../landing/zone.ts';
import { readLearned } from '../load/learned.ts';
import type { Jobs } from '../queue/jobs.ts';
import type { RoundEnd } from '../queue/round.ts';
import { newRunId } from '../run-id.ts';
import { closeBrokenRun, closeRun } from '../run/close-run.ts';
import { enterRun } from '../run/open-run.ts';
import { readOrganizations } from '../run/organizations.ts';
import { addStep, NOTHING_DONE } from '../run/outcome.ts';
import { pull } from '../run/pull.ts';
import type { RunReport, SyncContext, SyncRequest } from '../run/sync-request.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { Intake } from './intake.ts';
import { LoadedResults } from './loaded-results.ts';
import { problemOfRound } from './organization-asker.ts';
import { pullOrganizations } from './pull-organizations.ts';
import { reachedOf } from './reached-of.ts';
import { remoteClients } from './remote-clients.ts';
import { Rounds } from './rounds.ts';
import type { Turn } from './turn.ts';

export interface QueuedRunParts {
  context: SyncContext;
  jobs: Jobs;
  zone: Zone;
  intake: Intake;
  connection: Connection;
  workingFile: string;
  turn: Turn;
}

/**
 * One run, asked by workers: the steps of a run of one process, with askers far away.
 * @throws AnswerlakeError configuration, transient when no worker could validate the keys, storage, locked
 */
export async function runThroughWorkers(request: SyncRequest, parts: QueuedRunParts): Promise<RunReport> {
  const { context, jobs, zone, intake, connection, workingFile, turn } = parts;
  const { config, effects, signal } = context;
  const startedAt = effects.now();
  const runId = newRunId(startedAt);
  const { baseUrl } = config.api;
  const learned = await readLearned(connection, baseUrl, startedAt);
  const clients = remoteClients(learned.quotas);
  const rounds = new Rounds({ jobs, intake, clients, effects, signal });
  const round = rounds.nextName();
  const { end, reason } = await rounds.play(
    {
      kind: 'reach',
      run: { runId, startedAt, baseUrl, acceptShrink: request.acceptShrink },
      round,
      organization: '*',
      organizations: [...(await readOrganizations(connection))],
      quotas: [...learned.quotas],
      projects: request.projects === null ? null : [...request.projects],
      today: request.today,
    },
    { ends: null, startAfter: null },
  );
  signal.throwIfAborted();
  if (end === null || end.reached === null) throw unreached(end, reason);
  const reached = reachedOf(end, config);
  const run = await enterRun({
    request,
    context,
    runId,
    startedAt,
    connection,
    workingFile,
    learned,
    clients,
    reached,
  });
  const results = new LoadedResults();
  const entered = { ...run, pulling: { ...run.pulling, queue: results } };
  const { pulling } = entered;
  let outcome = NOTHING_DONE;
  try {
    const first = await intake.take(
      `${runFolder({ syncDay: end.reached.syncDay, runId })}${round}-`,
      pulling.ends,
    );
    clients.told(first);
    results.add(first.results);
    const options = { rounds, turn, zone, maxWaitMs: request.maxWaitMs };
    const steps = pull(pulling, (all, own) => pullOrganizations(all, own, options));
    for await (const step of steps) outcome = addStep(outcome, step);
  } catch (error) {
    if (!signal.aborted) {
      outcome = addStep(outcome, { results: [], problems: [{ error }] });
      if (!(error instanceof AnswerlakeError) || error.class === 'storage' || error.class === 'locked') {
        await closeBrokenRun(entered, outcome, exitCodeOf(error));
        throw error;
      }
    }
  }
  return await closeRun(entered, outcome);
}

function unreached(end: RoundEnd | null, reason: string | null): AnswerlakeError {
  const [problem] = end?.problems ?? [];
  if (problem !== undefined) return problemOfRound(problem).error;
  return new AnswerlakeError(
    `no worker could validate the keys${reason === null ? '' : `: ${reason}`}; see answerlake queue status, then answerlake queue retry`,
    { class: 'transient' },
  );
}
