import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { readSetting, writeSettings } from '../warehouse/settings.ts';
import { RECORDS_SETTING, type Changes } from './compare.ts';

/** How a published file is made: `full` copies all rows and proves everything; `changed` replaces what differs in a copy of the last file. */
export type Strategy = 'full' | 'changed';

export interface Choice {
  strategy: Strategy;
  why: string;
  /** Something is odd, and people should know of it. */
  warning: string | null;
  /** The published file that the next one starts from; null in the strategy `full`. */
  last: PublishedRecord | null;
}

export interface Found {
  changes: Changes | null;
  records: readonly PublishedRecord[];
  /** Of the published file; null when it does not exist. */
  sha256: string | null;
  bytes: number;
  /** Milliseconds since the epoch. */
  now: number;
  program: string;
  /** A smaller file is rewritten, which takes no longer and leaves no gaps. */
  minBytes: number;
}

const WEEK_MS = 7 * 86_400_000;
const MAX_GROWTH = 4 / 3;
const MAX_CHANGED_SHARE = 1 / 3;

/** Chooses how to make the next published file. */
export function chooseStrategy(found: Found): Choice {
  const { changes, records, sha256, bytes, now, program } = found;
  const full = (why: string, warning: string | null = null): Choice => ({
    strategy: 'full',
    why,
    warning,
    last: null,
  });
  if (changes === null || sha256 === null) return full('nothing can be taken over');
  if (records.length === 0) return full('the working file has not published yet');
  const last = records.find((record) => record.sha256 === sha256);
  if (last === undefined) {
    return full(
      'it is another file',
      'the published file was not the one that answerlake wrote last (another program changed, restored or replaced it): it was rewritten from the working file',
    );
  }
  if (last.program !== program) return full('another version wrote it');
  const ageMs = now - last.provenAt;
  if (ageMs < 0 || ageMs >= WEEK_MS) return full('everything is proven once a week');
  if (bytes < found.minBytes) return full('it is small');
  if (bytes > last.compactBytes * MAX_GROWTH) return full('it grew by a third');
  if (changes.rows > changes.rowsInAll * MAX_CHANGED_SHARE) return full('a third of all rows changed');
  return { strategy: 'changed', why: 'part of it changed', warning: null, last };
}

/** What the working file remembers of a file that it published. */
const recordSchema = z.strictObject({
  sha256: z.string(),
  /** Milliseconds since the epoch when all views were created and all rows checked. */
  provenAt: z.number(),
  /** Size in bytes when all rows were last written. */
  compactBytes: z.number(),
  /** Program and database that wrote it. */
  program: z.string(),
});
export type PublishedRecord = z.output<typeof recordSchema>;

/** A kill can leave the file before the newest in place. */
const KEPT = 2;

/** The files that were published last, newest first. */
export async function readRecords(connection: Connection): Promise<PublishedRecord[]> {
  try {
    return z.array(recordSchema).parse(JSON.parse((await readSetting(connection, RECORDS_SETTING)) ?? '[]'));
  } catch {
    // Another version wrote it: its files are not known.
    return [];
  }
}

/** Remembers a file before it is put in place. */
export async function keepRecord(
  connection: Connection,
  record: PublishedRecord,
  earlier: readonly PublishedRecord[],
): Promise<void> {
  const value = JSON.stringify([record, ...earlier].slice(0, KEPT));
  await writeSettings(connection, { [RECORDS_SETTING]: value });
}

/** Takes 35 ms for a file of 40 MB; pieces of 64 KiB take 85 (measured). */
const READ_BYTES = 1024 * 1024;

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest('hex');
}
