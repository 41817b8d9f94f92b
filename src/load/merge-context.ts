import type { Connection } from '../warehouse/connection.ts';
import type { LoadRun } from './load-unit.ts';

/** What every step of a merge needs. */
export interface MergeContext {
  connection: Connection;
  run: LoadRun;
  /** True when no row of any table is known to be vanishing. */
  nothingVanishes?: boolean;
}
