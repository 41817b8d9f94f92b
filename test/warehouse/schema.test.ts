import { expect, it } from 'vitest';
import { coreKeys } from '../support/catalogue.ts';
import { openWorld } from '../views/world.ts';
import { schemaPicture } from './schema-picture.ts';

it('the schema is what sql/schema.sql shows', async () => {
  await using world = await openWorld();
  await expect(await schemaPicture(world.connection)).toMatchFileSnapshot('../../sql/schema.sql');
});

it('key columns of the schema are never NULL, and each core table ends with run and instant of change', async () => {
  await using world = await openWorld();
  for (const [table, key] of coreKeys) {
    const columns = await world.rows(
      `select column_name as name, is_nullable as nullable from duckdb_columns()
           where schema_name = 'core' and table_name = '${table}' order by column_index`,
    );
    const required = columns.filter(({ nullable }) => nullable === false).map(({ name }) => name);
    expect(required, table).toEqual(expect.arrayContaining([...key, '_run_id', '_changed_at']));
    expect(columns.slice(-2), table).toMatchObject([{ name: '_run_id' }, { name: '_changed_at' }]);
  }
});

it('meta.tables has the key of each core table', async () => {
  await using world = await openWorld();
  const rows = await world.rows(
    `select t.table_name, key from meta.tables t right join duckdb_tables() d using (schema_name, table_name) where schema_name = 'core' order by 1`,
  );
  expect(rows).toEqual([...coreKeys].map(([name, key]) => ({ table_name: name, key })));
  const shapes = await world.rows(
    `select shape, endpoint from meta.tables where table_name in ('brands', 'citation_totals', 'projects') order by table_name`,
  );
  expect(shapes.map((row) => Object.values(row))).toEqual([
    ['project', 'brand_visibility'],
    ['window', 'domain_citation_totals'],
    ['account', 'validate'],
  ]);
});

it('the schema has no index and no key constraint, which would slow every merge', async () => {
  await using world = await openWorld();
  expect(await world.rows('select * from duckdb_indexes()')).toEqual([]);
  expect(await world.rows(`select * from duckdb_constraints() where constraint_type <> 'NOT NULL'`)).toEqual(
    [],
  );
});

it('core has the types that every BI tool reads', async () => {
  await using world = await openWorld();
  const found = await world.rows(
    "select distinct data_type as type from duckdb_columns() where not internal and schema_name = 'core' order by type",
  );
  const types = 'BIGINT BOOLEAN DATE DOUBLE TIMESTAMP VARCHAR VARCHAR[]';
  expect(found.map(({ type }) => type).join(' ')).toBe(types);
});
