import { z } from 'zod';
import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { quoteLiteral } from '../warehouse/quote.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import { releaseCache } from '../warehouse/less-memory.ts';
import { CHANGED_PARTS, type Changes } from './changes.ts';
import { doubledKeys } from './core-sql.ts';
import { dayColumn, inChangedPart } from './parts.ts';

const MOST_OFFENDERS = 5;
/** Above this many days, a list of them costs more than looking at all. */
const MOST_DAYS = 400;

const offenceRow = z.object({ place: z.string(), offender: z.string() });
type Offence = z.output<typeof offenceRow>;

/**
 * Checks the current database: with `changes` the keys and days that these touch, else all keys and everything in `sql/checks`.
 * That every view can be read is proven where it is created: DuckDB binds it then.
 * @returns the names of the checks
 * @throws WarehouseError (storage) that names the first failing check and up to 5 offenders
 */
export async function runChecks(connection: Connection, changes: Changes | null): Promise<string[]> {
  const names: string[] = [];
  for (const { name, queries } of checksOf(changes)) {
    for (const query of queries) {
      await releaseCache(connection);
      const offences = await connection.rowsAs(
        offenceRow,
        `select * from (${query}\n) limit ${MOST_OFFENDERS}`,
      );
      if (offences.length > 0) throw failed(connection, name, offences);
    }
    names.push(name);
  }
  return names;
}

interface Check {
  name: string;
  /** They run one after the other: a single one would hold the memory of all at once. */
  queries: readonly string[];
}

function checksOf(changes: Changes | null): Check[] {
  const always = readSqlFiles('checks/always').map(({ name, sql }) => ({
    name,
    queries: statementsOf(sql.replaceAll('{{touched}}', touchedDays(changes))),
  }));
  if (changes === null) {
    const anew = readSqlFiles('checks/anew').map(({ name, sql }) => ({ name, queries: statementsOf(sql) }));
    return [{ name: 'unique_keys', queries: doubledKeys(coreKeys, MOST_OFFENDERS) }, ...always, ...anew];
  }
  const touched = changes.tables.filter(({ schema }) => schema === 'core');
  const keys = new Map(touched.flatMap(({ name }) => [[name, coreKeys.get(name) ?? []] as const]));
  if (keys.size === 0) return always;
  // A key that holds its day can be doubled within the day only.
  const only = (name: string): string => {
    const table = { schema: 'core', name };
    return dayColumn(table) === null ? 'true' : inChangedPart(table, CHANGED_PARTS);
  };
  return [{ name: 'unique_keys', queries: doubledKeys(keys, MOST_OFFENDERS, only) }, ...always];
}

function statementsOf(sql: string): string[] {
  return sql.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== '');
}

function touchedDays(changes: Changes | null): string {
  if (changes === null || changes.days.length > MOST_DAYS) return 'true';
  const days = changes.days.map((day) => `date ${quoteLiteral(day)}`).join(', ');
  return days === '' ? 'false' : `date in (${days})`;
}

function failed(connection: Connection, check: string, offences: readonly Offence[]): WarehouseError {
  const list = offences.map(({ place, offender }) => `${place}: ${offender}`).join('; ');
  return new WarehouseError(`check ${check} failed: ${list}`, {
    problem: 'check failed',
    path: connection.path,
  });
}
