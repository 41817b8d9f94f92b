import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';
import { CHANGED_PARTS } from './changes.ts';
import { fromTable, inChangedPart, type Table } from './parts.ts';

/** Replaces the parts in `CHANGED_PARTS` of each table in the catalog `to` by those in the catalog `from`. */
export async function replaceParts(
  connection: Connection,
  { tables, from, to }: { tables: readonly Table[]; from: string; to: string },
): Promise<void> {
  for (const table of tables) {
    const rows = inChangedPart(table, CHANGED_PARTS);
    await connection.run(`delete from ${fromTable(table, to)} and ${rows}`);
    await connection.run(
      `insert into ${quoteIdentifier(to)}.${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)} select t.* from ${fromTable(table, from)} and ${rows}`,
    );
  }
}
