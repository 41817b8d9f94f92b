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

/** The open trouble of a job. */
export type JobState = z.output<typeof jobState>;
/** The last trouble of each job (`''`: runs by hand) and of the data's age, with the time of its last message. */
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
