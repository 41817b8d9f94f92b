import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { z } from 'zod';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const journal = z.object({
  version: z.literal(1),
  runs: z.array(z.looseObject({ run_id: z.string(), started_at: z.string() }).catchall(cell)),
  quotas: z.array(z.looseObject({ base_url: z.string(), learned_at: z.string() }).catchall(cell)),
});

/**
 * The newest runs and quotas as the working file knows them: rows of `meta.runs` and `meta.limits`, instants in ISO. A run
 * that changed nothing is not published, so the published file may not know it.
 */
export type RunJournal = z.output<typeof journal>;

/** `data/answers.duckdb` has its journal at `data/.answers.journal.json`. */
export function journalPath(publishedPath: string): string {
  const path = resolve(publishedPath);
  return join(dirname(path), `.${basename(path, extname(path))}.journal.json`);
}

/** Null when there is none or it cannot be read: it adds to what is published, nothing depends on it. */
export function readRunJournal(publishedPath: string): RunJournal | null {
  try {
    return journal.parse(JSON.parse(readFileSync(journalPath(publishedPath), 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the journal in one step. @throws the file system's own error */
export function writeRunJournal(publishedPath: string, content: RunJournal): void {
  const path = journalPath(publishedPath);
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(content)}\n`);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
