import { z } from 'zod';
import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { quoteLiteral, quoteIdentifier, readSqlFiles } from '../warehouse/sql.ts';

const MAX_OFFENDERS = 5;

const offenceRow = z.object({ place: z.string(), offender: z.string() });
type Offence = z.output<typeof offenceRow>;

/** One check, as one or more queries for rows that must not exist. */
interface Check {
  name: string;
  /** Several, because a single one would hold the memory of all at once. */
  queries: readonly string[];
}

/**
 * Runs every check on the current database of a connection; the names of the checks. That every view can be read is proven where it is
 * created: DuckDB binds it then.
 * @throws WarehouseError (storage) that names the failing check and up to 5 offenders
 */
export async function runChecks(connection: Connection): Promise<string[]> {
  const checks = allChecks();
  for (const { name, queries } of checks) {
    for (const query of queries) {
      const offences = await connection.rowsAs(
        offenceRow,
        `select * from (${query}\n) limit ${MAX_OFFENDERS}`,
      );
      if (offences.length > 0) throw failed(connection, name, offences);
    }
  }
  return checks.map(({ name }) => name);
}

/** First those of tables, then those of views. */
function allChecks(): Check[] {
  const keys = { name: 'unique_keys', queries: doubledKeys(coreKeys) };
  const files = readSqlFiles('checks').map(({ name, sql }) => ({ name, queries: statementsOf(sql) }));
  return [keys, ...files];
}

function statementsOf(sql: string): string[] {
  return sql.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== '');
}

function failed(connection: Connection, check: string, offences: readonly Offence[]): WarehouseError {
  const list = offences.map(({ place, offender }) => `${place}: ${offender}`).join('; ');
  return new WarehouseError(`check ${check} failed: ${list}`, {
    problem: 'check failed',
    path: connection.path,
  });
}

/** One query for each table, of keys that it holds twice. Nothing else keeps keys unique: the tables have no index. */
function doubledKeys(keys: ReadonlyMap<string, readonly string[]>): string[] {
  return [...keys].map(([table, key]) => {
    const columns = key.map((name) => quoteIdentifier(name)).join(', ');
    return (
      `select ${quoteLiteral(`core.${table}`)} as place, concat_ws(' | ', ${columns}) as offender ` +
      `from core.${quoteIdentifier(table)} group by ${columns} having count(*) > 1`
    );
  });
}
