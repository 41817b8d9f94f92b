import { expect, test } from 'vitest';
import { rowsOfFile } from '../support/file-reader.ts';
import { Fleet, TODAY, wait } from './fleet.ts';

test('a standby goes on within 30 s of the death of its loader, and organizations share the look-ups', async () => {
  const fleet = await Fleet.open(3, { world: 'demo', startDate: '2025-06-01', lookups: 5, latencyMs: 25 });
  const { organizations } = fleet;
  const isLookup = ({ path }: { path: string }): boolean => /\/prompts\/./.test(path);
  const lookups = (): string[] =>
    organizations
      .requests()
      .filter(isLookup)
      .map(({ path }) => path);
  const workers = [1, 2, 3].map(() => fleet.start(['worker']));
  await workers[0]?.saw('worker.waiting');
  const loader = fleet.start(['loader']);
  await loader.saw('loader.ready');
  const standby = fleet.start(['loader']);
  await standby.saw('loader.standby');
  const run = fleet.start(['queue', 'run', '--wait', '--today', TODAY]);
  while (lookups().length === 0) await wait(5);
  const from = Date.now();
  loader.child.kill('SIGKILL');
  // Not the next round of a worker: on a slow machine the last one has begun by now.
  await standby.saw('loader.ready');
  expect(Date.now() - from).toBeLessThan(30_000);
  const { code, stderr } = await run.ended;
  expect(`${String(code)} ${code === 0 ? '' : stderr}`).toBe('0 ');
  expect(new Set(lookups()).size).toBe(5);
  const whose = organizations.simulators.map(({ requests }) => requests.some(isLookup));
  expect(whose.filter(Boolean).length).toBeGreaterThan(1);
  expect(await fleet.differences()).toEqual([]);
});

test('an organization is published within publish_every of its end while another one is still asked', async () => {
  const fleet = await Fleet.open(2, { startDate: '2026-01-10', publishEvery: '1s' });
  const { organizations } = fleet;
  organizations.setLatency(2_000, 1);
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
  expect(await fleet.differences()).toEqual([]);
});

test('the models of all organizations are planned while the one that lists them is slow', async () => {
  const fleet = await Fleet.open(3, { startDate: '2026-02-25' });
  const { organizations } = fleet;
  organizations.setLatency(1_500, 0);
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
  const sql =
    "select project_id as id, count(distinct date)::int as days from core.visibility where scope = 'project' group by 1";
  return Object.fromEntries((await rowsOfFile(path, sql)).map(({ id, days }) => [id, days]));
}
