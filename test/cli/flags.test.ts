import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Command } from 'commander';
import { asTyped, flagsOf, sameFlags, typedAs } from '../../src/cli/typed.ts';
import { runFlags, syncRequestOf } from '../../src/cli/selection-flags.ts';
import { loadConfig } from '../../src/config/file.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { CONFIG } from './published.ts';
import { cli, fails } from './run.ts';
import { openFolder } from '../support/folder.ts';

function request(flags: Record<string, unknown>) {
  const path = join(openFolder(), 'answerlake.yaml');
  writeFileSync(path, `${CONFIG}jobs_dir: ${join(process.cwd(), 'jobs')}\n`);
  const config = loadConfig({ path, env: { ACME_KEY: 'a-key' } });
  return syncRequestOf(runFlags.parse(flags), config);
}

it('the flags of answerlake sync ask for everything by default', async () => {
  expect(await request({})).toEqual(syncRequest({}));
  expect(syncRequest({})).toMatchObject({ full: false, acceptShrink: false, strict: false });
});

it('the flags of answerlake sync take hyphens and ends of API paths for endpoint names', async () => {
  const endpoint = ['share-of-voice', 'visibility-time-series', 'events,sentiment'];
  const names = ['share_of_voice', 'visibility', 'events', 'sentiment'];
  expect((await request({ endpoint })).endpoints).toEqual(names);
});

it.each([
  [['Acme, Inc.'], ['Acme, Inc.']],
  [
    ['p1,p2', 'Small Shop'],
    ['p1', 'p2', 'Small Shop'],
  ],
])('the projects %j are %j: a name may have blanks and a comma', async (project, projects) => {
  expect((await request({ project })).projects).toEqual(projects);
});

it('the flags of answerlake sync take days and numbers inside their bounds', async () => {
  expect(await request({ from: '2025-03-01', to: '2025-03-02', lookbackDays: '3660' })).toMatchObject({
    from: '2025-03-01',
    to: '2025-03-02',
    lookbackDays: 3660,
  });
  expect((await request({ lookbackDays: '0' })).lookbackDays).toBe(0);
  for (const lookbackDays of ['3661', '-1', ''])
    expect(() => request({ lookbackDays })).toThrow(/whole number/);
});

it('the flags of answerlake sync let a job give what they leave open', async () => {
  expect(await request({ job: 'events-hourly' })).toMatchObject({
    job: 'events-hourly',
    endpoints: ['events'],
    lookbackDays: 2,
    maxWaitMs: 0,
  });
  expect((await request({ job: 'events-hourly', maxWait: '5m' })).maxWaitMs).toBe(300_000);
});

it.each([
  [{ to: '2025-03-01' }, /--to needs --from/],
  [{ job: 'nigtly' }, /there is no job nigtly .*did you mean nightly\?/],
  [{ endpoint: ['visibilty'] }, /there is no endpoint visibilty; did you mean visibility\?/],
])('the flags of answerlake sync refuse %j', async (flags, message) => {
  await expect(request(flags)).rejects.toThrow(message);
});

it.each([
  [['snyc'], /Unknown command 'snyc' \(did you mean sync\?\)/],
  [['sync', '--form', '2025-01-01'], /Unknown option '--form' \(did you mean --from\?\)/],
  [['query'], /Missing required argument 'sql'/],
  [['query', 'select 1', 'select 2'], /Too many arguments/],
  [['status', '--log-level', 'loud'], /--log-level: "loud" is not one of debug, info, warn, error, silent/],
  [
    ['sync', '--max-wait', 'soon', '--today', 'now'],
    /--today: [\s\S]*--max-wait: |--max-wait: [\s\S]*--today: /,
  ],
  [['help', 'nope'], /Unknown command 'nope'\.\nAdd --help/],
  [['endpoints', 'nope'], /Unknown command 'nope'; there is: try, add, drop/],
  [['endpoints', 'drpo', 'x'], /Unknown command 'drpo'; did you mean drop\?/],
  [['endpoints', 'try', 'a', 'b'], /Too many arguments/],
  [['draft'], /No command was given\.\nAdd --help/],
  [['draft', 'pusch'], /Unknown command 'pusch' \(did you mean push\?\)/],
])('the command line refuses %j with exit 2 and says how to go on', async (argv, message) => {
  const { code, stdout, stderr } = await cli(argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).toMatch(message);
  expect(stderr).toContain('--help');
});

it('answerlake without a command prints the help and ends with 0', async () => {
  const help = await cli(['--help']);
  expect(help.stdout).toMatch(/^Usage: answerlake/);
  expect(await cli([])).toEqual(help);
  expect(await cli(['--quiet'])).toEqual(help);
});

