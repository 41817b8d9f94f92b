import { coreKeys } from '../endpoints/catalogue.ts';
import type { Connection } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';

/** Temporary table with the parts that differ: `table_name`, `part`, `day`. */
export const CHANGED_PARTITIONS = 'temp.publish_changes';

/** A table of `core` or `meta`. */
export interface Table {
  schema: string;
  name: string;
}

/** Tables whose key has no day, and what cuts them into parts so that a night touches few and years do not make many. */
export const CUTS: ReadonlyMap<string, string> = new Map([
  ['core.events', 'date'],
  ['meta.slices', 'window_start'],
  ['meta.rejects', 'run_id'],
  ['meta.restatements', 'run_id'],
]);

/** Columns that stand for a whole row, where rows are long and never change. */
export const DIGESTED: ReadonlyMap<string, string> = new Map([
  ['meta.restatements', 'table_name, change, changed_at'],
]);

/*
 * The rows of a table fall into parts: one for each day, window or run where the table has such a column, and one for each row
 * elsewhere. Parts with the same number of rows and the same digest hold the same rows in two files.
 */

export const nameOf = ({ schema, name }: Table): string => `${schema}.${name}`;

/** The column of days in the key of a table, which cuts it into parts; null when its key has none. */
export function dayColumn(table: Table): 'date' | 'window_start' | null {
  const key = table.schema === 'core' ? (coreKeys.get(table.name) ?? []) : [];
  if (key.includes('date')) return 'date';
  return key.includes('window_start') ? 'window_start' : null;
}

/** Columns of days that cut tables into parts. */
const DAYS: ReadonlySet<string> = new Set(['date', 'window_start']);

/** Whether the parts of a table are windows: their day is the first one. */
export function hasWindows(table: Table): boolean {
  return cutOf(table) === 'window_start';
}

/** One row for each part of each table: `table_name`, `part`, `day`, `row_count`, `digest`. */
export function selectPartitions(tables: readonly Table[], catalog: string): string {
  return tables.map((table) => partitionsOfTable(table, catalog)).join('\nunion all\n');
}

function partitionsOfTable(table: Table, catalog: string): string {
  const name = nameOf(table);
  const by = cutOf(table);
  const day = DAYS.has(by) ? by : 'null::date';
  return (
    `select ${quoteLiteral(name)} as table_name, hash(${by}) as part, ${day} as day, ` +
    `count(*) as row_count, bit_xor(hash(${DIGESTED.get(name) ?? 't'})) as digest ` +
    `from ${fromTable(table, catalog)} group by ${by === 't' ? 'part' : by}`
  );
}

/** The column that cuts a table into parts; `t` where each row is a part of its own. */
function cutOf(table: Table): string {
  return dayColumn(table) ?? CUTS.get(nameOf(table)) ?? 't';
}

/** The rows `t` of a table that say what the warehouse holds; what a publish records about itself is left out. */
export function fromTable(table: Table, catalog: string): string {
  const from = `${quoteIdentifier(catalog)}.${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)} as t`;
  return `${from} where ${OWN_ROWS.get(nameOf(table)) ?? 'true'}`;
}

const OWN_ROWS: ReadonlyMap<string, string> = new Map([
  ['meta.settings', "not starts_with(name, 'published')"],
]);

/** Whether row `t` is in a part that `changes` names for its table. */
export function inChangedPartition(table: Table, changes: string): string {
  const day = dayColumn(table);
  const changed = `from ${changes} where table_name = ${quoteLiteral(nameOf(table))}`;
  if (day !== null) return `t.${day} in (select day ${changed})`;
  return `hash(${cutOf(table)}) in (select part ${changed})`;
}

/** Replaces the parts in `CHANGED_PARTITIONS` of each table in the catalog `to` by those in the catalog `from`. */
export async function replacePartitions(
  connection: Connection,
  { tables, from, to }: { tables: readonly Table[]; from: string; to: string },
): Promise<void> {
  for (const table of tables) {
    const rows = inChangedPartition(table, CHANGED_PARTITIONS);
    await connection.run(`delete from ${fromTable(table, to)} and ${rows}`);
    await connection.run(
      `insert into ${quoteIdentifier(to)}.${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)} select t.* from ${fromTable(table, from)} and ${rows}`,
    );
  }
}
