import type { Endpoint } from './endpoint.ts';
import type { TableShape } from './table.ts';

/** A table of `core`. */
export interface CoreTable {
  schema: 'core';
  name: string;
  key: readonly string[];
  shape: TableShape;
  /** The first that fills it. */
  endpoint: string;
}

/** The tables that endpoints fill, by name. */
export function tablesOf(endpoints: readonly Endpoint[]): CoreTable[] {
  const tables = new Map<string, CoreTable>();
  for (const { name: endpoint, outputs } of endpoints)
    for (const { table: name, key, shape } of outputs)
      if (!tables.has(name)) tables.set(name, { schema: 'core', name, key, shape, endpoint });
  return [...tables.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
