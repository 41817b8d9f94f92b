import { countDays, dayOf, type Day } from '../../day.ts';
import type { RunFailure, RunReport } from '../../run/sync-request.ts';
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
export interface FinishedRun extends Pick<
  RunReport,
  | 'job'
  | 'status'
  | 'exit_code'
  | 'started_at'
  | 'finished_at'
  | 'requests'
  | 'slices_loaded'
  | 'slices_failed'
> {
  /** Null when the run failed before it was recorded. */
  run_id: string | null;
  failures: readonly Pick<RunFailure, 'project' | 'project_name' | 'endpoint' | 'class' | 'message'>[];
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

/** A message that is due, and what the state is to say once it was sent. */
interface DueNotification {
  notification: Notification;
  afterSending: Partial<NotifyState>;
}

/** Which notifications are due, and the state to keep if none of them can be delivered. */
export function decideNotifications(question: NotificationInput): {
  due: DueNotification[];
  state: NotifyState;
} {
  const ofRun = decideRunNotification(question);
  const ofAge = decideStaleNotification(question);
  return {
    due: [ofRun.due, ofAge.due].filter((one) => one !== null),
    state: { version: 1, jobs: ofRun.jobs, stale: ofAge.stale },
  };
}

function isDue(toldAt: string | null, repeatMs: number, nowMs: number): boolean {
  return toldAt === null || nowMs - Date.parse(toldAt) >= repeatMs;
}

function decideRunNotification({ run, state, now }: NotificationInput): {
  due: DueNotification | null;
  jobs: NotifyState['jobs'];
} {
  const name = run.job ?? '';
  const kind = troubleOf(run);
  // A stop by hand and a run that found the working file locked do not change the state of the data.
  if (kind === 'none') return { due: null, jobs: state.jobs };
  const jobsWith = (trouble: JobState['trouble']): NotifyState['jobs'] => ({
    ...state.jobs,
    [name]: { trouble },
  });
  const old = state.jobs[name]?.trouble ?? null;
  if (kind === 'ok') {
    const due =
      old === null
        ? null
        : {
            notification: { kind: 'recovery', run, since: old.since } as const,
            afterSending: { jobs: jobsWith(null) },
          };
    return { due, jobs: jobsWith(old) };
  }
  const isSame = old !== null && old.kind === kind && old.exit_code === run.exit_code;
  const since = old?.since ?? run.started_at;
  const trouble = { kind, exit_code: run.exit_code, since, told_at: isSame ? old.told_at : null };
  const notification = { kind, run, since, isRepeat: trouble.told_at !== null };
  const told = { ...trouble, told_at: new Date(now).toISOString() };
  return {
    due: isDue(trouble.told_at, REPEAT_MS, now)
      ? { notification, afterSending: { jobs: jobsWith(told) } }
      : null,
    jobs: jobsWith(trouble),
  };
}

function troubleOf(run: FinishedRun): 'ok' | 'none' | 'failure' | 'partial' {
  if (run.status === 'stopped' || run.exit_code === 6) return 'none';
  if (run.status === 'failed') return 'failure';
  return run.status === 'ok' ? 'ok' : 'partial';
}

function decideStaleNotification({ state: { stale: old }, ages, now }: NotificationInput): {
  due: DueNotification | null;
  stale: NotifyState['stale'];
} {
  if (ages === null) return { due: null, stale: old };
  const today = dayOf(now);
  const late = ages.filter(({ lastCoveredDay }) => countDays(lastCoveredDay, today) - 1 > LATE_DAYS);
  if (late.length === 0) {
    const due =
      old === null
        ? null
        : { notification: { kind: 'fresh', since: old.since } as const, afterSending: { stale: null } };
    return { due, stale: old };
  }
  const nowText = new Date(now).toISOString();
  const stale = old ?? { since: nowText, told_at: null };
  return {
    due: isDue(stale.told_at, STALE_REPEAT_MS, now)
      ? {
          notification: { kind: 'stale', stale: late },
          afterSending: { stale: { ...stale, told_at: nowText } },
        }
      : null,
    stale,
  };
}
