import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import type { SyncPlan } from '../../src/run/plan-sync.ts';
import { openSmallWorld, TODAY } from './small-world.ts';
import { fails, prints } from './run.ts';

const asked = (simulator: { requests: readonly { path: string }[] }): string[] => [
  ...new Set(simulator.requests.map(({ path }) => path.replace(/^\/api\/v\d\//, ''))),
];

it('answerlake plan asks nothing but lists, and writes no file', async () => {
  const { simulator, folder, run } = await openSmallWorld({ isNew: true });
  const report = { ok: true, exit_code: 0, projects: 1, sync_day: TODAY, is_online: true };
  const argv = ['plan', '--today', TODAY, '--json', '--project', 'SMALL shop'];
  expect(await run(argv)).toMatchObject({ code: 0, report });
  expect(readdirSync(folder)).toEqual(['answerlake.yaml']);
  expect(asked(simulator).toSorted()).toEqual(['auth/validate', 'models', 'prompts']);
});

it('answerlake plan sums each project before its endpoints, and counts the look-ups that may follow', async () => {
  const { run, simulator } = await openSmallWorld({ world: 'demo', isNew: true });
  const plan = ['plan', '--today', TODAY];
  const { stdout } = await run(plan);
  const json = (await run([...plan, '--json'])).report as SyncPlan & { lookups_at_most: number };
  const [sums = '', endpoints = ''] = stdout.split('└');
  for (const { id, name } of simulator.world.projects) {
    const own = json.by_project_and_endpoint.filter((one) => one.project_id === id);
    const sum = own.reduce((all, { requests }) => all + requests, 0);
    expect(sums).toMatch(new RegExp(`│ ${name} +│ +\\d+ │ +${String(sum)} │`));
  }
  expect(sums).not.toContain('endpoint');
  expect(endpoints).toMatch(/│ project +│ endpoint +│/);
  expect(json.lookups_at_most).toBe(25);
  expect(stdout).toContain('Up to 25 more look up prompts that events mention but no list contains.');
  expect((await run([...plan, '--endpoint', 'events'])).stdout).not.toContain('look up');
});

it('answerlake sync --project with an unknown project changes nothing, in an empty folder and later', async () => {
  const { folder, run } = await openSmallWorld({ isNew: true });
  const sync = ['sync', '--today', TODAY, '--quiet'];
  for (const argv of [sync, ['plan', '--today', TODAY]])
    expect((await run([...argv, '--project', 'nosuch'])).code).toBe(2);
  expect(readdirSync(folder)).toEqual(['answerlake.yaml']);
  await run([...sync, '--endpoint', 'events']);
  const now = Date.now();
  const effects = { ...realEffects, now: () => now };
  const runs = async (): Promise<string> => (await run(['status', '--json'], { effects })).stdout;
  const before = await runs();
  expect(await run([...sync, '--project', 'nosuch', 'Small Shop'])).toMatchObject(
    fails(2, '--project nosuch: no configured key reaches it'),
  );
  expect(await runs()).toBe(before);
});

it('answerlake sync --dry-run changes neither file once there are some', async () => {
  const { folder, run, simulator } = await openSmallWorld();
  await run(['sync', '--endpoint', 'visibility', '--today', TODAY, '--quiet']);
  const data = join(folder, 'data');
  const files = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name)).toString('base64')]),
    );
  const before = files();
  simulator.resetRequests();
  expect(await run(['sync', '--dry-run', '--full', '--today', TODAY])).toMatchObject(
    prints(0, 'Nothing was stored.'),
  );
  expect(files()).toEqual(before);
  expect(existsSync(join(data, 'answers.duckdb.wal'))).toBe(false);
  expect(asked(simulator).toSorted()).toEqual(['auth/validate', 'models', 'prompts']);
});
