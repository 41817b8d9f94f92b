import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { constants, createGunzip } from 'node:zlib';
import { z } from 'zod';
import { isDay } from '../day.ts';
import { AnswerlakeError, messageOf } from '../errors.ts';
import { sliceKey, sliceOfColumns, type ArchivedAnswer } from '../slice.ts';
import { daySchema } from '../day-schema.ts';
import type { LoadRun } from './load-run.ts';
import { sliceRow } from './slice-row.ts';

const columns = sliceRow.omit({ project_id: true }).extend({
  run: z.string(),
  run_started_at: z.iso.datetime(),
  sync_day: daySchema,
  base_url: z.string(),
  accept_shrink: z.boolean(),
  account: z.string(),
  project: z.string().nullable(),
  asked_start: daySchema.nullable(),
  asked_end: daySchema.nullable(),
  limit: z.number().nullable(),
  requests: z.number(),
  incomplete: z.string().exactOptional(),
  page: z.number(),
  pages: z.number(),
  fetched_at: z.iso.datetime(),
  status: z.number(),
  body: z.unknown(),
});

const line = columns.transform((read, context) => {
  const slice = sliceOfColumns({ ...read, project_id: read.project });
  if (slice !== null) return { ...read, slice };
  context.addIssue('the columns do not describe a slice');
  return z.NEVER;
});
type Line = z.output<typeof line>;

/** One run of the archive. */
export interface ArchivedRun {
  path: string;
  run: LoadRun;
}

/** An answer read back, with the run it belongs to. */
export interface ReadAnswer {
  run: LoadRun;
  answer: ArchivedAnswer;
}

/** The runs of an archive, oldest first. @throws AnswerlakeError (storage) */
export async function listArchivedRuns(dir: string): Promise<ArchivedRun[]> {
  const runs: ArchivedRun[] = [];
  for (const folder of (await names(dir)).filter(isDay)) {
    for (const name of (await names(join(dir, folder))).filter((file) => file.endsWith('.ndjson.gz'))) {
      const path = join(dir, folder, name);
      for await (const { run } of readAnswers(path)) {
        runs.push({ path, run });
        break;
      }
    }
  }
  return runs.sort((a, b) => a.run.startedAt - b.run.startedAt || (a.path < b.path ? -1 : 1));
}

async function names(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    throw new AnswerlakeError(`${dir}: the raw archive cannot be read (${messageOf(error)}); check raw.dir`, {
      class: 'storage',
      cause: error,
    });
  }
}

/** The complete answers of one file, in order; what a kill left incomplete at its end is skipped. */
export async function* readAnswers(path: string): AsyncGenerator<ReadAnswer> {
  let pages: Line[] = [];
  for await (const read of readLines(path)) {
    const isNext = read.page === pages.length + 1 && (read.page === 1 || isSameAnswer(read, pages[0]));
    pages = isNext ? [...pages, read] : read.page === 1 ? [read] : [];
    if (pages.length > 0 && pages.length === read.pages) {
      yield answerOf(pages);
      pages = [];
    }
  }
}

function isSameAnswer(a: Line, b: Line | undefined): boolean {
  return b !== undefined && sliceKey(a.slice) === sliceKey(b.slice) && a.window_start === b.window_start;
}

async function* readLines(path: string): AsyncGenerator<Line> {
  // Sync flush: an incomplete gzip member yields what it has instead of an error.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const source = createReadStream(path);
  source.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const text of createInterface({ input: source.pipe(gunzip), crlfDelay: Infinity })) {
      const parsed = parseLine(text);
      if (parsed !== null) yield parsed;
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function parseLine(text: string): Line | null {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function answerOf(pages: readonly Line[]): ReadAnswer {
  const [first] = pages;
  if (first === undefined) throw new RangeError('an answer has at least one page');
  const startedAt = Date.parse(first.run_started_at);
  const { asked_start: askedStart, asked_end: askedEnd } = first;
  return {
    run: {
      runId: first.run,
      startedAt,
      syncDay: first.sync_day,
      baseUrl: first.base_url,
      acceptShrink: first.accept_shrink,
    },
    answer: {
      runId: first.run,
      runStartedAt: startedAt,
      syncDay: first.sync_day,
      account: first.account,
      slice: first.slice,
      asked: askedStart === null || askedEnd === null ? null : { start: askedStart, end: askedEnd },
      limit: first.limit,
      requests: first.requests,
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
