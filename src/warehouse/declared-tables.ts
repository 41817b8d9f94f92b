import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Connection, transaction } from './connection.ts';
import type { TableName } from './tables.ts';

/** A table that a declaration owns. */
export interface DeclaredTable extends TableName {
  /** Columns that no two rows share, in order. */
  key: readonly string[];
  shape: string;
  /** The first of those that fill it. */
  endpoint: string;
}

const declaredRow = z.object({
  schema_name: z.string(),
  table_name: z.string(),
  key: z.array(z.string()),
  shape: z.string(),
  endpoint: z.string(),
});

/** Enters the declared tables into `meta.tables`, from which readers, checks and scripts have the keys. */
export async function declareTables(connection: Connection, tables: readonly DeclaredTable[]): Promise<void> {
  const rows = tables.map(({ schema, name, ...more }) => ({
    schema_name: schema,
    table_name: name,
    ...more,
  }));
  const known = await connection.rowsAs(declaredRow, 'from meta.tables');
  if (isDeepStrictEqual(known, rows)) return;
  await transaction(connection, async () => {
    await connection.run('delete from meta.tables');
    await connection.appendRows({ schema: 'meta', table: 'tables', rows });
  });
}
