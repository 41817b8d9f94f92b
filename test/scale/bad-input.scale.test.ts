import { expect, test } from 'vitest';
import { newDatabase, Fleet, inDatabase, TODAY } from './fleet.ts';

const ROLES = [['worker'], ['loader']];
const queue = (...words: string[]): string[][] => words.map((word) => ['queue', word]);

/** Every command ends with that code and says that text. */
async function refused(
  fleet: Fleet,
  commands: readonly (readonly string[])[],
  { code, says, env = {} }: { code: number; says: string; env?: Record<string, string> },
): Promise<void> {
  for (const argv of commands) {
    const { code: ended, stderr } = await fleet.run(argv, { env });
    expect([argv, ended, stderr]).toEqual([argv, code, expect.stringContaining(says)]);
    expect(stderr).not.toContain('secret-word');
  }
}

test('a queue that is not set up or has another format is exit 2 with its remedy; queue init upgrades it', async () => {
  const fleet = await Fleet.open(1);
  const formatIs = (format: string): Promise<unknown> =>
    inDatabase(fleet.url, `update answerlake.settings set value = '${format}' where name = 'format'`);
  const init = { code: 2, says: 'answerlake queue init' };
  const env = { DATABASE_URL: await newDatabase() };
  await refused(fleet, [...ROLES, ...queue('status')], { ...init, env });
  await formatIs('9');
  const newer = { code: 2, says: 'upgrade answerlake on this host' };
  await refused(fleet, [...ROLES, ...queue('run', 'status', 'init')], newer);
  await formatIs('0');
  await refused(fleet, [['worker']], init);
  for (let times = 0; times < 2; times += 1) expect((await fleet.run(['queue', 'init'])).code).toBe(0);
  // The tables of the queue itself.
  await inDatabase(fleet.url, 'update answerlake_jobs.version set version = version - 1');
  await refused(fleet, [['worker']], init);
});

test('a PostgreSQL that is away is exit 7 for every command, without the password', async () => {
  const fleet = await Fleet.open(1);
  const commands = [...ROLES, ...queue('init', 'run', 'status', 'pause', 'resume', 'retry')];
  const env = { DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/none' };
  await refused(fleet, commands, { code: 7, says: 'PostgreSQL does not serve the queue', env });
});

test('a run for a future day or an unreachable project is exit 2 at once, as with sync, and no dead letter', async () => {
  const fleet = await Fleet.open(1);
  for (const role of ['loader', 'worker']) fleet.serve(role);
  const run = ['queue', 'run', '--wait', '--today'];
  await refused(fleet, [[...run, '2999-01-01']], { code: 2, says: 'is in the future' });
  const unknown = [...run, TODAY, '--project', 'nope'];
  await refused(fleet, [unknown], { code: 2, says: 'no configured key reaches it' });
  const state: unknown = JSON.parse((await fleet.run(['queue', 'status', '--json'])).stdout);
  expect(state).toMatchObject({ runs: [], organizations: [], dead_letters: [] });
});
