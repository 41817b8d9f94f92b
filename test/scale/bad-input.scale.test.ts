import { expect, test } from 'vitest';
import { newDatabase, Fleet, inDatabase } from './fleet.ts';

type Commands = readonly (readonly string[])[];

const ROLES = [['worker'], ['loader']];
const queue = (...words: string[]): string[][] => words.map((word) => ['queue', word]);

/** How each command ends: with which code, and what it says. */
async function endsOf(
  fleet: Fleet,
  commands: Commands,
  env: Record<string, string> = {},
): Promise<unknown[]> {
  const ends: unknown[] = [];
  for (const argv of commands) {
    const { code, stderr } = await fleet.run(argv, { env });
    ends.push([argv, code, stderr]);
  }
  return ends;
}

const all = (commands: Commands, code: number, says: string): unknown[] =>
  commands.map((argv) => [argv, code, expect.stringContaining(says)]);

test('a queue that is not set up or has another format is exit 2 with its remedy; queue init upgrades it', async () => {
  const fleet = await Fleet.open(1);
  const formatIs = (format: string): Promise<unknown> =>
    inDatabase(fleet.url, `update answerlake.settings set value = '${format}' where name = 'format'`);
  const init = 'answerlake queue init';
  const [some, worker] = [[...ROLES, ...queue('status')], [['worker']]];
  const env = { DATABASE_URL: await newDatabase() };
  expect(await endsOf(fleet, some, env)).toEqual(all(some, 2, init));
  await formatIs('9');
  const more = [...ROLES, ...queue('run', 'status', 'init')];
  expect(await endsOf(fleet, more)).toEqual(all(more, 2, 'upgrade answerlake on this host'));
  await formatIs('0');
  expect(await endsOf(fleet, worker)).toEqual(all(worker, 2, init));
  for (let times = 0; times < 2; times += 1) expect((await fleet.run(['queue', 'init'])).code).toBe(0);
  // The tables of the queue itself.
  await inDatabase(fleet.url, 'update answerlake_jobs.version set version = version - 1');
  expect(await endsOf(fleet, worker)).toEqual(all(worker, 2, init));
});

test('a PostgreSQL that is away is exit 7 for every command, without the password', async () => {
  const fleet = await Fleet.open(1);
  const commands = [...ROLES, ...queue('init', 'run', 'status', 'pause', 'resume', 'retry')];
  const ends = await endsOf(fleet, commands, { DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/none' });
  expect(ends).toEqual(all(commands, 7, 'PostgreSQL does not serve the queue'));
  expect(JSON.stringify(ends)).not.toContain('secret-word');
});
