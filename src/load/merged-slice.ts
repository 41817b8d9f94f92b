import type { Reject } from '../believe/read-answer.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** What a merge did to one slice. */
export interface MergedSlice {
  /** Its number in the batch. */
  sliceNo: number;
  prepared: PreparedAnswer;
  counts: RowCounts;
  isSuspicious: boolean;
  /** Rows that another row of the same answer contradicts. */
  conflicts: Reject[];
}

/** What a merge does with a row; `lack`: an answer that does not reach it lacks it; `fill` gives a row that another endpoint made its first values of ours. */
export const ACTIONS = [
  'insert',
  'fill',
  'update',
  'empty',
  'unchanged',
  'delete',
  'remove',
  'lack',
  'keep',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Action → the count of its rows. */
const COUNTED = {
  insert: 'inserted',
  fill: 'inserted',
  update: 'updated',
  unchanged: 'unchanged',
  delete: 'deleted',
  remove: 'deleted',
  keep: null,
  lack: null,
  empty: null,
} as const satisfies Record<Action, keyof RowCounts | null>;

/**
 * What happened to the rows of a slice. Every received row is counted exactly once:
 * `received = inserted + updated + unchanged + deduplicated + rejected`.
 */
export class RowCounts {
  inserted = 0;
  updated = 0;
  deleted = 0;
  unchanged = 0;
  deduplicated = 0;
  /** Stored rows that the answer lacks or empties and that wait for a second answer. */
  held = 0;

  add(action: Action, rows: number): void {
    const count = COUNTED[action];
    if (count !== null) this[count] += rows;
  }

  get changed(): number {
    return this.inserted + this.updated + this.deleted;
  }
}
