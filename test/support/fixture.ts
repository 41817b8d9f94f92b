import type { Row } from '../../src/endpoints/table.ts';
import type { Slice } from '../../src/slice.ts';

/** What an endpoint is known by: a documented body and the rows that come out. */
export interface Fixture {
  /** As documented, with the values that break naive readers. */
  body: unknown;
  /** What the body proves: the rest of a sentence that starts with the endpoint's name. */
  shows: string;
  /** Table → rows, without the columns that come from the slice. */
  rows: Readonly<Record<string, readonly Row[]>>;
  /** How its slice differs from one of a whole project. */
  slice?: Partial<Slice>;
}

/** Epoch milliseconds. */
export function at(instant: string): number {
  return Date.parse(instant);
}
