import type { Reject } from '../believe/read-answer.ts';
import type { PreparedAnswer } from './prepare-answer.ts';
import type { RowCounts } from './row-counts.ts';

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
