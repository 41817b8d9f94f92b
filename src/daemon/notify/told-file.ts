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

const jobTold = z.object({ trouble: trouble.nullable() });

const toldFile = z.object({
  version: z.literal(1),
  jobs: z.record(z.string(), jobTold),
  stale: z.object({ since: z.string(), told_at: z.string().nullable() }).nullable(),
});

/** What the webhook knows of a job. */
export type JobTold = z.output<typeof jobTold>;
/** What was told of each job (`''`: runs by hand), and whether the data was stale. */
export type Told = z.output<typeof toldFile>;

export const NOTHING_TOLD: Told = { version: 1, jobs: {}, stale: null };

/** `data/answers.duckdb` keeps what was told at `data/.answers.runs.json`. */
export function toldFilePath(publishedPath: string): string {
  const stem = basename(publishedPath, extname(publishedPath));
  return join(dirname(publishedPath), `.${stem}.runs.json`);
}

/** What was told; nothing when the file is missing or damaged, which costs one repeated message at most. */
export function readToldFile(path: string): Told {
  try {
    const parsed = toldFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : NOTHING_TOLD;
  } catch {
    return NOTHING_TOLD;
  }
}

/** Replaces the file in one step; creates no folder. @throws the file system's own error */
export function writeToldFile(path: string, told: Told): void {
  // A run that ended before anything was touched leaves nothing behind.
  if (!existsSync(dirname(path))) return;
  replaceFile(path, `${JSON.stringify(told, null, 2)}\n`, 0o600);
}
