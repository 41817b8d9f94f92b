import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { HEARTBEAT } from '../../src/scale/queue/processes.ts';
import { contentHashes } from '../support/content-hash.ts';
import { startInProcess } from './in-process.ts';
import { inDatabase } from './in-database.ts';
import { startOrganizations } from './organizations.ts';
import { newDatabase, QueueRig } from './queue-rig.ts';

const TODAY = '2026-03-01';

test.each(['worker', 'loader'])('%s says that the queue is not set up: exit 2', async (command) => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  const { code, stderr } = await rig.run([command], { env: { DATABASE_URL: await newDatabase() } });
  expect(stderr).toContain('answerlake queue init');
  expect(code).toBe(2);
});

test('a queue of another format is exit 2 with its remedy, and queue init upgrades an older one', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  const formatIs = (format: string): Promise<unknown> =>
    inDatabase(rig.url, `update answerlake.settings set value = '${format}' where name = 'format'`);
  await formatIs('9');
  for (const argv of [['worker'], ['loader'], ['queue', 'run'], ['queue', 'status'], ['queue', 'init']]) {
    const newer = await rig.run(argv);
    expect([argv, newer.code]).toEqual([argv, 2]);
    expect(newer.stderr).toContain('upgrade answerlake on this host');
  }
  await formatIs('0');
  const older = await rig.run(['worker']);
  expect([older.code, older.stderr]).toEqual([2, expect.stringContaining('run answerlake queue init')]);
  expect((await rig.run(['queue', 'init'])).code).toBe(0);
  // The tables of the queue itself.
  await inDatabase(rig.url, 'update answerlake_jobs.version set version = version - 1');
  const tables = await rig.run(['worker']);
  expect([tables.code, tables.stderr]).toEqual([2, expect.stringContaining('run answerlake queue init')]);
});

test('a PostgreSQL that is away is exit 7 for every command, without the password', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  const env = { DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/none' };
  for (const argv of [
    ['worker'],
    ['loader'],
    ...['init', 'run', 'status', 'pause', 'resume', 'retry'].map((word) => ['queue', word]),
  ]) {
    const { code, stderr } = await rig.run(argv, { env });
    expect([argv, code]).toEqual([argv, 7]);
    expect(stderr).toContain('PostgreSQL does not serve the queue');
    expect(stderr).not.toContain('secret-word');
  }
});

test('hosts whose clocks are an hour and a half apart give the content of one process', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  const start = (role: string, aheadMinutes: number): ReturnType<typeof startInProcess> =>
    startInProcess([role, '--config', join(rig.folder, 'answerlake.yaml')], {
      env: rig.env,
      heartbeat: HEARTBEAT,
      effects: { ...realEffects, now: () => Date.now() + aheadMinutes * 60_000 },
    });
  start('loader', -45);
  start('worker', 45);
  const run = await rig.run(['queue', 'run', '--wait', '--today', TODAY, '--json']);
  expect(run.code).toBe(0);
  expect(await contentHashes(rig.published)).toEqual(await rig.contentOfOneProcess(TODAY));
});

test('a run for a future day or an unreachable project is exit 2 at once, as with sync, and no dead letter', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-20' });
  for (const role of ['loader', 'worker']) {
    startInProcess([role, '--config', join(rig.folder, 'answerlake.yaml')], {
      env: rig.env,
      heartbeat: HEARTBEAT,
    });
  }
  const future = await rig.run(['queue', 'run', '--wait', '--today', '2999-01-01']);
  expect([future.code, future.stderr]).toEqual([2, expect.stringContaining('is in the future')]);
  const unknown = await rig.run(['queue', 'run', '--wait', '--today', TODAY, '--project', 'nope']);
  expect([unknown.code, unknown.stdout]).toEqual([
    2,
    expect.stringContaining('no configured key reaches it'),
  ]);
  const state = JSON.parse((await rig.run(['queue', 'status', '--json'])).stdout) as Record<string, unknown>;
  expect(state).toMatchObject({ runs: [], organizations: [], dead_letters: [] });
});
