import { realpathSync } from 'node:fs';
import type { Connection } from './connection.ts';
import { schemaVersion } from './migrate.ts';
import { quoteIdentifier, quoteLiteral } from './quote.ts';
import { explainFailure, WarehouseError } from './failure.ts';
import { nameRow } from './name-row.ts';
import { CATALOGS } from './catalog-names.ts';
import { withOtherName } from './other-name.ts';

/**
 * Copies `core` and `meta` of the published file into the empty file of `connection`; the views stay behind.
 * @returns the number of tables
 * @throws WarehouseError (storage) when the published file is damaged or not ours
 */
export async function copyPublished(connection: Connection, publishedPath: string): Promise<number> {
  const [current] = await connection.rowsAs(nameRow, 'select current_database() as name');
  const own = quoteIdentifier(current?.name ?? '');
  let isAttached = false;
  try {
    await withOtherName(
      realpathSync(publishedPath),
      async (path) => {
        await connection.run(`attach ${quoteLiteral(path)} as ${CATALOGS.published} (read_only)`);
        isAttached = true;
        await copyAttached(connection, own, publishedPath);
      },
      () => isAttached,
    );
  } catch (error) {
    if (isAttached) throw error;
    throw explainFailure(error instanceof WarehouseError ? error.cause : error, publishedPath);
  }
  const views = await connection.rowsAs(
    nameRow,
    `select view_name as name from duckdb_views()
     where database_name = current_database() and schema_name = 'main' and not internal`,
  );
  for (const { name } of views) await connection.run(`drop view main.${quoteIdentifier(name)}`);
  const tables = await connection.rows(
    'select 1 from duckdb_tables() where database_name = current_database() and not internal and not temporary',
  );
  return tables.length;
}

async function copyAttached(connection: Connection, own: string, publishedPath: string): Promise<void> {
  try {
    await connection.run(`use ${CATALOGS.published}`);
    const version = await schemaVersion(connection);
    await connection.run(`use ${own}`);
    if (version === undefined || version === 0) {
      throw new WarehouseError('was not published by answerlake; move it away and run again', {
        problem: 'unreadable',
        path: publishedPath,
      });
    }
    await connection.run(`copy from database ${CATALOGS.published} to ${own}`);
  } finally {
    await connection.run(`use ${own}`);
    await connection.run(`detach ${CATALOGS.published}`);
  }
}
