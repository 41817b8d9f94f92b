import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow, Row, Output } from '../endpoints/table.ts';

/**
 * One answer mentions the same thing of a side table (monitors, brands) many times. Keeps one row per thing: the last one
 * wins, and null never replaces a known name.
 */
export function mergeEntities(endpoint: Endpoint, rows: readonly OutputRow[]): readonly OutputRow[] {
  const sideTables = new Map(
    endpoint.outputs
      .filter((output, index) => index > 0 && output.vanished === 'keep')
      .map((output) => [output.table, { output, things: new Map<string, OutputRow>() }]),
  );
  if (sideTables.size === 0) return rows;
  const others: OutputRow[] = [];
  for (const row of rows) {
    const side = sideTables.get(row.table);
    if (side === undefined) {
      others.push(row);
      continue;
    }
    const { output, things } = side;
    const key = keyText(output, row.values);
    const before = things.get(key);
    if (before !== undefined && isSame(before.values, row.values)) continue;
    things.set(
      key,
      before === undefined ? row : { table: row.table, values: lastWord(output, before.values, row.values) },
    );
  }
  return [...others, ...[...sideTables.values()].flatMap(({ things }) => [...things.values()])];
}

/** Differs where keys differ: all rows of a table have the same columns, and most keys have one, which is a text. */
function keyText({ key }: Output, values: Row): string {
  let only: Row[string] | undefined;
  for (const column of key) {
    const value = values[column];
    if (value === undefined) continue;
    if (only !== undefined) return JSON.stringify(key.map((name) => values[name]));
    only = value;
  }
  return String(only);
}

function isSame(one: Row, other: Row): boolean {
  for (const column in other) if (one[column] !== other[column]) return false;
  return true;
}

function lastWord(output: Output, before: Row, after: Row): Row {
  const known = output.lastKnown.filter((column) => after[column] === null && before[column] !== null);
  return { ...after, ...Object.fromEntries(known.map((column) => [column, before[column] ?? null])) };
}
