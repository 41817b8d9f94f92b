import { existsSync } from 'node:fs';
import { readAge, type StaleEndpoint } from '../../warehouse/freshness.ts';
import { AnswerlakeError, exitCodeOf, messageOf } from '../../errors.ts';
import { createRedactor } from '../../redact.ts';
import type { Secret } from '../../secret.ts';
import type { RunReport, SyncContext, SyncRequest } from '../../run/sync-request.ts';
import {
  decideNotifications,
  dueWeek,
  notifyStatePath,
  readNotifyState,
  writeNotifyState,
  type FinishedRun,
  type Notification,
  type NotifyState,
} from './decide-notifications.ts';

type RunEndParts = Pick<SyncContext, 'config' | 'effects' | 'log' | 'signal'>;

/** Does a run and sends the notifications that are due; returns or throws what the run does. */
export async function runWithNotification(
  request: SyncRequest,
  parts: RunEndParts,
  run: () => Promise<RunReport>,
): Promise<RunReport> {
  const { webhook } = parts.config.notify;
  if (webhook === null) return await run();
  const startedAt = parts.effects.now();
  try {
    const report = await run();
    await notify(report, webhook, parts);
    return report;
  } catch (error) {
    // A project that no key reaches: the person who named it sees the message, and nothing was run.
    const isKnown = error instanceof AnswerlakeError;
    if (isKnown && error.class === 'configuration' && error.scope === 'project') throw error;
    const broken = brokenRun(error, { job: request.job, startedAt, finishedAt: parts.effects.now() });
    await notify(broken, webhook, parts);
    throw error;
  }
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
    failures: [
      { project: null, project_name: null, endpoint: null, class: errorClass, message: messageOf(error) },
    ],
  };
}

/** Sends the notifications that are due and remembers them. Never throws: a webhook never fails a run. */
async function notify(run: FinishedRun, webhook: Secret, parts: RunEndParts): Promise<void> {
  const { config, log, effects } = parts;
  try {
    const path = notifyStatePath(config.warehouse.path);
    const stale = await readStale(parts);
    const state = readNotifyState(path);
    let { alerts } = state;
    for (const decided of decideNotifications({ run, state, stale, now: effects.now() })) {
      const { of, notification, kept, told } = decided;
      const isTold = notification !== null && (await deliver(notification, webhook, parts));
      const others = alerts.filter((one) => one.of !== of);
      const alert = isTold ? told : kept;
      alerts = alert === null ? others : [...others, alert];
    }
    const week = await tellWeek(run, state, { webhook, parts });
    writeNotifyState(path, { ...state, alerts, week });
  } catch (error) {
    log.warn('notify.failed', { reason: messageOf(error) });
  }
}

/** Once a week, after a run that loaded: why visibility moved. The week that was told last. */
async function tellWeek(
  { status }: FinishedRun,
  { week: told }: NotifyState,
  { webhook, parts }: { webhook: Secret; parts: RunEndParts },
): Promise<string | null> {
  const { config, effects, log } = parts;
  const week = dueWeek(told, effects.now());
  if (week === null || (status !== 'ok' && status !== 'partial')) return told;
  const { readWeek } = await import('./webhook.ts');
  const projects = await readWeek(config.warehouse.path);
  if (projects.length === 0) return told;
  const { postWebhook, weekText } = await import('./webhook.ts');
  const problem = await postWebhook(webhook, weekText(projects, redactorOf(config, webhook)), parts);
  const fields = { kind: 'week', is_over: false };
  if (problem === null) log.info('notify.sent', fields);
  else log.warn('notify.failed', { ...fields, reason: problem });
  return problem === null ? week : told;
}

function redactorOf(config: RunEndParts['config'], webhook: Secret): (text: string) => string {
  return createRedactor([webhook, ...config.accounts.map(({ apiKey }) => apiKey)]);
}

async function deliver(notification: Notification, webhook: Secret, parts: RunEndParts): Promise<boolean> {
  const { config, log } = parts;
  // All of undici: 30 ms of a start that most runs do not need.
  const { notificationText, postWebhook } = await import('./webhook.ts');
  const problem = await postWebhook(
    webhook,
    notificationText(notification, redactorOf(config, webhook)),
    parts,
  );
  const fields = { kind: notification.alert.kind, is_over: notification.isOver };
  if (problem === null) log.info('notify.sent', fields);
  else log.warn('notify.failed', { ...fields, reason: problem });
  return problem === null;
}

/** Endpoints whose newest answers are too old; null if unknown. An endpoint that was never answered is a failure, not stale. */
async function readStale({ config, effects, log }: RunEndParts): Promise<readonly StaleEndpoint[] | null> {
  const { path } = config.warehouse;
  const { openPublishedFile } = await import('../../publish/published-file.ts');
  if (!existsSync(path)) return null;
  try {
    await using file = await openPublishedFile(path, { threads: 1 });
    const age = await readAge(file, { now: effects.now(), maxAgeMs: config.freshness.maxAge });
    return age?.stale ?? null;
  } catch (error) {
    log.warn('notify.state_unreadable', { reason: messageOf(error) });
    return null;
  }
}
