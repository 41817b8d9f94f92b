import { z } from 'zod';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { sliceKey, sliceOfColumns, type ArchivedAnswer } from '../slice.ts';
import { DEFAULT_LOOKBACK_DAYS, type LoadRun } from './load-run.ts';
import { archiveFiles, headerSchema, lineSchema, type ArchiveHeader } from './raw-archive.ts';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** A place of an archive file that cannot be read. */
export interface ArchiveDamage {
  path: string;
  /** 1-based. */
  line: number;
  what: string;
  /** True at the end of the file, where a kill while it is written leaves half of a batch that was never loaded. */
  isTail: boolean;
}

interface ArchiveText {
  /** 1-based. */
  line: number;
  text: string;
}

const NEWLINE = 0x0a;

/** Compressed bytes, some at a time. */
type Packed = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * The whole lines of an archive file, whose bytes are given where they are known already. A line ends at `\n` alone: JSON has U+2028 in its texts, and `readline` splits there.
 * @throws the file system's own error
 */
async function* archiveTexts(
  path: string,
  onDamage: (damage: ArchiveDamage) => void,
  packed: Packed = createReadStream(path),
): AsyncGenerator<ArchiveText> {
  let line = 1;
  let rest: Buffer[] = [];
  const reading = inflate(packed);
  for (;;) {
    const step = await reading.next();
    if (step.done === true) {
      const isCut = step.value === null ? rest.length > 0 : step.value.isCut;
      if (step.value !== null || isCut) {
        onDamage({ path, line, what: step.value?.what ?? 'the line is cut off', isTail: isCut });
      }
      return;
    }
    let start = 0;
    for (let end = step.value.indexOf(NEWLINE); end !== -1; end = step.value.indexOf(NEWLINE, start)) {
      yield { line, text: Buffer.concat([...rest, step.value.subarray(start, end)]).toString() };
      rest = [];
      line += 1;
      start = end + 1;
    }
    if (start < step.value.length) rest.push(step.value.subarray(start));
  }
}

/** Why nothing more can be unpacked. */
interface Broken {
  what: string;
  isCut: boolean;
}

/** Everything that can be unpacked, up to the first damage. */
async function* inflate(source: Packed): AsyncGenerator<Buffer, Broken | null> {
  const gunzip = createGunzip();
  const unpacked: Buffer[] = [];
  const errors: Error[] = [];
  gunzip.on('data', (part: Buffer) => unpacked.push(part));
  // A damage ends the stream without another word to the writer.
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
    if (size > 0 && errors.length === 0) {
      gunzip.end();
      await over;
      yield* unpacked.splice(0);
    }
    if (size === 0) return { what: 'the file is empty', isCut: true };
    const [error] = errors;
    if (error !== undefined) {
      const isCut = error.message.includes('unexpected end of file');
      return { what: isCut ? 'the file is cut off' : `it cannot be unpacked (${error.message})`, isCut };
    }
    // Bytes after a complete member that do not begin another one are skipped without an error.
    return gunzip.bytesWritten < size
      ? { what: `bytes after ${String(gunzip.bytesWritten)} are not gzip`, isCut: false }
      : null;
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

/** A file of the archive with the run that it says it is of; null when no line of it can be read. */
export interface ArchivedRun {
  path: string;
  run: LoadRun | null;
}

/** An answer read back, with the run it belongs to. */
export interface ReadAnswer {
  run: LoadRun;
  answer: ArchivedAnswer;
}

/** The files of an archive. @throws AnswerlakeError (storage) */
export async function listArchivedRuns(dir: string): Promise<ArchivedRun[]> {
  const runs: ArchivedRun[] = [];
  for (const { path } of await explained(dir, () => archiveFiles(dir))) {
    runs.push({ path, run: await firstRun(path) });
  }
  return runs;
}

/** Runs in the order of their warehouse. @param known run id → number, for files of an older program, which do not have it */
export function inOrder(runs: readonly ArchivedRun[], known: ReadonlyMap<string, number>): ArchivedRun[] {
  const sequenceOf = ({ run }: ArchivedRun): number =>
    run === null ? 0 : (run.sequence ?? known.get(run.runId) ?? 0);
  return runs.toSorted(
    (a, b) =>
      sequenceOf(a) - sequenceOf(b) ||
      (a.run?.startedAt ?? 0) - (b.run?.startedAt ?? 0) ||
      (a.path < b.path ? -1 : 1),
  );
}

async function firstRun(path: string): Promise<LoadRun | null> {
  return await explained(path, async () => {
    for await (const { run } of readAnswers(path, () => undefined)) return run;
    return null;
  });
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AnswerlakeError(
      `${path}: the raw archive cannot be read (${messageOf(error)}); check raw.dir`,
      {
        class: 'storage',
        cause: error,
      },
    );
  }
}

/** The complete answers of one file, in order, read from `packed` where its bytes are known already; what cannot be read is told to `onDamage`. @throws the file system's own error */
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
  for await (const found of archiveTexts(path, onDamage, packed)) {
    line = found.line;
    const read = parsed(readSchema, found.text);
    if (read === null && line === 1) header = parsed(headerSchema, found.text);
    if (read === null && header !== null && line === 1) continue;
    if (read === null) {
      onDamage({ path, line, what: 'the line is no line of the archive', isTail: false });
      continue;
    }
    const isNext = read.page === pages.length + 1 && (read.page === 1 || isSameAnswer(read, pages[0]));
    if (!isNext) {
      if (pages.length === 0)
        onDamage({ path, line, what: 'a page without the pages before it', isTail: false });
      dropPages(false);
      if (read.page !== 1) continue;
    }
    pages.push(read);
    if (pages.length < read.pages) continue;
    yield answerOf(pages, header);
    pages = [];
  }
  dropPages(true);
}

function isSameAnswer(a: Line, b: Line | undefined): boolean {
  return b !== undefined && sliceKey(a.slice) === sliceKey(b.slice) && a.window_start === b.window_start;
}

function parsed<Read>(schema: z.ZodType<Read>, text: string): Read | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function answerOf(pages: readonly Line[], header: ArchiveHeader | null): ReadAnswer {
  const [first] = pages;
  if (first === undefined) throw new RangeError('an answer has at least one page');
  const { asked_start: askedStart, asked_end: askedEnd } = first;
  const run = {
    runId: first.run,
    startedAt: Date.parse(first.run_started_at),
    syncDay: first.sync_day,
    baseUrl: first.base_url,
    acceptShrink: first.accept_shrink,
  };
  return {
    run: {
      ...run,
      sequence: header?.sequence ?? null,
      warehouse: header?.warehouse ?? null,
      lookbackDays: header?.lookback_days ?? DEFAULT_LOOKBACK_DAYS,
    },
    answer: {
      ...run,
      account: first.account,
      slice: first.slice,
      asked: askedStart === null || askedEnd === null ? null : { start: askedStart, end: askedEnd },
      limit: first.limit,
      requests: first.requests,
      ...(first.timezone === undefined ? {} : { timezone: first.timezone }),
      ...(first.asked_with === undefined ? {} : { askedWith: first.asked_with }),
      ...(first.incomplete === undefined ? {} : { incomplete: first.incomplete }),
      pages: pages.map(({ page, status, fetched_at: fetchedAt, body }) => ({
        page,
        status,
        fetchedAt: Date.parse(fetchedAt),
        body,
      })),
    },
  };
}
