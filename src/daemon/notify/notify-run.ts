import type { Config } from '../../config/config.ts';
import type { Effects } from '../../effects.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createRedactor } from '../../redact.ts';
import type { RunStatus } from '../../run/sync-request.ts';
import type { FinishedRun } from './finished-run.ts';
import { messageOfNews } from './message.ts';
import { decideNews, remember, type EndpointAge, type News } from './news.ts';
import { readToldFile, toldFilePath, writeToldFile, type JobTold } from './told-file.ts';

/** A run as the journal knows it. */
export interface PreviousRun {
  status: RunStatus | 'running';
  exit_code: number | null;
  /** ISO instant. */
  started_at: string;
}

export interface NotifyParts {
  config: Pick<Config, 'warehouse' | 'accounts' | 'notify' | 'sync'>;
  log: Log;
  effects: Effects;
  signal: AbortSignal;
  /** The newest finished run of the same job before this one; asked only where nothing was told of the job. */
  previous: () => Promise<PreviousRun | null>;
  /** How far the published answers reach; asked only when somebody can be told. */
  ages: () => Promise<readonly EndpointAge[] | null>;
  timeoutMs?: number;
}

/** Remembers the run and tells the webhook what is worth telling. Never throws: a webhook never fails a run. */
export async function notifyRun(run: FinishedRun, parts: NotifyParts): Promise<void> {
  const { log } = parts;
  try {
    await tell(run, parts);
  } catch (error) {
    log.warn('notify.failed', { reason: messageOf(error) });
  }
}

async function tell(run: FinishedRun, parts: NotifyParts): Promise<void> {
  const { config, log, effects } = parts;
  const path = toldFilePath(config.warehouse.path);
  const { webhook } = config.notify;
  const known = readToldFile(path);
  const name = run.job ?? '';
  const previous = known.jobs[name] === undefined ? await quietly(parts.previous, log) : null;
  const decided = decideNews({
    run,
    told: previous === null ? known : { ...known, jobs: { ...known.jobs, [name]: toldOfPrevious(previous) } },
    ages: webhook === null ? null : await quietly(parts.ages, log),
    lookbackDays: config.sync.lookbackDays,
    now: effects.now(),
  });
  let { told } = decided;
  for (const news of decided.news) {
    if (webhook === null) {
      // Nobody is waiting for the end of a trouble that nobody was told of.
      if (news.kind === 'recovery' || news.kind === 'fresh') told = remember(told, news, effects.now());
    } else if (await deliver(news, parts)) {
      told = remember(told, news, effects.now());
    }
  }
  writeToldFile(path, told);
}

async function deliver(news: News, parts: NotifyParts): Promise<boolean> {
  const { config, log } = parts;
  const { webhook } = config.notify;
  if (webhook === null) return false;
  const secrets = [webhook, ...config.accounts.map(({ apiKey }) => apiKey)];
  // All of undici: 30 ms of a start that most runs do not need.
  const { postWebhook } = await import('./webhook.ts');
  const problem = await postWebhook(webhook, messageOfNews(news, createRedactor(secrets)), parts);
  if (problem === null) log.info('notify.sent', { kind: news.kind });
  else log.warn('notify.failed', { kind: news.kind, reason: problem });
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

function toldOfPrevious({ status, exit_code: exitCode, started_at: since }: PreviousRun): JobTold {
  const isTrouble = status === 'failed' || status === 'partial' || status === 'parked';
  if (!isTrouble || exitCode === null) return { trouble: null };
  const kind = status === 'failed' ? 'failure' : 'partial';
  return { trouble: { kind, exit_code: exitCode, since, told_at: null } };
}
