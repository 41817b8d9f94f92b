import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openDuckLake } from '../../../src/targets/ducklake/duck-lake.ts';
import { loadExtensions, requiredExtensions } from '../../../src/targets/ducklake/with-lake.ts';
import { secretOf } from '../../../src/secret.ts';
import { openMemoryDatabase } from '../../../src/warehouse/database.ts';
import { openRig } from '../../flow/rig.ts';
import { Scratch } from '../../support/folder.ts';

const secret = secretOf('env:LAKE', 'postgres://me:word@host/lake');

it('a lake needs the extensions of its catalog and of its files', () => {
  expect(requiredExtensions({ catalog: '/a.ducklake', data: '/a' })).toEqual(['ducklake']);
  expect(requiredExtensions({ catalog: secret, data: 's3://bucket/a' })).toEqual([
    'ducklake',
    'postgres_scanner',
    'httpfs',
  ]);
});

it('a missing extension is refused with the command that installs it, and nothing is made', async () => {
  using scratch = new Scratch();
  const settings = {
    catalog: scratch.path('lake.ducklake'),
    data: 's3://bucket/a',
    extensions: scratch.path('extensions'),
    mode: 0o444,
  };
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  await expect(loadExtensions(connection, settings)).rejects.toMatchObject({
    class: 'configuration',
    message: expect.stringMatching(
      /extensions has no ducklake, httpfs for DuckDB v1\.\d+\.\d+\. Run python3 -m pip install --no-deps --upgrade --target \S.*extensions'? duckdb-extension-ducklake==1\.\d+\.\d+ duckdb-extension-httpfs==1\.\d+\.\d+,/,
    ),
  });
  await expect(openDuckLake(settings).inspect()).rejects.toMatchObject({ exitCode: 2 });
  expect(existsSync(settings.catalog)).toBe(false);
});

it('a lake that cannot be written leaves the published file, and the run ends with its exit code', async () => {
  await using rig = await openRig({
    world: 'small',
    today: '2026-07-14',
    startDate: '2026-07-12',
    change: (config) => {
      const lake = {
        catalog: `${config.directory}/lake.ducklake`,
        data: `${config.directory}/lake`,
        extensions: `${config.directory}/none`,
      };
      return { ...config, warehouse: { ...config.warehouse, target: 'ducklake', lake } };
    },
  });
  const report = await rig.sync({ endpoints: ['visibility'] });
  expect(report.exit_code).toBe(2);
  expect(report.published).toBe(rig.config.warehouse.path);
  expect(report.failures.map(({ message }) => message)).toEqual([expect.stringContaining('pip install')]);
  expect((await rig.rows('select count(*) as n from core.visibility'))[0]?.['n']).not.toBe(0);
});
