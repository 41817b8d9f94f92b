import { z } from 'zod';
import { messageOf, storageError, orNull } from '../errors.ts';
import { sliceKey, sliceOfColumns, type ArchivedAnswer } from '../slice.ts';
import type { LoadRun } from './load-run.ts';
import { archiveFiles, headerSchema, lineSchema, runOfArchive, type ArchiveHeader } from './raw-archive.ts';
import { createReadStream, existsSync } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** An unreadable place in an archive file. */
export interface ArchiveDamage {
  path: string;
  /** 1-based. */
  line: number;
  what: string;
  /** True at the end of the file, where a kill during a write leaves half of a batch that was never loaded. */
  isTail: boolean;
}

/** Also the case for an archive of 0.1, which is not supported. */
const NO_HEADER = 'the first line does not name the warehouse and the run';
const NEWLINE = 0x0a;

/** Compressed bytes, in chunks. */
type Packed = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * The whole lines of an archive file, or of its bytes if given. Only `\n` ends a line: JSON texts may contain U+2028, at which
 * `readline` splits.
 * @throws the file system's own error
 */
export async function* archiveTexts(
  path: string,
  onDamage: (damage: ArchiveDamage) => void,
  packed: Packed = createReadStream(path),
): AsyncGenerator<string> {
  let line = 1;
  let rest: Buffer[] = [];
  let isBroken = false;
  const onBroken: OnBroken = (what, isTail) => {
    isBroken = true;
    onDamage({ path, line, what, isTail });
  };
  for await (const part of inflate(packed, onBroken)) {
    let start = 0;
    for (let end = part.indexOf(NEWLINE); end !== -1; end = part.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...rest, part.subarray(start, end)]).toString();
      rest = [];
      line += 1;
      start = end + 1;
    }
    if (start < part.length) rest.push(part.subarray(start));
  }
  if (!isBroken && rest.length > 0) onBroken('the line is cut off', true);
}

type OnBroken = (what: string, isTail: boolean) => void;

/** Everything that can be unpacked, up to the first damage. */
async function* inflate(source: Packed, onBroken: OnBroken): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const unpacked: Buffer[] = [];
  const errors: Error[] = [];
  gunzip.on('data', (part: Buffer) => unpacked.push(part));
  // Damage ends the stream without notifying the writer.
  const over = new Promise<void>((resolve) => {
    gunzip.on('end', resolve);
    gunzip.on('error', (error) => {
      errors.push(error);
      resolve();
    });
  });
  let size = 0;
  try {
    for await (const packed of source) {
      size += packed.length;
      if (errors.length === 0) {
        const written = new Promise<void>((resolve) => {
          gunzip.write(packed, () => resolve());
        });
        await Promise.race([written, over]);
      }
      yield* unpacked.splice(0);
    }
    if (errors.length === 0) {
      gunzip.end();
      await over;
      yield* unpacked.splice(0);
    }
    const [error] = errors;
    if (size === 0) onBroken('the file is empty', true);
    else if (error?.message.includes('unexpected end of file') === true)
      onBroken('the file is cut off', true);
    else if (error !== undefined) onBroken(`it cannot be unpacked (${error.message})`, false);
    // Bytes after a complete member that start no other one are skipped without an error.
    else if (gunzip.bytesWritten < size)
      onBroken(`bytes after ${String(gunzip.bytesWritten)} are not gzip`, false);
  } finally {
    gunzip.destroy();
  }
}

const readSchema = lineSchema.transform((read, context) => {
  const slice = sliceOfColumns({ ...read, project_id: read.project });
  if (slice !== null) return { ...read, slice };
  context.addIssue('the columns do not describe a slice');
  return z.NEVER;
});
type Line = z.output<typeof readSchema>;

/** An archive file with the run from its first line; null if no line can be read. */
export interface ArchivedRun {
  path: string;
  run: LoadRun | null;
}

/** An answer read back, with its run. */
export interface ReadAnswer {
  run: LoadRun;
  answer: ArchivedAnswer;
}

/** The files of an archive. @throws AnswerlakeError (storage) */
export async function listArchivedRuns(dir: string): Promise<ArchivedRun[]> {
  const runs: ArchivedRun[] = [];
  if (!existsSync(dir)) return runs;
  try {
    for (const { path } of await archiveFiles(dir)) runs.push({ path, run: await firstRun(path) });
  } catch (cause) {
    const what = [`${dir}: the raw archive cannot be read (${messageOf(cause)});`, 'check raw.dir'];
    throw storageError(what, cause);
  }
  return runs;
}

