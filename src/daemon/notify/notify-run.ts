import type { Config } from '../../config/config.ts';
import type { Effects } from '../../effects.ts';
import { messageOf } from '../../errors.ts';
import { type Log, createRedactor } from '../../log.ts';
import type { RunStatus } from '../../run/sync-request.ts';
import { notificationText } from './message.ts';
import {
  decideNotifications,
  afterSending,
  type EndpointAge,
  type FinishedRun,
  type Notification,
} from './decide-notifications.ts';
import { readNotifyState, notifyStatePath, writeNotifyState, type JobState } from './notify-state.ts';

/** A run of the journal. */
interface PreviousRun {
  status: RunStatus | 'running';
  exit_code: number | null;
  /** ISO instant. */
  started_at: string;
}

interface NotifyParts {
  config: Pick<Config, 'warehouse' | 'accounts' | 'notify' | 'sync'>;
  log: Log;
  effects: Effects;
  signal: AbortSignal;
  /** The newest finished run of the same job before this one; read only if the state holds no entry of the job. */
  previous: () => Promise<PreviousRun | null>;
  /** How far the published answers reach; read only if a webhook is configured. */
  ages: () => Promise<readonly EndpointAge[] | null>;
  timeoutMs?: number;
}

/** Records how the run ended and sends the notifications that are due. Never throws: a webhook never fails a run. */
export async function notifyRun(run: FinishedRun, parts: NotifyParts): Promise<void> {
  const { log } = parts;
  try {
    await sendDue(run, parts);
  } catch (error) {
    log.warn('notify.failed', { reason: messageOf(error) });
  }
}

async function sendDue(run: FinishedRun, parts: NotifyParts): Promise<void> {
  const { config, log, effects } = parts;
  const path = notifyStatePath(config.warehouse.path);
  const { webhook } = config.notify;
  const known = readNotifyState(path);
  const name = run.job ?? '';
  const previous = known.jobs[name] === undefined ? await quietly(parts.previous, log) : null;
  const decided = decideNotifications({
    run,
    state:
      previous === null ? known : { ...known, jobs: { ...known.jobs, [name]: stateOfPrevious(previous) } },
    ages: webhook === null ? null : await quietly(parts.ages, log),
    lookbackDays: config.sync.lookbackDays,
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

async function deliver(notification: Notification, parts: NotifyParts): Promise<boolean> {
  const { config, log } = parts;
  const { webhook } = config.notify;
  if (webhook === null) return false;
  const secrets = [webhook, ...config.accounts.map(({ apiKey }) => apiKey)];
  // All of undici: 30 ms of a start that most runs do not need.
  const { postWebhook } = await import('./webhook.ts');
  const problem = await postWebhook(webhook, notificationText(notification, createRedactor(secrets)), parts);
  if (problem === null) log.info('notify.sent', { kind: notification.kind });
  else log.warn('notify.failed', { kind: notification.kind, reason: problem });
  return problem === null;
}

async function quietly<Result>(ask: () => Promise<Result | null>, log: Log): Promise<Result | null> {
  try {
    return await ask();
  } catch (error) {
    log.warn('notify.state_unreadable', { reason: messageOf(error) });
    return null;
  }
}

function stateOfPrevious({ status, exit_code: exitCode, started_at: since }: PreviousRun): JobState {
  const isTrouble = status === 'failed' || status === 'partial' || status === 'parked';
  if (!isTrouble || exitCode === null) return { trouble: null };
  const kind = status === 'failed' ? 'failure' : 'partial';
  return { trouble: { kind, exit_code: exitCode, since, told_at: null } };
}
