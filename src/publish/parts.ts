import { coreKeys } from '../endpoints/catalogue.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/quote.ts';

/** A table of `core` or `meta`. */
export interface Table {
  schema: string;
  name: string;
}

/** Logs to which whole runs are added, and in which no row ever changes. */
const LOGS: ReadonlySet<string> = new Set(['meta.restatements']);

/*
 * The rows of a table fall into parts: one for each day, window or run where the table has such a column, and one for each row
 * elsewhere. Parts with the same number of rows and the same digest hold the same rows in two files.
 */

export const nameOf = ({ schema, name }: Table): string => `${schema}.${name}`;

/** The column of days that cuts a table into parts; null where each row is a part of its own, or each run. */
export function dayColumn(table: Table): 'date' | 'window_start' | null {
  const key = table.schema === 'core' ? (coreKeys.get(table.name) ?? []) : [];
  if (key.includes('date')) return 'date';
  return key.includes('window_start') ? 'window_start' : null;
}

/** One row for each part of each table: `table_name`, `part`, `day`, `row_count`, `digest`. */
export function selectParts(tables: readonly Table[], catalog: string): string {
  return tables.map((table) => partsOfTable(table, catalog)).join('\nunion all\n');
}

function partsOfTable(table: Table, catalog: string): string {
  const name = quoteLiteral(nameOf(table));
  const from = `from ${fromTable(table, catalog)}`;
  const day = dayColumn(table);
  if (day !== null) {
    const stamped = ['_run_id', '_changed_at', ...(coreKeys.get(table.name) ?? [])].map((column) =>
      quoteIdentifier(column),
    );
    return (
      `select ${name} as table_name, hash(${day}) as part, ${day} as day, count(*) as row_count, ` +
      `bit_xor(hash(${stamped.join(', ')})) as digest ${from} group by ${day}`
    );
  }
  if (LOGS.has(nameOf(table))) {
    return (
      `select ${name} as table_name, hash(run_id) as part, null::date as day, count(*) as row_count, ` +
      `bit_xor(hash(table_name, change, changed_at)) as digest ${from} group by run_id`
    );
  }
  return (
    `select ${name} as table_name, hash(t) as part, null::date as day, count(*) as row_count, ` +
    `0::ubigint as digest ${from} group by hash(t)`
  );
}

/** The rows `t` of a table that say what the warehouse holds; what a publish says of itself is none of them. */
export function fromTable(table: Table, catalog: string): string {
  const from = `${quoteIdentifier(catalog)}.${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)} as t`;
  return `${from} where ${OWN_ROWS.get(nameOf(table)) ?? 'true'}`;
}

const OWN_ROWS: ReadonlyMap<string, string> = new Map([
  ['meta.settings', "not starts_with(name, 'published')"],
]);

/** Whether row `t` is in a part that `changes` names for its table. */
export function inChangedPart(table: Table, changes: string): string {
  const day = dayColumn(table);
  const changed = `from ${changes} where table_name = ${quoteLiteral(nameOf(table))}`;
  if (day !== null) return `t.${day} in (select day ${changed})`;
  const part = LOGS.has(nameOf(table)) ? 't.run_id' : 't';
  return `hash(${part}) in (select part ${changed})`;
}
