import { z } from 'zod';
import { addDays, type Day } from '../day.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';
import { transaction } from '../warehouse/transaction.ts';

/** Two clocks that are set may differ by a day; rows go only when no clock can explain them. */
const SLACK_DAYS = 2;

/** What a run took for answers although its days had not come yet. */
export interface ForgottenEntries {
  entries: number;
  /** The latest day that a clock was wrongly set to; null when there was none. */
  lastDay: string | null;
}

/**
 * Takes back what a run entered while its clock was ahead: days that count as answered before they came would never be asked
 * for. Figures of windows that end in the future go as well, since nothing would replace them.
 */
export async function forgetFutureEntries(connection: Connection, today: Day): Promise<ForgottenEntries> {
  const isFuture = 'window_start is not null and sync_day > cast($1 as date)';
  const [found] = await connection.rowsAs(
    z.object({ entries: z.number(), lastDay: z.string().nullable() }),
    `select count(*) as entries, cast(max(sync_day) as varchar) as "lastDay" from meta.slices where ${isFuture}`,
    [today],
  );
  if (found === undefined || found.entries === 0) return { entries: 0, lastDay: null };
  await transaction(connection, async () => {
    await connection.run(`delete from meta.slices where ${isFuture}`, [today]);
    for (const { table, column } of datedTables()) {
      await connection.run(
        `delete from core.${quoteIdentifier(table)} where ${column} > cast($1 as date) and ${column} <= cast($2 as date)`,
        [addDays(today, SLACK_DAYS), found.lastDay],
      );
    }
  });
  return found;
}

/** Tables whose rows belong to a day or to a window that ends on one. */
function datedTables(): { table: string; column: string }[] {
  return catalogue.flatMap(({ outputs }) =>
    outputs.flatMap(({ table, shape, key }) => {
      if (shape === 'window') return [{ table, column: 'window_end' }];
      return key.includes('date') ? [{ table, column: 'date' }] : [];
    }),
  );
}
