import type { OutputRow, Row, Value } from '../endpoints/table.ts';

/** The rows of an answer for one table, column by column: a few arrays wait for their transaction, not many objects. */
export interface TableRows {
  count: number;
  /** Column → its values; undefined where a row has none of its own. */
  columns: ReadonlyMap<string, readonly (Value | undefined)[]>;
}

export const NO_ROWS: TableRows = { count: 0, columns: new Map() };

/** Table → its rows. */
export function tableRows(rows: readonly OutputRow[]): ReadonlyMap<string, TableRows> {
  const byTable = new Map<string, Row[]>();
  for (const { table, values } of rows) {
    const known = byTable.get(table);
    if (known === undefined) byTable.set(table, [values]);
    else known.push(values);
  }
  return new Map([...byTable].map(([table, values]) => [table, columnsOf(values)]));
}

function columnsOf(rows: readonly Row[]): TableRows {
  const names = new Set<string>();
  for (const row of rows) for (const name in row) names.add(name);
  const columns = new Map([...names].map((name) => [name, rows.map((row) => row[name])]));
  return { count: rows.length, columns };
}
