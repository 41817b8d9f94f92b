import type { Output, TableShape } from './endpoint.ts';

/** The key columns that all tables of a shape have; their values come from the slice, a series' day from the row. */
export const SHARED_KEYS = {
  series: ['project_id', 'grain', 'date', 'scope', 'scope_id'],
  window: ['project_id', 'window_kind', 'window_start', 'scope', 'scope_id'],
  dated: ['project_id'],
  project: ['project_id'],
  account: [],
} as const satisfies Record<TableShape, readonly string[]>;

/** All key columns of a table, shared ones first. */
export function tableKey({ shape, key }: Pick<Output, 'shape' | 'key'>): readonly string[] {
  return [...new Set([...SHARED_KEYS[shape], ...key])];
}
