import { expect, it } from 'vitest';
import { secretsOf } from '../../src/config/file.ts';
import { KEY, load, MINIMAL, problemsOf } from './loaded.ts';

const ADDRESS = 'postgres://me:hunter2@host:5432/lake';

const ENV = { ACME_API_KEY: KEY, LAKE_URL: ADDRESS };
const withWarehouse = (warehouse: string): string => `${MINIMAL}warehouse: ${warehouse}\n`;

it('a lake lies beside the published file unless the configuration says where', () => {
  const { directory, warehouse } = load(withWarehouse('{ target: ducklake }'));
  expect(warehouse.lake).toEqual({
    catalog: `${directory}/data/lake.ducklake`,
    data: `${directory}/data/lake`,
    extensions: `${directory}/data/extensions`,
  });
  expect(load(withWarehouse('{ target: duckdb }')).warehouse.lake).toBeNull();
});

it('the catalog may be in PostgreSQL, whose address is a secret, and the files in a bucket', () => {
  const text = withWarehouse('{ target: ducklake, catalog: env:LAKE_URL, data: s3://bucket/lake }');
  const config = load(text, { env: ENV });
  const { lake } = config.warehouse;
  expect(lake).toMatchObject({ data: 's3://bucket/lake' });
  expect(secretsOf(config).map((secret) => secret.reveal())).toContain(ADDRESS);
  expect(JSON.stringify(lake)).not.toContain('hunter2');
});

it.for([
  ['{ target: duckdb, catalog: a.ducklake }', 'warehouse.catalog: belongs to target: ducklake'],
  ['{ target: ducklake, url: env:LAKE_URL }', 'warehouse.url: belongs to target: postgres'],
  ['{ target: ducklake, data: https://bucket }', 'warehouse.data: must be a path on this machine'],
  [`{ target: ducklake, catalog: '${ADDRESS}' }`, 'warehouse.catalog: contains the text of a secret'],
  ['{ target: ducklake, catalog: env:NONE }', 'NONE is not set'],
  ['{ target: postgres }', 'warehouse.url: is missing: target: postgres needs it'],
] as const)('a lake that is configured as %s is refused', ([warehouse, expected]) => {
  const [problem, ...others] = problemsOf(withWarehouse(warehouse), ENV);
  expect([problem, others]).toEqual([expect.stringContaining(expected), []]);
  expect(problem).not.toContain('hunter2');
});
