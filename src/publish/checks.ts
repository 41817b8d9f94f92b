import { z } from 'zod';
import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { WarehouseError } from '../warehouse/failure.ts';
import { releaseCache, returnFreed, whereItGrows, withinMemory } from '../warehouse/memory-limit.ts';
import { quoteLiteral, quoteIdentifier, readSqlFiles } from '../warehouse/sql.ts';
import { type Changes, dayColumn } from './compare.ts';

const MAX_OFFENDERS = 5;

const offenceRow = z.object({ place: z.string(), offender: z.string() });
type Offence = z.output<typeof offenceRow>;

/** One check, as one or more queries for rows that must not exist. */
export interface Check {
  name: string;
  /** Several, because a single one would hold the memory of all at once. */
  queries: readonly string[];
}

/** The checks of a whole file: first those of its tables, then those of its views. That every view can be read is proven where it is created: DuckDB binds it then. */
export function checksOfAll(): Check[] {
  const keys = { name: 'unique_keys', queries: doubledKeys(coreKeys) };
  return [keys, ...['tables', 'days', 'full'].flatMap((folder) => readChecks(`checks/${folder}`))];
}

/** The keys and days that changes touch. What takes longest comes first, because two queries run at a time. */
export function checksOfChanges(changes: Changes): Check[] {
  const days = readChecks('checks/days', touchedDays(changes));
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
  return [...days, { name: 'unique_keys', queries: doubledKeys(keys, only) }, ...tables];
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
        `select * from (${query}\n) limit ${MAX_OFFENDERS}`,
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

/** Tables of `core` with their key columns. */
export type Keys = ReadonlyMap<string, readonly string[]>;

const list = (columns: readonly string[]): string => columns.map((name) => quoteIdentifier(name)).join(', ');

/** One query for each table, of keys that it holds twice. Nothing else keeps keys unique: the tables have no index. `only` picks rows `t` of a table. */
export function doubledKeys(keys: Keys, only: (table: string) => string = () => 'true'): string[] {
  return [...keys].map(
    ([table, key]) =>
      `(select ${quoteLiteral(`core.${table}`)} as place, concat_ws(' | ', ${list(key)}) as offender ` +
      `from core.${quoteIdentifier(table)} as t where ${only(table)} group by ${list(key)} having count(*) > 1 limit ${MAX_OFFENDERS})`,
  );
}

/**
 * One condition over `date` that takes in every touched day, if any: DuckDB carries a range into the tables that a view joins, and a list of days it does not.
 * It has no end, and begins with the newest window at the latest, because an answer without a figure covers days too.
 */
export function touchedDays({ days, windows }: Pick<Changes, 'days' | 'windows'>): string[] {
  const [first] = [...days, ...windows.slice(-1)].toSorted();
  return first === undefined ? [] : [`date >= date ${quoteLiteral(first)}`];
}

interface CheckRun {
  checks: readonly Check[];
  /** Is begun before the checks. */
  first: Work;
  /** What DuckDB may use at first. */
  memory: string;
}

/** Runs `first` and checks, on all connections at once. @throws WarehouseError (storage) */
export async function runChecks(
  connections: readonly Connection[],
  { checks, memory, first }: CheckRun,
): Promise<void> {
  const [connection, ...others] = connections;
  if (connection === undefined) return;
  // A piece that needs more begins again with more; what is done stays done.
  const left = new Set([first, ...workOfChecks(checks)]);
  const giveBack = whereItGrows(others.length === 0 ? releaseCache : returnFreed);
  await withinMemory(connection, memory, async () => {
    const work = [...left].map((one): Work => async (free) => {
      await giveBack(free);
      await one(free);
      left.delete(one);
    });
    await runInParallel(connections, work);
  });
}

/** A copy takes what it may have and is as fast with less (measured: 1.2 million rows; 32 MiB are too few for some). */
export const LITTLE_MEMORY = '64MiB';
/** Enough for checks of whole views, one after the other (measured: 2 million rows; 108 MiB are too few). */
export const CHECK_MEMORY = '112MiB';
/** Enough for putting what changed into a large file (measured: 2 million rows). */
export const CHANGES_MEMORY = '112MiB';
/** Enough for two connections that check what changed in a large file (measured: 2 million rows; 112 MiB are too few). */
export const CHANGED_CHECKS_MEMORY = '128MiB';
/** Enough for two connections that check a whole small file (measured: 240,000 rows; 128 MiB are too few for two checks of views). */
export const SMALL_FILE_MEMORY = '176MiB';
/** Up to so many rows, the work of two connections fits into memory at once (70 MiB more with 600,000 rows). */
const FEW_ROWS = 250_000;

/** Whether the checks of a catalog are worth a connection more. */
export async function hasFewRows(connection: Connection, catalog: string): Promise<boolean> {
  const sql = 'select cast(sum(estimated_size) as bigint) from duckdb_tables() where database_name = $1';
  return ((await connection.value(z.number().nullable(), sql, [catalog])) ?? 0) <= FEW_ROWS;
}

export type Work = (connection: Connection) => Promise<void>;

/**
 * Does each piece of work once, in the order of the list, one at a time on each connection. After a failure nothing more is begun.
 * @throws the failure of the first piece in the list that failed, once all that was begun has ended
 */
async function runInParallel(connections: readonly Connection[], list: readonly Work[]): Promise<void> {
  const waiting = list.entries();
  const failures = new Map<number, unknown>();
  const workOn = async (connection: Connection): Promise<void> => {
    for (const [place, work] of waiting) {
      await work(connection).catch((error: unknown) => failures.set(place, error));
      if (failures.size > 0) return;
    }
  };
  await Promise.all(connections.map(workOn));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
