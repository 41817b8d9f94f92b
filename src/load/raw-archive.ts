import { appendFile, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { z } from 'zod';
import { addDays, dayOf, daySchema, isDay, type Day } from '../day.ts';
import { codeOf, messageOf, storageError } from '../errors.ts';
import { startOfRun, type LoadRun } from './load-run.ts';
import { flatSlice, IGNORED, INSTANTS, sliceRow, type ArchivedAnswer } from '../slice.ts';
import { jsonOf } from '../redact.ts';

const compress = promisify(gzip);

const EXTENSION = '.ndjson.gz';
/** Only the user who runs the sync may read answers. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** Characters per gzip member. */
const MEMBER_LENGTH = 1_048_576;

/** The first line of a file: its warehouse and its run. */
export const headerSchema = z.strictObject({
  warehouse: z.string(),
  run: z.string(),
  /** Number of the run in its warehouse. */
  sequence: z.int(),
  /** `lookback_days` of the configuration. */
  lookback_days: z.int(),
  /** Absent in files of 0.2.0. */
  is_witness: z.boolean().default(true),
  /** Answers that were taken out of the file with their endpoint. */
  dropped: z.int().optional(),
});
export type ArchiveHeader = z.output<typeof headerSchema>;

/** One page of an answer as one line of the archive; columns are named as in `meta.slices`. */
export const lineSchema = sliceRow.omit({ project_id: true }).extend({
  run: z.string(),
  run_started_at: z.iso.datetime(),
  sync_day: daySchema,
  base_url: z.string(),
  accept_shrink: z.boolean(),
  /** Left out if false. */
  accept_scale: z.boolean().optional(),
  /** Left out if `utc`. */
  instants: z.enum(INSTANTS).optional(),
  account: z.string(),
  project: z.string().nullable(),
  asked_start: daySchema.nullable(),
  asked_end: daySchema.nullable(),
  limit: z.number().nullable(),
  requests: z.number(),
  /** Left out if the request carries no zone. */
  timezone: z.string().optional(),
  /** Left out if no settings are part of the request. */
  asked_with: z.string().optional(),
  /** Declaration of the endpoint, on the first page; left out for a built-in one. */
  declared: z.string().optional(),
  /** Left out if the pages are the whole list. */
  incomplete: z.string().optional(),
  /** Left out unless the server failed at a page. */
  outage: z.boolean().optional(),
  /** Left out if nothing was proven against the answer. */
  verdict: z.enum(IGNORED).optional(),
  page: z.number(),
  pages: z.number(),
  fetched_at: z.iso.datetime(),
  status: z.number(),
  body: z.unknown(),
});

/** Every answered body, as `raw/<sync day>/<run id>.ndjson.gz`, in gzip members: a kill damages only the last one. */
export class RawArchive {
  readonly path: string;
  readonly #directory: string;
  /** The first line; empty once written. */
  #header: string;
  #isReady = false;
  /** Lines that wait to be written. */
  #text = '';
  #written: Promise<void> = Promise.resolve();

  constructor(dir: string, run: LoadRun) {
    this.path = archivePath(dir, run.syncDay, run.runId);
    this.#directory = dirname(this.path);
    this.#header = headerText(run);
  }

  /** True once a line was written. */
  get isWritten(): boolean {
    return this.#isReady;
  }

  /** Accepts an answer, which is compressed and written in the background; it is in the file once `flush` has resolved. */
  add(answer: ArchivedAnswer): void {
    for (const text of textsOf([answer])) {
      this.#text += this.#header + text;
      this.#header = '';
      if (this.#text.length >= MEMBER_LENGTH) this.#send();
    }
  }

  /** Waits until every answer so far is in the file. @throws AnswerlakeError (storage) */
  async flush(): Promise<void> {
    this.#send();
    await this.#written;
  }

  #send(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#written = this.#written.then(() => this.#write(text));
    // `flush` throws it; until then no handler is attached.
    this.#written.catch(() => undefined);
  }

  async #write(text: string): Promise<void> {
    try {
      if (!this.#isReady) await mkdir(this.#directory, { recursive: true, mode: PRIVATE_FOLDER });
      this.#isReady = true;
      // Sync to disk, because the ledger relies on it: a power cut may lose data that the system has only buffered.
      await appendFile(this.path, await compress(text), { mode: PRIVATE_FILE, flush: true });
    } catch (error) {
      const isReadOnly = codeOf(error) === 'EROFS';
      const todo = isReadOnly
        ? 'mount its file system for writing, or set another raw.dir, then run again'
        : 'free some disk space or fix the permissions of the folder, then run again';
      const what = `${this.path}: the raw archive cannot be written (${messageOf(error)})`;
      throw storageError([`${what};`, todo], error);
    }
  }
}

/** An archive file with these answers, as texts of bounded length. */
export function* archiveTextsOf(run: LoadRun, answers: readonly ArchivedAnswer[]): Generator<string> {
  yield headerText(run);
  yield* textsOf(answers);
}

function headerText({ warehouse, runId, sequence, lookbackDays, isWitness }: LoadRun): string {
  const days = { lookback_days: lookbackDays, is_witness: isWitness };
  const header: ArchiveHeader = { warehouse, run: runId, sequence, ...days };
  return `${JSON.stringify(header)}\n`;
}

/** The lines of the answers in texts of bounded length: a single string may exceed the length limit of strings. */
function* textsOf(answers: readonly ArchivedAnswer[]): Generator<string> {
  let text = '';
  for (const answer of answers) {
    for (const line of archiveLines(answer)) {
      text += `${jsonOf(line)}\n`;
      if (text.length < MEMBER_LENGTH) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

function archiveLines(answer: ArchivedAnswer): z.output<typeof lineSchema>[] {
  const { asked } = answer;
  const { project_id: project, ...slice } = flatSlice(answer.slice);
  return answer.pages.map((page) => ({
    run: answer.runId,
    run_started_at: new Date(answer.startedAt).toISOString(),
    sync_day: answer.syncDay,
    base_url: answer.baseUrl,
    accept_shrink: answer.acceptShrink,
    ...(answer.acceptScale ? { accept_scale: true } : {}),
    ...(answer.instants === 'utc' ? {} : { instants: answer.instants }),
    account: answer.account,
    project,
    ...slice,
    asked_start: asked?.start ?? null,
    asked_end: asked?.end ?? null,
    limit: answer.limit,
    requests: answer.requests,
    timezone: answer.timezone,
    asked_with: answer.askedWith,
    declared: page.page === 1 ? answer.declared : undefined,
    incomplete: answer.incomplete,
    outage: answer.isOutage,
    verdict: answer.verdict,
    page: page.page,
    pages: answer.pages.length,
    fetched_at: new Date(page.fetchedAt).toISOString(),
    status: page.status,
    body: page.body,
  }));
}

/** The path of a run's answers. */
export function archivePath(dir: string, syncDay: Day, runId: string): string {
  return join(dir, syncDay, runId + EXTENSION);
}

/** The path of one part of a run's answers, if they are stored in parts. */
export function archivePartPath(dir: string, { syncDay, runId }: LoadRun, part: string): string {
  return join(dir, syncDay, `${runId}.${part}${EXTENSION}`);
}

/** Whether a file holds one part of the answers of its run. */
export function isArchivePart(path: string): boolean {
  return basename(path) !== runOfArchive(path) + EXTENSION;
}

/** The inverse of `archivePath` and `archivePartPath`. */
export function runOfArchive(path: string): string {
  return basename(path, EXTENSION).replace(/\..*$/, '');
}

/** A file of the archive. */
export interface ArchiveFile {
  path: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** The files that runs wrote, by sync day; other files are ignored. @throws the file system's own error */
export async function archiveFiles(dir: string): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  const folders = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const days = folders.map(({ name }) => name).filter(isDay);
  for (const day of days.sort()) {
    for (const name of (await readdir(join(dir, day))).sort()) {
      const startedAt = name.endsWith(EXTENSION) ? startOfRun(runOfArchive(name)) : undefined;
      if (startedAt !== undefined) files.push({ path: join(dir, day, name), startedAt });
    }
  }
  return files;
}

interface Retention {
  /** Milliseconds since the epoch. */
  now: number;
  keepDays: number;
  /**
   * If false, a clock that is wrong for a night cannot empty the archive: age counts from the newest run before this one, and at
   * most a tenth of the files, or those of the two oldest days, are removed.
   */
  isAll: boolean;
}

const MAX_SHARE = 0.1;
/** One day would never make up for a missed night. */
const MAX_DAYS = 2;

/** Removes the files of runs that began more than `keepDays` ago, oldest first, and folders that become empty. Never rejects: the next run tries again. */
export async function pruneRawArchive(dir: string, { now, keepDays, isAll }: Retention) {
  const files: ArchiveFile[] = await archiveFiles(dir).catch(() => []);
  const starts = [...new Set(files.map(({ startedAt }) => startedAt))].toSorted((a, b) => b - a);
  const [, before = Number.NEGATIVE_INFINITY] = starts;
  // Use the clock, because a run may treat any other day as today.
  const clock = isAll ? now : Math.min(now, before);
  const removed: string[] = [];
  /** Why other files could not be removed. */
  const failures: string[] = [];
  if (!Number.isFinite(clock)) return { removed, kept: 0, failures };
  const oldest = addDays(dayOf(clock), -keepDays);
  const old = files
    .filter(({ startedAt }) => dayOf(startedAt) < oldest)
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const [, last] = [...new Set(old.map(({ startedAt }) => dayOf(startedAt)))].slice(0, MAX_DAYS);
  const ofOldestDays = old.filter(({ startedAt }) => last === undefined || dayOf(startedAt) <= last).length;
  const most = isAll ? old.length : Math.max(ofOldestDays, Math.floor(files.length * MAX_SHARE));
  for (const { path } of old.slice(0, most)) {
    try {
      await rm(path, { force: true });
      removed.push(path);
    } catch (error) {
      failures.push(`${path}: ${messageOf(error)}`);
    }
  }
  for (const folder of new Set(removed.map((path) => dirname(path)))) {
    // Fails while the folder contains other files.
    await rmdir(folder).catch(() => undefined);
  }
  return { removed, kept: Math.max(0, old.length - most), failures };
}