/** Runs in the order of their warehouse. */
export function inOrder(runs: readonly ArchivedRun[]): ArchivedRun[] {
  return runs.toSorted(
    (a, b) =>
      (a.run?.sequence ?? 0) - (b.run?.sequence ?? 0) ||
      (a.run?.startedAt ?? 0) - (b.run?.startedAt ?? 0) ||
      (a.path < b.path ? -1 : 1),
  );
}

/** The largest number of a run of `warehouse` in an archive, among the files of unknown runs; 0 if no number is larger. */
export async function newestSequence(
  dir: string,
  { warehouse, known }: { warehouse: string; known: ReadonlySet<string> },
): Promise<number> {
  let newest = 0;
  for (const { path } of await archiveFiles(dir).catch(() => [])) {
    if (known.has(runOfArchive(path))) continue;
    // An unreadable file is reported when its rows are read.
    const run = await firstRun(path).catch(() => null);
    if (run?.warehouse === warehouse) newest = Math.max(newest, run.sequence);
  }
  return newest;
}

async function firstRun(path: string): Promise<LoadRun | null> {
  for await (const { run } of readAnswers(path, () => undefined)) return run;
  return null;
}

/** The complete answers of one file, in order, read from `packed` if given; `onDamage` receives unreadable places. @throws the file system's own error */
export async function* readAnswers(
  path: string,
  onDamage: (damage: ArchiveDamage) => void,
  packed?: Packed,
): AsyncGenerator<ReadAnswer> {
  let pages: Line[] = [];
  let line = 0;
  let header: ArchiveHeader | null = null;
  const dropPages = (isTail: boolean): void => {
    const [first] = pages;
    if (first === undefined) return;
    const what = `${String(pages.length)} of ${String(first.pages)} pages of an answer`;
    onDamage({ path, line, what, isTail });
    pages = [];
  };
  for await (const text of archiveTexts(path, onDamage, packed)) {
    line += 1;
    if (header === null) {
      header = orNull(() => headerSchema.parse(JSON.parse(text)));
      if (header !== null) continue;
      onDamage({ path, line, what: NO_HEADER, isTail: false });
      return;
    }
    const read = orNull(() => readSchema.parse(JSON.parse(text)));
    if (read === null) {
      onDamage({ path, line, what: 'the line is no line of the archive', isTail: false });
      continue;
    }
    const [first = read] = pages;
    const isSame = sliceKey(read.slice) === sliceKey(first.slice) && read.window_start === first.window_start;
    const isNext = isSame && read.page === pages.length + 1;
    if (!isNext) {
      if (pages.length === 0)
        onDamage({ path, line, what: 'a page without the pages before it', isTail: false });
      dropPages(false);
      if (read.page !== 1) continue;
    }
    pages.push(read);
    if (pages.length < read.pages) continue;
    yield answerOf(read, pages, header);
    pages = [];
  }
  dropPages(true);
}

/** @param one the facts that each page repeats about its answer */
function answerOf(one: Line, pages: readonly Line[], header: ArchiveHeader): ReadAnswer {
  const { asked_start: askedStart, asked_end: askedEnd } = one;
  const { account, slice, limit, requests, timezone, asked_with: askedWith, incomplete, verdict } = one;
  const said = { account, slice, limit, requests, timezone, askedWith, incomplete, verdict };
  const run = {
    runId: one.run,
    startedAt: Date.parse(one.run_started_at),
    syncDay: one.sync_day,
    baseUrl: one.base_url,
    acceptShrink: one.accept_shrink,
    acceptScale: one.accept_scale ?? false,
    instants: one.instants ?? 'utc',
  };
  return {
    run: {
      ...run,
      sequence: header.sequence,
      warehouse: header.warehouse,
      lookbackDays: header.lookback_days,
      isWitness: header.is_witness,
      dropped: header.dropped ?? 0,
    },
    answer: {
      ...run,
      ...said,
      isOutage: one.outage,
      declared: pages[0]?.declared,
      asked: askedStart === null ? null : { start: askedStart, end: askedEnd ?? askedStart },
      pages: pages.map(({ page, status, fetched_at: fetchedAt, body }) => ({
        page,
        status,
        fetchedAt: Date.parse(fetchedAt),
        body,
      })),
    },
  };
}
