import { countDays, dayOf, type Day } from '../../day.ts';
import type { ErrorClass, ExitCode } from '../../errors.ts';
import type { RunStatus } from '../../run/sync-request.ts';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../replace-file.ts';

const trouble = z.object({
  kind: z.enum(['failure', 'partial']),
  exit_code: z.number(),
  since: z.string(),
  told_at: z.string().nullable(),
});

const jobState = z.object({ trouble: trouble.nullable() });

const notifyState = z.object({
  version: z.literal(1),
  jobs: z.record(z.string(), jobState),
  stale: z.object({ since: z.string(), told_at: z.string().nullable() }).nullable(),
});

/** The open failure of a job. */
export type JobState = z.output<typeof jobState>;
/** The last failure of each job (`''`: runs by hand), the last stale data, and when a message about each was sent. */
export type NotifyState = z.output<typeof notifyState>;

export const NOTHING_SENT: NotifyState = { version: 1, jobs: {}, stale: null };

/** `data/answers.duckdb` keeps the state of notifications at `data/.answers.runs.json`. */
export function notifyStatePath(publishedPath: string): string {
  const stem = basename(publishedPath, extname(publishedPath));
  return join(dirname(publishedPath), `.${stem}.runs.json`);
}

/** The stored state; empty if the file is missing or damaged, which costs one repeated message at most. */
export function readNotifyState(path: string): NotifyState {
  try {
    const parsed = notifyState.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : NOTHING_SENT;
  } catch {
    return NOTHING_SENT;
  }
}

/** Replaces the file in one step; creates no folder. @throws the file system's own error */
export function writeNotifyState(path: string, state: NotifyState): void {
  // A run that fails before it touches anything must leave no file.
  if (!existsSync(dirname(path))) return;
  replaceFile(path, `${JSON.stringify(state, null, 2)}\n`, 0o600);
}

/** The part of a run report that a message shows. */
export interface FinishedRun {
  /** Null when the run failed before it was recorded. */
  run_id: string | null;
  /** Null for a run by hand. */
  job: string | null;
  status: RunStatus;
  exit_code: ExitCode;
  /** ISO instants. */
  started_at: string;
  finished_at: string;
  requests: number;
  slices_loaded: number;
  slices_failed: number;
  failures: readonly {
    project: string | null;
    project_name?: string | null;
    endpoint: string | null;
    class: ErrorClass;
    message: string;
  }[];
}

/** An endpoint of a project whose answers end too early. */
export interface EndpointAge {
  project: string;
  endpoint: string;
  /** Newest day that an answer covers. */
  lastCoveredDay: Day;
}

/** An event that is worth a message. */
export type Notification =
  | { kind: 'failure' | 'partial'; run: FinishedRun; since: string; isRepeat: boolean }
  | { kind: 'recovery'; run: FinishedRun; since: string }
  | { kind: 'stale'; stale: readonly EndpointAge[] }
  | { kind: 'fresh'; since: string };

export interface NotificationInput {
  run: FinishedRun;
  state: NotifyState;
  /** Null if unknown, for example before the first publish. */
  ages: readonly EndpointAge[] | null;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Age of the newest covered day, beyond which data is stale. */
export const LATE_DAYS = 2;
const REPEAT_MS = 6 * 3_600_000;
const STALE_REPEAT_MS = 24 * 3_600_000;

/** Which notifications are due, and the state to keep if none of them can be delivered. */
export function decideNotifications(question: NotificationInput): {
  notifications: Notification[];
  state: NotifyState;
} {
  const ofRun = decideRunNotifications(question);
  const ofAge = decideStaleNotifications(question);
  return {
    notifications: [...ofRun.notifications, ...ofAge.notifications],
    state: { version: 1, jobs: ofRun.jobs, stale: ofAge.stale },
  };
}

/** The state after a notification was delivered. */
export function afterSending(state: NotifyState, notification: Notification, now: number): NotifyState {
  const toldAt = new Date(now).toISOString();
  switch (notification.kind) {
    case 'failure':
    case 'partial':
    case 'recovery': {
      const name = notification.run.job ?? '';
      const job = state.jobs[name];
      if (job === undefined) return state;
      const trouble =
        notification.kind === 'recovery' || job.trouble === null ? null : { ...job.trouble, told_at: toldAt };
      return { ...state, jobs: { ...state.jobs, [name]: { ...job, trouble } } };
    }
    case 'stale':
      return {
        ...state,
        stale: state.stale === null ? null : { ...state.stale, told_at: toldAt },
      };
    case 'fresh':
      return { ...state, stale: null };
    default:
      return notification satisfies never;
  }
}

function decideRunNotifications({ run, state, now }: NotificationInput): {
  notifications: Notification[];
  jobs: NotifyState['jobs'];
} {
  const name = run.job ?? '';
  const kind = troubleOf(run);
  // A stop by hand and a run that found the working file locked do not change the state of the data.
  if (kind === 'none') return { notifications: [], jobs: state.jobs };
  const jobsWith = (trouble: JobState['trouble']): NotifyState['jobs'] => ({
    ...state.jobs,
    [name]: { trouble },
  });
  const old = state.jobs[name]?.trouble ?? null;
  if (kind === 'ok') {
    return {
      notifications: old === null ? [] : [{ kind: 'recovery', run, since: old.since }],
      jobs: jobsWith(old),
    };
  }
  const isSame = old !== null && old.kind === kind && old.exit_code === run.exit_code;
  const toldAt = isSame ? old.told_at : null;
  const since = old?.since ?? run.started_at;
  const isDue = toldAt === null || now - Date.parse(toldAt) >= REPEAT_MS;
  return {
    notifications: isDue ? [{ kind, run, since, isRepeat: toldAt !== null }] : [],
    jobs: jobsWith({ kind, exit_code: run.exit_code, since, told_at: toldAt }),
  };
}

function troubleOf(run: FinishedRun): 'ok' | 'none' | 'failure' | 'partial' {
  if (run.status === 'stopped' || run.exit_code === 6) return 'none';
  if (run.status === 'failed') return 'failure';
  return run.status === 'ok' ? 'ok' : 'partial';
}

function decideStaleNotifications({ state, ages, now }: NotificationInput): {
  notifications: Notification[];
  stale: NotifyState['stale'];
} {
  const old = state.stale;
  if (ages === null) return { notifications: [], stale: old };
  const today = dayOf(now);
  const stale = ages.filter(({ lastCoveredDay }) => countDays(lastCoveredDay, today) - 1 > LATE_DAYS);
  if (stale.length === 0) {
    return { notifications: old === null ? [] : [{ kind: 'fresh', since: old.since }], stale: old };
  }
  const toldAt = old?.told_at ?? null;
  const isDue = toldAt === null || now - Date.parse(toldAt) >= STALE_REPEAT_MS;
  return {
    notifications: isDue ? [{ kind: 'stale', stale }] : [],
    stale: { since: old?.since ?? new Date(now).toISOString(), told_at: toldAt },
  };
}
