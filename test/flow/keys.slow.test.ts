import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { AccountConfig, Config } from '../../src/config/config.ts';
import { secretOf } from '../../src/secret.ts';
import { openRig, type Rig } from './rig.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-05' } as const;
const DEMO = { ...SMALL, world: 'demo' } as const;
/** Asked by project alone. */
const PLAIN = {
  ...DEMO,
  change: (config: Config): Config => ({ ...config, sync: { ...config.sync, scopes: {} } }),
};
const ONE = { endpoints: ['validate', 'visibility'] };

function account(name: string, key: string, projects: 'all' | string[] = 'all'): AccountConfig {
  return { name, apiKey: secretOf(`env:${name.toUpperCase()}`, key), projects };
}

function withAccounts(...accounts: AccountConfig[]): { change: (config: Config) => Config } {
  return { change: (config) => ({ ...config, accounts }) };
}

it('a wrong key among others is partial: the others are synced whole', async () => {
  await using rig = await openRig({
    ...DEMO,
    ...withAccounts(account('bad', 'wrong-key-of-no-account'), account('good', 'demo-project-key')),
  });
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 3, status: 'partial', projects: 1, slices_failed: 0 });
  expect(report.failures).toMatchObject([{ account: 'bad', class: 'auth' }]);
  expect(await rig.rows('select distinct project_id from core.visibility')).toHaveLength(1);
});

it('a run without any answer ends with 5, says where, and leaves the published file unchanged', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync(ONE);
  await rig.simulator.close();
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 5, status: 'failed', projects: 0, published: null });
  expect(report.failures[0]?.message).toMatch(/refused|127\.0\.0\.1/);
  expect((await rig.rows('select * from core.visibility')).length).toBeGreaterThan(0);
});

it('an answer of another project to the project header stores nothing of either; their siblings load', async () => {
  await using rig = await openRig(DEMO);
  const [first, second] = rig.simulator.world.projects;
  rig.simulator.override(
    (request) => request.path.endsWith('/validate') && request.projectId === first?.id,
    (_: unknown, usual: { body: unknown }) => ({
      body: {
        ...(usual.body as object),
        project: { id: second?.id, name: second?.name, slug: second?.slug },
      },
    }),
  );
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 3, projects: 2 });
  expect(report.failures[0]?.message).toContain(first?.id);
  const stored = await rig.rows('select distinct project_id from core.visibility');
  expect(stored).toHaveLength(2);
  expect(stored).not.toContainEqual({ project_id: first?.id });
  expect(
    rig.simulator.requests.some(({ path, projectId }) => path.endsWith('series') && projectId === first?.id),
  ).toBe(false);
});

it('a project that two keys reach is asked once', async () => {
  await using rig = await openRig({
    ...DEMO,
    ...withAccounts(account('whole', 'demo-organization-key'), account('part', 'demo-project-key')),
  });
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 0, projects: 3 });
  const asked = rig.simulator.requests
    .filter(({ path }) => path.endsWith('time-series'))
    .map(({ query, projectId, apiKey }) => JSON.stringify([query, projectId ?? apiKey]));
  expect(new Set(asked).size).toBe(asked.length);
  expect(await rig.rows('select count(*) as keys from core.api_keys')).toEqual([{ keys: 2 }]);
});

/** Changes the answer to the validations of the organization key itself. */
function changeValidation(rig: Rig, changes: object): void {
  rig.simulator.override(
    ({ path, projectId }) => path.endsWith('/validate') && projectId === undefined,
    (_: unknown, usual: { body: unknown }) => ({ body: { ...(usual.body as object), ...changes } }),
  );
}

it('keys that reach nothing end the run with 4 and publish nothing', async () => {
  await using rig = await openRig(PLAIN);
  changeValidation(rig, { availableProjects: null });
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 4, status: 'failed', projects: 0, published: null });
  expect(report.failures).toMatchObject([{ class: 'auth', message: expect.stringContaining('acme') }]);
  expect(existsSync(rig.config.warehouse.path)).toBe(false);
});

it('a known project that no key reaches any more ends the run with 3, is named, and its rows are kept', async () => {
  await using rig = await openRig({ ...PLAIN, startDate: '2026-07-12' });
  const night = { endpoints: ['visibility'] };
  await rig.sync(night);
  const [lost, ...others] = rig.simulator.world.projects;
  changeValidation(rig, { availableProjects: others.map(({ id, name, slug }) => ({ id, name, slug })) });
  const report = await rig.sync(night);
  expect(report).toMatchObject({ exit_code: 3, projects: 2, failures: [{ project: lost?.id }] });
  const of = `project_id = '${lost?.id ?? ''}'`;
  expect((await rig.rows(`select * from core.visibility where ${of}`)).length).toBeGreaterThan(0);
});
