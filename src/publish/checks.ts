import { z } from 'zod';
import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { quoteIdentifier } from '../warehouse/quote.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import { doubledKeys } from './core-sql.ts';
import { nameRow } from '../warehouse/name-row.ts';

const MOST_OFFENDERS = 5;

const offenceRow = z.object({ place: z.string(), offender: z.string() });
type Offence = z.output<typeof offenceRow>;

/**
 * Checks the keys of `core`, runs every check in `sql/checks` on the current database, and binds every view.
 * @returns the names of the checks
 * @throws WarehouseError (storage) that names the first failing check and up to 5 offenders
 */
export async function runChecks(connection: Connection): Promise<string[]> {
  const names: string[] = [];
  const checks = [
    { name: 'unique_keys', sql: doubledKeys(coreKeys, MOST_OFFENDERS) },
    ...readSqlFiles('checks'),
  ];
  for (const { name, sql } of checks) {
    const query = sql.trim().replace(/;$/, '');
    const offences = await connection.rowsAs(
      offenceRow,
      `select * from (${query}\n) limit ${MOST_OFFENDERS}`,
    );
    if (offences.length > 0) throw failed(connection, name, offences);
    names.push(name);
  }
  await bindViews(connection);
  return [...names, 'views_readable'];
}

/** Binding proves that tables, columns and types are there; with `limit 1`, DuckDB would run the whole view. */
async function bindViews(connection: Connection): Promise<void> {
  const views = await connection.rowsAs(
    nameRow,
    `select view_name as name from duckdb_views()
     where database_name = current_database() and schema_name = 'main' and not internal`,
  );
  for (const { name } of views) {
    try {
      await connection.rows(`select * from main.${quoteIdentifier(name)} limit 0`);
    } catch (error) {
      const offence = {
        place: `main.${name}`,
        offender: error instanceof Error ? error.message : String(error),
      };
      throw failed(connection, 'views_readable', [offence]);
    }
  }
}

function failed(connection: Connection, check: string, offences: readonly Offence[]): WarehouseError {
  const list = offences.map(({ place, offender }) => `${place}: ${offender}`).join('; ');
  return new WarehouseError(`check ${check} failed: ${list}`, {
    problem: 'check failed',
    path: connection.path,
  });
}
