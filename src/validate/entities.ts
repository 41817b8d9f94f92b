import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow, Row } from '../endpoints/row.ts';
import type { Output } from '../endpoints/table.ts';

/**
 * One answer mentions the same thing of a side table (monitors, brands) many times. Keeps one row per thing: the last one
 * wins, and null never replaces a known name.
 */
export function mergeEntities(endpoint: Endpoint, rows: readonly OutputRow[]): readonly OutputRow[] {
  const sideTables = new Map(
    endpoint.outputs
      .filter((output, index) => index > 0 && output.vanished === 'keep')
      .map((output) => [output.table, output]),
  );
  if (sideTables.size === 0) return rows;
  const merged = new Map<string, OutputRow>();
  const others: OutputRow[] = [];
  for (const row of rows) {
    const output = sideTables.get(row.table);
    if (output === undefined) {
      others.push(row);
      continue;
    }
    const key = JSON.stringify([row.table, ...output.key.map((column) => row.values[column])]);
    const before = merged.get(key);
    if (before !== undefined && isSame(before.values, row.values)) continue;
    merged.set(
      key,
      before === undefined ? row : { table: row.table, values: lastWord(output, before.values, row.values) },
    );
  }
  return [...others, ...merged.values()];
}

function isSame(one: Row, other: Row): boolean {
  for (const column in other) if (one[column] !== other[column]) return false;
  return true;
}

function lastWord(output: Output, before: Row, after: Row): Row {
  const known = output.lastKnown.filter((column) => after[column] === null && before[column] !== null);
  return { ...after, ...Object.fromEntries(known.map((column) => [column, before[column] ?? null])) };
}
