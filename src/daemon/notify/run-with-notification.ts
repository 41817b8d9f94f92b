import { existsSync } from 'node:fs';
import { dayOf, periodStart } from '../../day.ts';
import { readAge, type StaleEndpoint } from '../../warehouse/freshness.ts';
import { AnswerlakeError, exitCodeOf, messageOf } from '../../errors.ts';
import { openPublishedFile } from '../../publish/published-file.ts';
import type { Config } from '../../config/config.ts';
import { secretsOf } from '../../config/file.ts';
import { createRedactor } from '../../redact.ts';
import type { Secret } from '../../secret.ts';
import type { RunReport } from '../../run/run-to-end.ts';
import type { Surroundings, SyncRequest } from '../../run/sync-request.ts';
import * as decisions from './decide-notifications.ts';
import type { WebhookMessage } from './webhook.ts';

type RunEndParts = Surroundings & { config: Config };
type Run = () => Promise<RunReport>;

/** Performs a run and sends the notifications that are due; returns or throws the run's outcome. */
export async function runWithNotification(request: SyncRequest, parts: RunEndParts, run: Run) {
  const { webhook } = parts.config.notify;
  if (webhook === null) return await run();
  const startedAt = parts.effects.now();
  try {
    const report = await run();
    await notify(report, webhook, parts);
    return report;
  } catch (error) {
    const known = error instanceof AnswerlakeError ? error : null;
    const errorClass = known?.class ?? 'bug';
    // A requested project that no key reaches: the person who named it sees the message, and nothing ran.
    if (errorClass === 'configuration' && known?.scope === 'project') throw error;
    const place = { project: null, project_name: null, endpoint: null };
    const broken: decisions.FinishedRun = {
      run_id: null,
      job: request.job,
      status: errorClass === 'stopped' ? 'stopped' : 'failed',
      exit_code: exitCodeOf(error),
      started_at: new Date(startedAt).toISOString(),
      finished_at: new Date(parts.effects.now()).toISOString(),
      requests: 0,
      slices_loaded: 0,
      slices_failed: 0,
      failures: [{ ...place, class: errorClass, message: messageOf(error) }],
    };
    await notify(broken, webhook, parts);
    throw error;
  }
}

/** Sends the due notifications and stores them. Never throws: a webhook never fails a run. */
async function notify(run: decisions.FinishedRun, webhook: Secret, parts: RunEndParts): Promise<void> {
  const { config, log, effects } = parts;
  const redact = createRedactor(secretsOf(config));
  const send = async (message: WebhookMessage, kind: string, isOver = false): Promise<boolean> => {
    const problem = await deliver(webhook, message, parts);
    const fields = { kind, is_over: isOver };
    if (problem === null) log.info('notify.sent', fields);
    else log.warn('notify.failed', { ...fields, reason: problem });
    return problem === null;
  };
  const path = decisions.notifyStatePath(config.warehouse.path);
  const store = (change: Partial<decisions.NotifyState>): void => {
    try {
      decisions.changeNotifyState(path, change);
    } catch (error) {
      log.warn('notify.not_stored', { reason: messageOf(error) });
    }
  };
  try {
    const { notificationText, readWeek } = await import('./webhook.ts');
    const stale = await readStale(parts);
    const state = decisions.readNotifyState(path);
    const now = effects.now();
    let { alerts } = state;
    const decided = decisions.decideNotifications({ run, state, stale, now });
    for (const { of, notification: due, kept, told } of decided) {
      const isTold = due && (await send(notificationText(due, redact), due.alert.kind, due.isOver));
      const alert = isTold ? told : kept;
      alerts = [...alerts.filter((one) => one.of !== of), ...(alert === null ? [] : [alert])];
    }
    store({ alerts });
    // Once a week, after a run that loaded: why visibility moved.
    const monday = periodStart(dayOf(now), 'week');
    const hasLoaded = run.status === 'ok' || run.status === 'partial';
    const weekly =
      hasLoaded && (state.week ?? '') < monday ? await readWeek(config.warehouse.path, redact) : null;
    if (weekly !== null && (await send(weekly, 'week'))) store({ week: monday });
  } catch (error) {
    log.warn('notify.failed', { reason: messageOf(error) });
  }
}

/** Posts a message, unless the webhook asked for a pause, and stores its fate if it can; returns the problem, null without one. */
export async function deliver(webhook: Secret, message: WebhookMessage, parts: Omit<RunEndParts, 'log'>) {
  const { config, effects } = parts;
  const path = decisions.notifyStatePath(config.warehouse.path);
  const before = decisions.readNotifyState(path).delivery;
  if (before !== null && Date.parse(before.not_before ?? '') > effects.now())
    return `${before.problem ?? ''}, and wants no message before ${before.not_before ?? ''}`;
  const { postWebhook } = await import('./webhook.ts');
  const { problem, waitMs } = await postWebhook(webhook, message, parts);
  const instant = (inMs: number): string => new Date(effects.now() + inMs).toISOString();
  const delivery = { at: instant(0), problem, not_before: waitMs === null ? null : instant(waitMs) };
  try {
    decisions.changeNotifyState(path, { delivery });
  } catch {
    // The message has arrived or not all the same; storing the alerts names the reason.
  }
  return problem;
}

/** Endpoints whose newest answers are too old; null if unknown. An endpoint without any answer counts as a failure, not as stale. */
async function readStale({ config, effects, log }: RunEndParts): Promise<readonly StaleEndpoint[] | null> {
  const { path } = config.warehouse;
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
