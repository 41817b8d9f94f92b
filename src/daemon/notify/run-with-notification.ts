import { AnswerlakeError, exitCodeOf, messageOf } from '../../errors.ts';
import { createRedactor, type Log } from '../../log.ts';
import { finishedRuns, readJournal } from '../../run/journal.ts';
import type { RunReport, RunStatus, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import {
  afterSending,
  decideNotifications,
  notifyStatePath,
  readNotifyState,
  writeNotifyState,
  type EndpointAge,
  type FinishedRun,
  type JobState,
  type Notification,
} from './decide-notifications.ts';

type RunEndParts = Pick<SyncContext, 'config' | 'effects' | 'log' | 'signal'>;

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
    // The person who named it sees the message, and nothing was run.
    if (isMistyped(error)) throw error;
    await notify(brokenRun(error, { job: request.job, startedAt, finishedAt: parts.effects.now() }), parts);
    throw error;
  }
}

/** A project of the command line that no key reaches. */
function isMistyped(error: unknown): boolean {
  return error instanceof AnswerlakeError && error.class === 'configuration' && error.scope === 'project';
}

/** A run that threw instead of reporting. */
function brokenRun(
  error: unknown,
  { job, startedAt, finishedAt }: { job: string | null; startedAt: number; finishedAt: number },
): FinishedRun {
  const errorClass = error instanceof AnswerlakeError ? error.class : 'bug';
  return {
    run_id: null,
    job,
    status: errorClass === 'stopped' ? 'stopped' : 'failed',
    exit_code: exitCodeOf(error),
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    requests: 0,
    slices_loaded: 0,
    slices_failed: 0,
    failures: [{ project: null, endpoint: null, class: errorClass, message: messageOf(error) }],
  };
}

/** Records how the run ended and sends the notifications that are due. Never throws: a webhook never fails a run. */
async function notify(run: FinishedRun, parts: RunEndParts): Promise<void> {
  try {
    await sendDue(run, parts);
  } catch (error) {
    parts.log.warn('notify.failed', { reason: messageOf(error) });
  }
}

async function sendDue(run: FinishedRun, parts: RunEndParts): Promise<void> {
  const { config, log, effects } = parts;
  const path = notifyStatePath(config.warehouse.path);
  const { webhook } = config.notify;
  const known = readNotifyState(path);
  const name = run.job ?? '';
  const isNewJob = known.jobs[name] === undefined;
  const previous = isNewJob ? await readOrNull(() => previousRun(run, parts), log) : null;
  const decided = decideNotifications({
    run,
    state:
      previous === null ? known : { ...known, jobs: { ...known.jobs, [name]: stateOfPrevious(previous) } },
    ages: webhook === null ? null : await readOrNull(() => readAges(parts), log),
    now: effects.now(),
  });
  let { state } = decided;
  for (const notification of decided.notifications) {
    if (webhook === null) {
      // Send no recovery message if no failure message was sent.
      if (notification.kind === 'recovery' || notification.kind === 'fresh')
        state = afterSending(state, notification, effects.now());
    } else if (await deliver(notification, parts)) {
      state = afterSending(state, notification, effects.now());
    }
  }
  writeNotifyState(path, state);
}

async function deliver(notification: Notification, parts: RunEndParts): Promise<boolean> {
  const { config, log } = parts;
  const { webhook } = config.notify;
  if (webhook === null) return false;
  const secrets = [webhook, ...config.accounts.map(({ apiKey }) => apiKey)];
  // All of undici: 30 ms of a start that most runs do not need.
  const { notificationText, postWebhook } = await import('./webhook.ts');
  const problem = await postWebhook(webhook, notificationText(notification, createRedactor(secrets)), parts);
  if (problem === null) log.info('notify.sent', { kind: notification.kind });
  else log.warn('notify.failed', { kind: notification.kind, reason: problem });
  return problem === null;
}

async function readOrNull<Result>(read: () => Promise<Result | null>, log: Log): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    log.warn('notify.state_unreadable', { reason: messageOf(error) });
    return null;
  }
}

/** A run of the journal. */
interface PreviousRun {
  status: RunStatus | 'running';
  exit_code: number | null;
  /** ISO instant. */
  started_at: string;
}

/** The newest finished run of the same job before this one. */
async function previousRun(run: FinishedRun, { config }: RunEndParts): Promise<PreviousRun | null> {
  const runs = finishedRuns(await readJournal(config.warehouse.path), run.job);
  return runs.find(({ run_id: runId }) => runId !== run.run_id) ?? null;
}

function stateOfPrevious({ status, exit_code: exitCode, started_at: since }: PreviousRun): JobState {
  const isTrouble = status === 'failed' || status === 'partial' || status === 'parked';
  if (!isTrouble || exitCode === null) return { trouble: null };
  const kind = status === 'failed' ? 'failure' : 'partial';
  return { trouble: { kind, exit_code: exitCode, since, told_at: null } };
}

/** An endpoint that was never answered is a failure, not stale. */
async function readAges({ config }: RunEndParts): Promise<EndpointAge[] | null> {
  const { readPublishedFacts } = await import('../serve/published-facts.ts');
  const known = await readPublishedFacts(config.warehouse.path);
  if (known === null) return null;
  return known.freshness.flatMap(({ isExpected, projectId, projectName, endpoint, lastCoveredDay }) => {
    if (!isExpected || lastCoveredDay === null) return [];
    return [{ project: projectName ?? projectId, endpoint, lastCoveredDay }];
  });
}
