import { expect, it } from 'vitest';
import { coreKeys } from '../../src/endpoints/catalogue.ts';
import { openWorld } from '../views/world.ts';
import { schemaPicture } from './schema-picture.ts';

it('the schema is what sql/schema.sql shows', async () => {
  await using world = await openWorld();
  const { connection } = world;
  await expect(await schemaPicture(connection)).toMatchFileSnapshot('../../sql/schema.sql');
});

it('key columns of the schema are never NULL, and each core table ends with run and instant of change', async () => {
  await using world = await openWorld();
  const { rows } = world;
  for (const [table, key] of coreKeys) {
    const columns = await rows(
      `select column_name as name, is_nullable as nullable from duckdb_columns()
           where schema_name = 'core' and table_name = '${table}' order by column_index`,
    );
    const required = columns.filter(({ nullable }) => nullable === false).map(({ name }) => name);
    expect({ table, required }).toEqual({
      table,
      required: expect.arrayContaining([...key, '_run_id', '_changed_at']) as string[],
    });
    expect({ table, last: columns.slice(-2).map(({ name }) => name) }).toEqual({
      table,
      last: ['_run_id', '_changed_at'],
    });
  }
});

it('the schema has no index and no key constraint, which would slow every merge', async () => {
  await using world = await openWorld();
  const { rows } = world;
  expect(await rows('select * from duckdb_indexes()')).toEqual([]);
  expect(await rows(`select * from duckdb_constraints() where constraint_type <> 'NOT NULL'`)).toEqual([]);
});

it.each([
  ['core', 'BIGINT BOOLEAN DATE DOUBLE TIMESTAMP VARCHAR VARCHAR[]'],
  ['main', 'BIGINT BOOLEAN DATE DOUBLE INTEGER TIMESTAMP VARCHAR'],
])('%s has the types that every BI tool reads: %s', async (schema, types) => {
  await using world = await openWorld();
  const found = await world.rows(
    `select distinct data_type as type from duckdb_columns() where not internal and schema_name = '${schema}' order by type`,
  );
  expect(found.map(({ type }) => type)).toEqual(types.split(' '));
});
