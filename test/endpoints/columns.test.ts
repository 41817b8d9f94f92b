import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { cmsDraft } from '../../src/endpoints/drafts.ts';
import type { Output } from '../../src/endpoints/table.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const OF_EVERY_TABLE = ['_run_id', '_changed_at'];

/** The columns that an endpoint fills of a table. */
function filled(output: Output): readonly string[] {
  return [...output.key, ...(output.shape === 'window' ? ['window_end'] : []), ...output.columns];
}

const columns = new Map<string, Set<string>>();

beforeAll(async () => {
  await using file = await WarehouseFile.open();
  const rows = await file.connection.rowsAs(
    z.object({ name: z.string(), column: z.string() }),
    `select table_name as name, column_name as "column" from duckdb_columns() where schema_name = 'core'`,
  );
  for (const { name, column } of rows) columns.set(name, (columns.get(name) ?? new Set()).add(column));
});
afterAll(() => {
  columns.clear();
});

const outputs = [...catalogue, cmsDraft].flatMap((endpoint) =>
  endpoint.outputs.map((output) => ({ endpoint: endpoint.name, output })),
);

test.each(outputs.map(({ endpoint, output }) => [endpoint, output.table, output] as const))(
  '%s → %s names columns that the table has',
  (_endpoint, table, output) => {
    const known = [...(columns.get(table) ?? [])];
    expect(known).toEqual(expect.arrayContaining([...filled(output), ...OF_EVERY_TABLE]));
    for (const column of [...output.volatile, ...output.lastKnown, ...output.ofPeriodBefore]) {
      expect(output.columns).toContain(column);
    }
  },
);

test('every column of every table is filled by some endpoint', () => {
  const owned = new Map<string, Set<string>>();
  for (const { output } of outputs) {
    const set = owned.get(output.table) ?? new Set();
    for (const column of filled(output)) set.add(column);
    owned.set(output.table, set);
  }
  const orphans = [...columns].flatMap(([table, names]) =>
    [...names]
      .filter((name) => !OF_EVERY_TABLE.includes(name) && owned.get(table)?.has(name) !== true)
      .map((name) => `${table}.${name}`),
  );
  expect(orphans).toEqual([]);
  expect([...columns.keys()].sort()).toEqual([...owned.keys()].sort());
});
