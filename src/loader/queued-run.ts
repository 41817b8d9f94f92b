import type { Account } from '../accounts/validate-account.ts';
import type { Reached } from '../accounts/reach-projects.ts';
import type { Config } from '../config/config.ts';
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
  if (end === null || end.reached === null) throw unreached(reason);
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

function unreached(reason: string | null): AnswerlakeError {
  return new AnswerlakeError(
    `no worker could validate the keys${reason === null ? '' : `: ${reason}`}; see answerlake queue status, then answerlake queue retry`,
    { class: 'transient' },
  );
}

/** What the keys reach, in the words of this process. */
function reachedOf({ reached, problems }: RoundEnd, config: Config): Reached {
  const accounts = (reached?.accounts ?? []).flatMap(({ name, ...known }): Account[] => {
    const own = config.accounts.find((account) => account.name === name);
    return own === undefined ? [] : [{ ...known, config: own }];
  });
  return {
    accounts,
    projects: (reached?.projects ?? []).flatMap(({ projectId, account: name, projectHeader }) => {
      const account = accounts.find(({ config: { name: own } }) => own === name);
      return account === undefined ? [] : [{ projectId, account, projectHeader: projectHeader ?? undefined }];
    }),
    answers: [],
    problems: problems.map((problem) => ({
      error: problemOfRound(problem).error,
      account: problem.account,
      projectId: problem.projectId,
    })),
    warnings: reached?.warnings ?? [],
    listed: (reached?.listed ?? null) === null ? null : new Set(reached?.listed),
    serverAheadMs: reached?.serverAheadMs ?? null,
  };
}
