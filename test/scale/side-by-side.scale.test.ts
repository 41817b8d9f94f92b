import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowsOfFile } from '../support/file-reader.ts';
import { startOrganizations } from './organizations.ts';
import { Fleet, wait } from './fleet.ts';

const TODAY = '2026-03-01';

test('organizations share the look-ups of a run, also after the loader is killed while they are asked', async () => {
  await using organizations = await startOrganizations(3, { today: TODAY, world: 'demo', latencyMs: 25 });
  const fleet = await Fleet.open({ organizations, startDate: '2025-06-01', lookups: 5 });
  const isLookup = ({ path }: { path: string }): boolean => /\/prompts\/./.test(path);
  const lookups = (): string[] =>
    organizations
      .requests()
      .filter(isLookup)
      .map(({ path }) => path);
  const loader = fleet.start(['loader']);
  await loader.saw('loader.ready');
  for (let count = 0; count < 3; count += 1) fleet.start(['worker']);
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (lookups().length === 0) await wait(5);
  loader.child.kill('SIGKILL');
  fleet.start(['loader']);
  const { code, stderr } = await run.ended;
  expect(`${String(code)} ${code === 0 ? '' : stderr}`).toBe('0 ');
  expect(new Set(lookups()).size).toBe(5);
  const whose = organizations.simulators.map(({ requests }) => requests.some(isLookup));
  expect(whose.filter(Boolean).length).toBeGreaterThan(1);
  expect(await fleet.differences(TODAY)).toEqual([]);
});

test('an organization is published within publish_every of its end while another one is still asked', async () => {
  await using organizations = await startOrganizations(2, { today: TODAY });
  organizations.setLatency(2_000, 1);
  const fleet = await Fleet.open({ organizations, startDate: '2026-01-10', publishEvery: '1s' });
  const loader = fleet.start(['loader']);
  for (let count = 0; count < 2; count += 1) fleet.start(['worker']);
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (!loader.events.some(({ event }) => event === 'publish.done')) await wait(50);
  const slow = (): number => organizations.simulators[1]?.requests.length ?? 0;
  const asked = slow();
  expect(await publishedDays(fleet.published)).toMatchObject({ 'organization-0-project': 51 });
  expect((await fleet.run(['status'])).stdout).toContain('running');
  organizations.setLatency(0);
  expect((await run.ended).code).toBe(0);
  expect(slow()).toBeGreaterThan(asked);
  expect(Object.keys(await publishedDays(fleet.published))).toHaveLength(2);
  expect(await fleet.differences(TODAY)).toEqual([]);
});

test('the models of all organizations are planned while the one that lists them is slow', async () => {
  await using organizations = await startOrganizations(3, { today: TODAY });
  organizations.setLatency(1_500, 0);
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-25' });
  for (const role of ['loader', 'worker', 'worker', 'worker']) fleet.start([role]);
  const endpoints = ['--endpoint', 'models', '--endpoint', 'visibility'];
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY, ...endpoints]);
  expect((await run.ended).code).toBe(0);
  expect(organizations.requests().filter(({ path }) => path.endsWith('/models'))).toHaveLength(1);
  const projects = await rowsOfFile(
    fleet.published,
    "select project_id, count(distinct scope_id)::int as models from core.visibility where scope = 'model' group by all order by 1",
  );
  expect(projects.map(({ models }) => models)).toEqual([2, 2, 2]);
});

/** Project → days with a visibility. */
async function publishedDays(path: string): Promise<Record<string, unknown>> {
  if (!existsSync(path)) return {};
  const rows = await rowsOfFile(
    path,
    "select project_id, count(distinct date)::int as days from core.visibility where scope = 'project' group by 1 order by 1",
  );
  return Object.fromEntries(rows.map(({ project_id: project, days }) => [project, days]));
}
