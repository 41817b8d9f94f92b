import { z } from 'zod';
import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { quoteLiteral } from '../warehouse/quote.ts';
import { readSqlFiles } from '../warehouse/sql-files.ts';
import type { Work } from '../warehouse/side-by-side.ts';
import type { Changes } from './changes.ts';
import { doubledKeys } from './core-sql.ts';
import { dayColumn } from './parts.ts';
import { touchedRanges } from './touched-ranges.ts';

const MOST_OFFENDERS = 5;
/** Above this many days, a list of them costs more than looking at all. */
const MOST_DAYS = 400;

const offenceRow = z.object({ place: z.string(), offender: z.string() });
type Offence = z.output<typeof offenceRow>;

/** One check, as one or more queries for what must not be. */
export interface Check {
  name: string;
  /** Several, because a single one would hold the memory of all at once. */
  queries: readonly string[];
}

/** The checks of a whole file: first those of its tables, then those of its views. That every view can be read is proven where it is created: DuckDB binds it then. */
export function checksOfAll(): { tables: Check[]; views: Check[] } {
  const keys = { name: 'unique_keys', queries: doubledKeys(coreKeys, MOST_OFFENDERS) };
  return {
    tables: [keys, ...readChecks('checks/tables')],
    views: [...readChecks('checks/days'), ...readChecks('checks/anew')],
  };
}

/** The keys and days that changes touch. What takes longest comes first, because two queries run at a time. */
export function checksOfChanges(changes: Changes): Check[] {
  const days = readChecks('checks/days', touchedRanges(changes));
  // Lists have no window; the ledger has a million rows after a year of many projects.
  const tables = readChecks('checks/tables', [
    `(window_start is null or ${among(changes.windows, 'window_start')})`,
  ]);
  const touched = changes.tables.filter(({ schema }) => schema === 'core');
  const keys = new Map(touched.flatMap(({ name }) => [[name, coreKeys.get(name) ?? []] as const]));
  if (keys.size === 0) return [...days, ...tables];
  // A key that holds its day can be doubled within the day only.
  const only = (name: string): string => {
    const table = { schema: 'core', name };
    const day = dayColumn(table);
    if (day === null) return 'true';
    return among(day === 'date' ? changes.days : changes.windows, `t.${day}`);
  };
  return [...days, { name: 'unique_keys', queries: doubledKeys(keys, MOST_OFFENDERS, only) }, ...tables];
}

/** @param touched conditions that pick what to look at: each is a query of its own */
function readChecks(folder: string, touched: readonly string[] = ['true']): Check[] {
  return readSqlFiles(folder).map(({ name, sql }) => ({
    name,
    queries: touched.flatMap((condition) => statementsOf(sql.replaceAll('{{touched}}', condition))),
  }));
}

/**
 * The pieces of work of checks, for a connection whose current database is checked.
 * @throws (the work) WarehouseError (storage) that names the failing check and up to 5 offenders
 */
export function workOfChecks(checks: readonly Check[]): Work[] {
  return checks.flatMap(({ name, queries }) =>
    queries.map((query) => async (connection: Connection) => {
      const offences = await connection.rowsAs(
        offenceRow,
        `select * from (${query}\n) limit ${MOST_OFFENDERS}`,
      );
      if (offences.length > 0) throw failed(connection, name, offences);
    }),
  );
}

function statementsOf(sql: string): string[] {
  return sql.split(/;\s*(?:\n|$)/).filter((text) => text.trim() !== '');
}

/** Whether a column holds one of the days that changes touch. */
function among(touched: readonly string[], column: string): string {
  if (touched.length > MOST_DAYS) return 'true';
  const days = touched.map((day) => `date ${quoteLiteral(day)}`).join(', ');
  return days === '' ? 'false' : `${column} in (${days})`;
}

function failed(connection: Connection, check: string, offences: readonly Offence[]): WarehouseError {
  const list = offences.map(({ place, offender }) => `${place}: ${offender}`).join('; ');
  return new WarehouseError(`check ${check} failed: ${list}`, {
    problem: 'check failed',
    path: connection.path,
  });
}
