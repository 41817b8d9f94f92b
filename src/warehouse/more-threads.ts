import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { Connection } from './connection.ts';

/** Two compare two million rows in 145 to 170 ms instead of 200 to 230 (measured); each takes memory of its own. */
const MOST_THREADS = 2;

const threadsRow = z.object({ threads: z.number() });

/** Does work of DuckDB for which everything else waits with more threads, where there are cores for them; afterwards it has those from before. */
export async function withMoreThreads<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  const [before] = await connection.rowsAs(threadsRow, `select current_setting('threads') as threads`);
  const threads = before?.threads ?? 1;
  await connection.run(
    `set threads = ${String(Math.max(threads, Math.min(availableParallelism(), MOST_THREADS)))}`,
  );
  try {
    return await work();
  } finally {
    await connection.run(`set threads = ${String(threads)}`);
  }
}
