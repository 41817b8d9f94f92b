import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { asTyped, typedAs } from '../../src/cli/flags.ts';
import { cli } from './run.ts';
import { openSmallWorld, TODAY } from './small-world.ts';

it.each([
  ['npx answerlake', { npm_command: 'exec' }, '/tmp/_npx/1/node_modules/.bin/answerlake'],
  ['npx answerlake', {}, '/home/me/lake/node_modules/.bin/answerlake'],
  ['answerlake', {}, '/usr/local/bin/answerlake'],
  ['node /opt/answerlake/dist/src/cli/main.js', {}, '/opt/answerlake/dist/src/cli/main.js'],
])('commands in messages are shown as the program was called: %s', (expected, env, script) => {
  expect(typedAs(env, script)).toBe(expected);
});

it('commands in messages name the configuration that was named, unless they name one or show help', () => {
  const program = new Command('answerlake').option('--config <file>');
  program.command('sync');
  program.parse(['sync', '--config', 'my lake.yaml'], { from: 'user' });
  const text =
    'Run answerlake sync --full (answerlake sync --help, answerlake sync --config a.yaml); answerlake is fine.';
  expect(asTyped(text, program, { env: {}, script: '/a/node_modules/.bin/answerlake' })).toBe(
    "Run npx answerlake sync --config 'my lake.yaml' --full (npx answerlake sync --help, npx answerlake sync --config a.yaml); answerlake is fine.",
  );
});

it('every command names the next one on stderr, and not with --quiet or --json', async () => {
  const { run, folder } = await openSmallWorld();
  cpSync('jobs', join(folder, 'jobs'), { recursive: true });
  const output = join(folder, 'lake');
  const steps: string[] = [];
  for (const argv of [
    ['check'],
    ['plan', '--endpoint', 'events', '--today', TODAY],
    ['sync', '--endpoint', 'events', '--today', TODAY],
    ['status'],
    ['gaps'],
    ['publish'],
    ['report', '--output', join(folder, 'page.html')],
    ['export', '--output', output, '--table', 'calendar', '--overwrite'],
    ['describe'],
    ['examples'],
    ['schedule', '--systemd'],
  ]) {
    const { stderr } = await run(argv);
    const [, next = ''] = stderr.split('\nNext:\n');
    expect(next, argv.join(' ')).not.toBe('');
    steps.push(...next.split('\n').flatMap((line) => /^ {2}answerlake (\w+)/.exec(line)?.[1] ?? []));
  }
  for (const name of ['status', 'gaps', 'describe']) {
    for (const flag of ['--quiet', '--json'])
      expect((await run([name, flag])).stderr, `${name} ${flag}`).not.toContain('Next:');
  }
  for (const name of new Set(steps)) expect((await cli(['help', name])).code, name).toBe(0);
  expect(steps).toContain('report');
});
