import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { z } from 'zod';

const trouble = z.object({
  kind: z.enum(['failure', 'partial']),
  exit_code: z.number(),
  since: z.string(),
  told_at: z.string().nullable(),
});

const jobMemory = z.object({
  run_id: z.string().nullable(),
  status: z.string(),
  exit_code: z.number(),
  started_at: z.string(),
  finished_at: z.string(),
  last_success_at: z.string().nullable(),
  trouble: trouble.nullable(),
});

const runsFile = z.object({
  version: z.literal(1),
  jobs: z.record(z.string(), jobMemory),
  stale: z.object({ since: z.string(), told_at: z.string().nullable() }).nullable(),
});

/** What is remembered of a job's newest run. */
export type JobMemory = z.output<typeof jobMemory>;
/** The newest run of each job (`''`: runs by hand), and whether the data was stale. */
export type RunsMemory = z.output<typeof runsFile>;

export const NO_MEMORY: RunsMemory = { version: 1, jobs: {}, stale: null };

/** `data/answers.duckdb` has its runs file at `data/.answers.runs.json`. */
export function runsFilePath(publishedPath: string): string {
  const stem = basename(publishedPath, extname(publishedPath));
  return join(dirname(publishedPath), `.${stem}.runs.json`);
}

/** What earlier runs left behind; nothing when the file is missing or damaged: it is a memory, not a record. */
export function readRunsFile(path: string): RunsMemory {
  try {
    const parsed = runsFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : NO_MEMORY;
  } catch {
    return NO_MEMORY;
  }
}

/** Replaces the file in one step; creates no folder. @throws the file system's own error */
export function writeRunsFile(path: string, memory: RunsMemory): void {
  // A run that ended before anything was touched leaves nothing behind.
  if (!existsSync(dirname(path))) return;
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(memory, null, 2)}\n`);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
