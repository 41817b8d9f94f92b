import { expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { cmsDraft } from '../../src/endpoints/drafts.ts';
import type { Output } from '../../src/endpoints/table.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const OF_EVERY_TABLE = ['_run_id', '_changed_at'];

/** The columns that an endpoint fills of a table. */
function columnsOf(output: Output): readonly string[] {
  return [...output.key, ...(output.shape === 'window' ? ['window_end'] : []), ...output.columns];
}

const outputs = [...catalogue, cmsDraft].flatMap((endpoint) => endpoint.outputs);

test('every column of every table is filled by some endpoint, and no others', async () => {
  await using file = await WarehouseFile.open();
  const rows = await file.connection.rowsAs(
    z.object({ name: z.string(), column: z.string() }),
    `select table_name as name, column_name as "column" from duckdb_columns() where schema_name = 'core'`,
  );
  const columns = new Set(rows.map(({ name, column }) => `${name}.${column}`));
  const filled = new Set(
    outputs.flatMap((output) =>
      [...columnsOf(output), ...OF_EVERY_TABLE].map((column) => `${output.table}.${column}`),
    ),
  );
  expect([...filled].toSorted()).toEqual([...columns].toSorted());
});
