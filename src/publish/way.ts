import type { Changes } from './changes.ts';
import type { PublishedRecord } from './record.ts';

/**
 * How a published file is made: `anew` creates tables and views, copies all rows and proves all; `rewritten` takes tables and views from the
 * last one and copies all rows; `changed` is a copy of the last one with the parts that differ replaced.
 */
export type Way = 'anew' | 'rewritten' | 'changed';

export interface Choice {
  way: Way;
  why: string;
  /** Something is odd, and people should know of it. */
  warning: string | null;
  /** The published file that the next one starts from; null in the way `anew`. */
  last: PublishedRecord | null;
}

export interface Circumstances {
  changes: Changes | null;
  records: readonly PublishedRecord[];
  /** Of the published file; null when there is none. */
  sha256: string | null;
  bytes: number;
  /** Milliseconds since the epoch. */
  now: number;
  program: string;
  /** A smaller file is written whole: that takes no longer and leaves no gaps. */
  leastBytes: number;
}

const WEEK_MS = 7 * 86_400_000;
const MOST_GROWTH = 4 / 3;
const MOST_CHANGED = 1 / 3;

/** Chooses the cheapest way that the published file allows. */
export function chooseWay(found: Circumstances): Choice {
  const { changes, records, sha256, bytes, now, program } = found;
  const anew = (why: string, warning: string | null = null): Choice => ({
    way: 'anew',
    why,
    warning,
    last: null,
  });
  if (changes === null || sha256 === null) return anew('nothing can be taken over');
  if (records.length === 0) return anew('the working file has not published yet');
  const last = records.find((record) => record.sha256 === sha256);
  if (last === undefined) {
    return anew(
      'it is another file',
      'the published file was not the one that answerlake wrote last (changed, restored or replaced by somebody): it was written anew from the working file',
    );
  }
  if (last.program !== program) return anew('another version wrote it');
  const ageMs = now - last.provenAt;
  if (ageMs < 0 || ageMs >= WEEK_MS) return anew('everything is proven once a week');
  const rewritten = (why: string): Choice => ({ way: 'rewritten', why, warning: null, last });
  if (bytes < found.leastBytes) return rewritten('it is small');
  if (bytes > last.compactBytes * MOST_GROWTH) return rewritten('it grew by a third');
  if (changes.rows > changes.rowsInAll * MOST_CHANGED) return rewritten('a third of all rows changed');
  return { way: 'changed', why: 'part of it changed', warning: null, last };
}
