import { orNull } from '../../errors.ts';
import type { RunReport } from '../../run/run-to-end.ts';
import type { RunFailure } from '../../run/sync-request.ts';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../../files.ts';
import { beside } from '../../warehouse/database-files.ts';
import type { StaleEndpoint } from '../../warehouse/freshness.ts';

const alert = z.object({
  /** The job, `''` for manual runs, or the data. */
  of: z.string(),
  kind: z.enum(['failure', 'partial', 'stale']),
  exit_code: z.number(),
  since: z.string(),
  told_at: z.string().nullable(),
});

/** The fate of the newest message. */
const delivery = z.object({
  at: z.string(),
  /** Null if it arrived. */
  problem: z.string().nullable(),
  /** The webhook accepts no message before this instant; null if it named none. */
  not_before: z.string().nullable(),
});

const figure = z.number().nullable().default(null);

/** The history of a job that survives a restart of the daemon; milliseconds since the epoch. */
export const jobMemory = z.object({
  /** When a daemon first saw it. */
  knownSinceMs: figure,
  /** Newest run that ended, in any way. */
  lastEndMs: figure,
  lastSuccessMs: figure,
  lastExitCode: figure,
  /** Delay between its tick and the start of the newest run. */
  lastLatenessMs: figure,
});

const notifyState = z.object({
  version: z.literal(2),
  alerts: z.array(alert),
  /** Monday (UTC) of the week of the last weekly message. */
  week: z.string().nullable().default(null),
  /** Null before the first message. */
  delivery: delivery.nullable().default(null),
  jobs: z.record(z.string(), jobMemory).default({}),
});

/** A problem of a job or of the data's age, and when a message about it was sent. */
type Alert = z.output<typeof alert>;
export type NotifyState = z.output<typeof notifyState>;

export const NOTHING_SENT: NotifyState = { version: 2, alerts: [], week: null, delivery: null, jobs: {} };

/** `data/answers.duckdb` has the state of notifications and daemon at `data/.answers.runs.json`. */
export function notifyStatePath(publishedPath: string): string {
  return beside(publishedPath, 'runs.json');
}

/** States by path that could not be written, as on a full disk: this process goes by them until one can. */
const unwritten = new Map<string, NotifyState>();

/** The stored state; empty if the file is missing or damaged, which costs one repeated message at most. */
export function readNotifyState(path: string): NotifyState {
  const known = unwritten.get(path);
  if (known !== undefined) return known;
  return orNull(() => notifyState.parse(JSON.parse(readFileSync(path, 'utf8')))) ?? NOTHING_SENT;
}

/** Changes a part of the state, in one step; creates no folder. @throws the file system's own error; the change then holds in this process */
export function changeNotifyState(path: string, change: Partial<NotifyState>): void {
  // A run that fails before it touches anything must leave no file.
  if (!existsSync(dirname(path))) return;
  const state = { ...readNotifyState(path), ...change };
  unwritten.set(path, state);
  replaceFile(path, `${JSON.stringify(state, null, 2)}\n`, 0o600);
  unwritten.delete(path);
}

/** The facts of a run that any run has, even one that failed before it was recorded. */
type Told = 'job' | 'status' | 'exit_code' | 'started_at' | 'finished_at' | 'requests' | 'slices_loaded';

/** The part of a run report that a message shows. */
export interface FinishedRun extends Pick<RunReport, Told | 'slices_failed'> {
  /** Null when the run failed before it was recorded. */
  run_id: string | null;
  newly_known?: number;
  failures: readonly Pick<RunFailure, 'project' | 'project_name' | 'endpoint' | 'class' | 'message'>[];
}

/** An alert, or its end, that is worth a message. */
export interface Notification {
  alert: Alert;
  isOver: boolean;
  run: FinishedRun;
  stale: readonly StaleEndpoint[];
}

interface NotificationInput {
  run: FinishedRun;
  state: NotifyState;
  /** Endpoints whose newest answers are too old; null if unknown, for example before the first publish. */
  stale: readonly StaleEndpoint[] | null;
  /** Milliseconds since the epoch. */
  now: number;
}

const REPEAT_MS = 6 * 3_600_000;
const STALE_REPEAT_MS = 24 * 3_600_000;
/** Another run may hold the working file for hours; after a day, nothing was loaded for a day. */
const LOCKED_AFTER_MS = 24 * 3_600_000;

/** No job has these names. */
const DATA = '*';
const LOCK = '!';

/** The message due about a job or the data, and the alert to store. */
interface Decision {
  of: string;
  notification: Notification | null;
  /** Null: no alert. */
  kept: Alert | null;
  /** The alert once the message was delivered. */
  told: Alert | null;
}

/** The notifications that are due, and the state to store. */
export function decideNotifications({ run, state, stale: known, now }: NotificationInput): Decision[] {
  const nowText = new Date(now).toISOString();
  const stale = known ?? [];
  const decisions: Decision[] = [];
  const decide = (of: string, seen: Seen | null, { repeatMs = REPEAT_MS, afterMs = 0 } = {}): void => {
    const old = state.alerts.find((one) => one.of === of);
    if (seen === null) {
      if (old === undefined) return;
      // A problem that became known is still a problem, and an early end of a lock needs no message.
      const isKnown = old.kind === 'partial' && (run.newly_known ?? 0) > 0;
      const isSilent = isKnown || (afterMs > 0 && old.told_at === null);
      const notification = isSilent ? null : { alert: old, isOver: true, run, stale };
      decisions.push({ of, notification, kept: isSilent ? null : old, told: null });
      return;
    }
    const isSame = old?.kind === seen.kind && old.exit_code === seen.exit_code;
    const kept = { of, ...seen, since: old?.since ?? seen.since, told_at: isSame ? old.told_at : null };
    const passedMs = now - Date.parse(kept.told_at ?? kept.since);
    const isDue = passedMs >= (kept.told_at === null ? afterMs : repeatMs);
    const notification = isDue ? { alert: kept, isOver: false, run, stale } : null;
    decisions.push({ of, notification, kept, told: { ...kept, told_at: nowText } });
  };
  const { run_id: id, job, status, started_at: since, exit_code } = run;
  const isLocked = exit_code === LOCKED_CODE;
  const kind = status === 'failed' ? 'failure' : 'partial';
  const lock = isLocked ? ({ kind: 'failure', exit_code, since } as const) : null;
  const late = stale.length > 0 ? ({ kind: 'stale', exit_code: 0, since: nowText } as const) : null;
  // A manual stop, and a run that found the working file locked, do not change the state of the data.
  if (status !== 'stopped' && !isLocked)
    decide(job ?? '', status === 'ok' ? null : { kind, exit_code, since });
  // A run that ended before it opened the working file is no evidence about it.
  if (isLocked || id !== null) decide(LOCK, lock, { afterMs: LOCKED_AFTER_MS });
  if (known !== null) decide(DATA, late, { repeatMs: STALE_REPEAT_MS });
  return decisions;
}

/** A problem in a run. */
type Seen = Omit<Alert, 'of' | 'told_at'>;

const LOCKED_CODE = 6;
