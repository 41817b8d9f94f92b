import { expect, it } from 'vitest';
import { z } from 'zod';
import { coreKeys } from '../../src/endpoints/catalogue.ts';
import { doubledKeys } from '../../src/publish/checks.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { openWorld } from '../views/world.ts';

const PLACES = [...coreKeys.keys()].map((table) => `core.${table}`);

const SAMPLES: Readonly<Record<string, string>> = {
  BIGINT: '1',
  BOOLEAN: 'true',
  DATE: "date '2026-03-02'",
  DOUBLE: '0.5',
  TIMESTAMP: "timestamp '2026-03-02 10:00:00'",
  VARCHAR: "'same'",
  'VARCHAR[]': "['same']",
};

/** The same row in every table of `core`; `change` gives the last key column another value. */
async function fill(connection: Connection, change: 'same' | 'another key'): Promise<void> {
  for (const [table, key] of coreKeys) {
    const columns = await connection.rowsAs(
      z.object({ name: z.string(), type: z.string() }),
      `select column_name as name, data_type as type from duckdb_columns()
       where schema_name = 'core' and table_name = $1 order by column_index`,
      [table],
    );
    const values = columns.map(({ name, type }) =>
      change === 'another key' && name === key.at(-1) && type === 'VARCHAR' ? "'other'" : SAMPLES[type],
    );
    await connection.run(`insert into core.${table} values (${values.join(', ')})`);
  }
}

async function doubledPlaces(connection: Connection): Promise<string[]> {
  const offences = await connection.rowsAs(
    z.object({ place: z.string() }),
    doubledKeys(coreKeys).join(' union all '),
  );
  return offences.map(({ place }) => place).sort();
}

it('the SQL over core finds a doubled key in every table, and nothing in tables with different keys', async () => {
  await using world = await openWorld();
  const { connection } = world;
  await fill(connection, 'same');
  expect(await doubledPlaces(connection)).toEqual([]);
  await fill(connection, 'another key');
  expect(await doubledPlaces(connection)).toEqual([]);
  await fill(connection, 'same');
  expect(await doubledPlaces(connection)).toEqual(PLACES);
});
