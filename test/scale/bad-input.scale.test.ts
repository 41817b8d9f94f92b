import { expect, test } from 'vitest';
import { inDatabase } from './in-database.ts';
import { startOrganizations } from './organizations.ts';
import { newDatabase, Fleet } from './fleet.ts';

const TODAY = '2026-03-01';

test('a queue that is not set up or has another format is exit 2 with its remedy; queue init upgrades it', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-20' });
  const formatIs = (format: string): Promise<unknown> =>
    inDatabase(fleet.url, `update answerlake.settings set value = '${format}' where name = 'format'`);
  const env = { DATABASE_URL: await newDatabase() };
  for (const argv of [['worker'], ['loader'], ['queue', 'status']]) {
    const none = await fleet.run(argv, { env });
    expect([argv, none.code, none.stderr]).toEqual([
      argv,
      2,
      expect.stringContaining('answerlake queue init'),
    ]);
  }
  await formatIs('9');
  for (const argv of [['worker'], ['loader'], ['queue', 'run'], ['queue', 'status'], ['queue', 'init']]) {
    const newer = await fleet.run(argv);
    expect([argv, newer.code]).toEqual([argv, 2]);
    expect(newer.stderr).toContain('upgrade answerlake on this host');
  }
  await formatIs('0');
  const older = await fleet.run(['worker']);
  expect([older.code, older.stderr]).toEqual([2, expect.stringContaining('run answerlake queue init')]);
  for (let times = 0; times < 2; times += 1) expect((await fleet.run(['queue', 'init'])).code).toBe(0);
  // The tables of the queue itself.
  await inDatabase(fleet.url, 'update answerlake_jobs.version set version = version - 1');
  const tables = await fleet.run(['worker']);
  expect([tables.code, tables.stderr]).toEqual([2, expect.stringContaining('run answerlake queue init')]);
});

test('a PostgreSQL that is away is exit 7 for every command, without the password', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-20' });
  const env = { DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/none' };
  for (const argv of [
    ['worker'],
    ['loader'],
    ...['init', 'run', 'status', 'pause', 'resume', 'retry'].map((word) => ['queue', word]),
  ]) {
    const { code, stderr } = await fleet.run(argv, { env });
    expect([argv, code]).toEqual([argv, 7]);
    expect(stderr).toContain('PostgreSQL does not serve the queue');
    expect(stderr).not.toContain('secret-word');
  }
});

test('a run for a future day or an unreachable project is exit 2 at once, as with sync, and no dead letter', async () => {
  await using organizations = await startOrganizations(1, { today: TODAY });
  const fleet = await Fleet.open({ organizations, startDate: '2026-02-20' });
  for (const role of ['loader', 'worker']) fleet.serve(role);
  const future = await fleet.run(['queue', 'run', '--wait', '--today', '2999-01-01']);
  expect([future.code, future.stderr]).toEqual([2, expect.stringContaining('is in the future')]);
  const unknown = await fleet.run(['queue', 'run', '--wait', '--today', TODAY, '--project', 'nope']);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('no configured key reaches it'),
  ]);
  const state = JSON.parse((await fleet.run(['queue', 'status', '--json'])).stdout) as Record<
    string,
    unknown
  >;
  expect(state).toMatchObject({ runs: [], organizations: [], dead_letters: [] });
});
