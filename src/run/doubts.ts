import { z } from 'zod';
import type { Connection } from '../warehouse/connection.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';

/** Sentences about stored figures that contradict each other; the figures stay. */
export async function readDoubts(connection: Connection): Promise<string[]> {
  const doubts: string[] = [];
  for (const { sql } of readSqlFiles('doubts')) {
    const rows = await connection.rowsAs(z.object({ doubt: z.string() }), sql.trim().replace(/;$/, ''));
    doubts.push(...rows.map(({ doubt }) => doubt));
  }
  return doubts;
}
