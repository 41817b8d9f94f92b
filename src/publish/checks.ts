import { z } from 'zod';
import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import { doubledKeys } from './core-sql.ts';

const MOST_OFFENDERS = 5;

const offenceRow = z.object({ place: z.string(), offender: z.string() });
type Offence = z.output<typeof offenceRow>;

/**
 * Checks the keys of `core` and runs every check in `sql/checks` on the current database. That every view can be read is proven
 * where it is created: DuckDB binds it then.
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
  return names;
}

function failed(connection: Connection, check: string, offences: readonly Offence[]): WarehouseError {
  const list = offences.map(({ place, offender }) => `${place}: ${offender}`).join('; ');
  return new WarehouseError(`check ${check} failed: ${list}`, {
    problem: 'check failed',
    path: connection.path,
  });
}
