import { expect, it } from 'vitest';
import { loadConfig, secretsOf } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { messageOf } from '../../src/errors.ts';
import { openWorkspace } from './workspace.ts';

const ADDRESS = 'postgres://me:hunter2@host:5432/lake';

function load(warehouse: string, env: Record<string, string> = {}) {
  const { directory, write } = openWorkspace();
  const path = write(
    'answerlake.yaml',
    `version: 1
api: { base_url: 'https://server.example.com' }
accounts: [{ name: acme, api_key: env:KEY }]
sync: { start_date: 2025-01-01 }
warehouse: ${warehouse}
`,
  );
  const request = { path, env: { KEY: 'key-0123456789', ...env }, today: toDay('2025-06-30') };
  try {
    const config = loadConfig(request);
    return { directory, lake: config.warehouse.lake, secrets: secretsOf(config), problem: '' };
  } catch (error) {
    return { directory, lake: null, secrets: [], problem: messageOf(error) };
  }
}

it('a lake lies beside the published file unless the configuration says where', () => {
  const { directory, lake } = load('{ target: ducklake }');
  expect(lake).toEqual({
    catalog: `${directory}/data/lake.ducklake`,
    data: `${directory}/data/lake`,
    extensions: `${directory}/data/extensions`,
  });
  expect(load('{ target: duckdb }').lake).toBeNull();
});

it('the catalog may be in PostgreSQL, whose address is a secret, and the files in a bucket', () => {
  const { lake, secrets } = load('{ target: ducklake, catalog: env:LAKE_URL, data: s3://bucket/lake }', {
    LAKE_URL: ADDRESS,
  });
  expect(lake).toMatchObject({ data: 's3://bucket/lake' });
  expect(secrets.map((secret) => secret.reveal())).toContain(ADDRESS);
  expect(JSON.stringify(lake)).not.toContain('hunter2');
});

it.for([
  ['{ target: duckdb, catalog: a.ducklake }', 'warehouse.catalog: belongs to target: ducklake'],
  ['{ target: ducklake, url: env:LAKE_URL }', 'warehouse.url: belongs to target: postgres'],
  ['{ target: ducklake, data: https://bucket }', 'warehouse.data: must be a path on this machine'],
  [`{ target: ducklake, catalog: '${ADDRESS}' }`, 'warehouse.catalog: contains the text of a secret'],
  ['{ target: ducklake, catalog: env:NONE }', 'NONE is not set'],
] as const)('a lake that is configured as %s is refused', ([warehouse, expected]) => {
  const { problem } = load(warehouse, { LAKE_URL: ADDRESS });
  expect(problem).toContain(expected);
  expect(problem).not.toContain('hunter2');
});
