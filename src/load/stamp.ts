import { quoteLiteral } from '../warehouse/quote.ts';
import type { LoadRun } from './load-run.ts';

/** What a statement writes into rows that it changes, as SQL. */
export interface Stamp {
  run: string;
  instant: string;
}

export function stampOf({ runId, startedAt }: Pick<LoadRun, 'runId' | 'startedAt'>): Stamp {
  const instant = new Date(startedAt).toISOString();
  return { run: quoteLiteral(runId), instant: `cast(${quoteLiteral(instant)} as timestamp)` };
}