it('the steps under Next stand in one column, whatever a command gains when it is typed here', async () => {
  const config = join(openFolder(), 'my lake', 'answerlake.yaml');
  const { stderr } = await cli(['init', '--config', config, '--base-url', 'https://server.example.com']);
  const steps = stderr.split('\n').filter((line) => line.startsWith('  '));
  expect(steps.length).toBeGreaterThan(3);
  expect(new Set(steps.map((line) => /^ {2}.*? {2,}/.exec(line)?.[0].length)).size).toBe(1);
  expect(stderr).toContain(`answerlake check --config '${config}'`);
});

it('a next command with the same selection repeats the typed flags: without them it would pull everything', () => {
  const plan = new Command('plan').option('--project <name...>').option('--full').option('--offline');
  plan.parse(['--project', 'Acme, Inc.', 'p1', '--full', '--offline'], { from: 'user' });
  expect(sameFlags(plan, ['--offline'])).toBe(" --project 'Acme, Inc.' p1 --full");
  expect(sameFlags(new Command('plan').option('--full').parse([], { from: 'user' }), [])).toBe('');
});

it('the command line takes global flags before and after the command', async () => {
  const before = await cli(['--config', 'nowhere.yaml', 'status']);
  const after = await cli(['status', '--config', 'nowhere.yaml']);
  expect(before).toEqual(after);
  expect(before.stderr).toContain('no configuration at nowhere.yaml');
});

it('the command line takes every flag from the environment, the command line first', async () => {
  const env = { ANSWERLAKE_CONFIG: 'from-env.yaml', ANSWERLAKE_JSON: '1' };
  const report = { ok: false, exit_code: 2 };
  expect(await cli(['status'], { env })).toMatchObject({ ...fails(2, 'from-env.yaml'), report });
  expect((await cli(['status', '--config', 'flag.yaml'], { env })).stderr).toContain('flag.yaml');
  const off = await cli(['status'], { env: { ANSWERLAKE_JSON: '0', ANSWERLAKE_CONFIG: '' } });
  expect(off).toMatchObject({ stdout: '', stderr: expect.stringContaining('at answerlake.yaml') });
  expect((await cli(['status'], { env: { ANSWERLAKE_QUIET: 'maybe' } })).stderr).toMatch(
    /ANSWERLAKE_QUIET must be/,
  );
  const named = { ANSWERLAKE_PROJECT: 'Small Shop', ANSWERLAKE_ENDPOINT: 'nope events' };
  const both = new Command('sync').option('--project <name...>').option('--endpoint <name...>');
  expect(runFlags.parse(flagsOf(both.parse([], { from: 'user' }), named))).toMatchObject({
    project: ['Small Shop'],
    endpoint: ['nope', 'events'],
  });
  const wrong = { env: { ANSWERLAKE_MAX_WAIT: 'soon', ANSWERLAKE_LOG_LEVEL: 'info' } };
  expect((await cli(['sync'], wrong)).stderr).toContain(
    'error: ANSWERLAKE_MAX_WAIT (--max-wait): "soon" is not',
  );
  const typed = await cli(['sync', '--max-wait', 'late'], wrong);
  expect(typed.stderr).toContain('error: --max-wait: "late" is not');
});

const COMMANDS =
  'init sync schedule status gaps endpoints query describe examples mcp report simulate check publish demo plan replay export starters';

it.each(COMMANDS.split(' '))('the command line shows help with examples for %s', async (name) => {
  const { code, stdout } = await cli([name, '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain(`$ answerlake ${name}`);
  expect(stdout).toContain('--config <file>');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

it.each([
  ['npx answerlake', { npm_command: 'exec' }, '/tmp/_npx/1/node_modules/.bin/answerlake'],
  ['npx answerlake', { npm_command: 'run-script' }, '/home/me/answerlake/bin/answerlake.js'],
  ['npx answerlake', { npm_command: 'run' }, '/home/me/answerlake/bin/answerlake.js'],
  ['npx answerlake', {}, '/home/me/lake/node_modules/.bin/answerlake'],
  ['answerlake', {}, '/usr/local/bin/answerlake'],
  ['node /opt/answerlake/dist/src/cli/main.js', {}, '/opt/answerlake/dist/src/cli/main.js'],
  ["node '/opt/its new/bin/answerlake.js'", {}, '/opt/its new/bin/answerlake.js'],
])('commands in messages are shown as the program was called: %s', (expected, env, script) => {
  expect(typedAs(env, script)).toBe(expected);
});

it('commands in messages name the configuration that was named, unless they name one or show help', () => {
  const program = new Command('answerlake').option('--config <file>');
  program.command('sync');
  program.parse(['sync', '--config', 'my lake.yaml'], { from: 'user' });
  const text =
    'Run answerlake sync --full (answerlake sync --help, answerlake sync --config a.yaml) or answerlake queue init; answerlake is fine.';
  expect(asTyped(text, program, { env: {}, script: '/a/node_modules/.bin/answerlake' })).toBe(
    "Run npx answerlake sync --config 'my lake.yaml' --full (npx answerlake sync --help, npx answerlake sync --config a.yaml) or npx answerlake queue init --config 'my lake.yaml'; answerlake is fine.",
  );
});
