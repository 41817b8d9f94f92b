import { z } from 'zod';
import type { Connection } from './connection.ts';
import { WarehouseError } from './failure.ts';
import { quoteLiteral } from './quote.ts';

const LEAST = '16MiB';
const limitRow = z.object({ value: z.string() });

/**
 * Gives back the blocks of files that DuckDB keeps in memory in case they are read again: it does so by itself only at its limit
 * (measured: 74 MiB of 275 after a first sync of 146,000 rows). What is in use stays.
 */
export async function releaseCache(connection: Connection): Promise<void> {
  const [before] = await connection.rowsAs(limitRow, `select current_setting('memory_limit') as value`);
  try {
    await connection.run(`set memory_limit = ${quoteLiteral(LEAST)}`);
  } catch (error) {
    // More is in use than the least; what was not is released before DuckDB says so.
    if (!(error instanceof WarehouseError) || error.problem !== 'out of memory') throw error;
  } finally {
    await connection.run(`set memory_limit = ${quoteLiteral(before?.value ?? '80%')}`);
  }
}
