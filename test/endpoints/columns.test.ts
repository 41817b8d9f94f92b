import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import type { TableShape } from '../../src/endpoints/endpoint.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const SHARED: Readonly<Record<TableShape, readonly string[]>> = {
  series: ['project_id', 'grain', 'date', 'scope', 'scope_id'],
  window: ['project_id', 'window_kind', 'window_start', 'window_end', 'scope', 'scope_id'],
  dated: ['project_id'],
  project: ['project_id'],
  account: [],
};
const OF_EVERY_TABLE = ['_run_id', '_changed_at'];

const columns = new Map<string, Set<string>>();

beforeAll(async () => {
  await using file = await WarehouseFile.open();
  const rows = await file.connection.rows<{ name: string; column: string }>(
    `select table_name as name, column_name as "column" from duckdb_columns() where schema_name = 'core'`,
  );
  for (const { name, column } of rows) columns.set(name, (columns.get(name) ?? new Set()).add(column));
});
afterAll(() => {
  columns.clear();
});

const outputs = catalogue.flatMap((endpoint) =>
  endpoint.outputs.map((output) => ({ endpoint: endpoint.name, output })),
);

test.each(outputs.map(({ endpoint, output }) => [endpoint, output.table, output] as const))(
  '%s → %s names columns that the table has',
  (_endpoint, table, output) => {
    const known = [...(columns.get(table) ?? [])];
    expect(known).toEqual(
      expect.arrayContaining([...SHARED[output.shape], ...output.key, ...output.columns, ...OF_EVERY_TABLE]),
    );
    for (const column of [...(output.volatile ?? []), ...(output.lastKnown ?? [])]) {
      expect(output.columns).toContain(column);
    }
  },
);

test('every column of every table is filled by some endpoint; drafts are written by hand', () => {
  const owned = new Map<string, Set<string>>();
  for (const { output } of outputs) {
    const set = owned.get(output.table) ?? new Set();
    for (const column of [...SHARED[output.shape], ...output.key, ...output.columns]) set.add(column);
    owned.set(output.table, set);
  }
  const orphans = [...columns].flatMap(([table, names]) =>
    [...names]
      .filter((name) => !OF_EVERY_TABLE.includes(name) && owned.get(table)?.has(name) !== true)
      .map((name) => `${table}.${name}`),
  );
  expect(orphans.filter((name) => !name.startsWith('cms_drafts.'))).toEqual([]);
  expect(columns.size).toBeGreaterThan(20);
});
