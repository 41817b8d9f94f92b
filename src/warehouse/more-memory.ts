import type { Connection } from './connection.ts';
import { WarehouseError } from './failure.ts';

/**
 * Does work within the memory that DuckDB may use now; if that does not suffice, once more with `most`.
 * Only for work that leaves nothing behind when it fails.
 */
export async function withMoreMemory<Result>(
  connection: Connection,
  most: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WarehouseError) || error.problem !== 'out of memory') throw error;
    await connection.limitMemory(most);
    return await work();
  }
}
