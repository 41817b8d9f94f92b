import { tables } from '../support/tables.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { AnswerlakeError, type ErrorClass, shellWord } from '../../src/errors.ts';
import { openWorkingFile } from '../../src/warehouse/working-file.ts';
import { CONFIG } from './published.ts';
import { openZone, requireSameZone } from '../../src/scale/landing/zone.ts';
import { cli, type CliOptions, type CliResult } from './run.ts';
import { openSmallWorld, type SmallWorldOptions } from './small-world.ts';
import { openFolder } from '../support/folder.ts';

it.each([
  ['status', '--project', 'nowhere'],
  ['query', 'select 1; select 2'],
  ['describe', 'nothing'],
  ['publish'],
  ['replay'],
])('with --json an error of answerlake %s is error, code and remedy', async (...argv) => {
  const path = join(openFolder(), 'answerlake.yaml');
  writeFileSync(path, CONFIG);
  const { code, stdout } = await cli([...argv, '--json', '--config', path], { env: { ACME_KEY: 'k' } });
  const report = JSON.parse(stdout) as Record<string, unknown>;
  expect(report).toMatchObject({ ok: false, exit_code: code, code: 'configuration' });
  expect(report['error']).toMatch(/\.$/);
  expect(report['remedy']).toMatch(/^[A-Z]/);
  expect(`${String(report['error'])} ${String(report['remedy'])}`).not.toMatch(/undefined|\bbug\b/);
});

it.each([
  [
    ['There is no working file yet.', 'Run answerlake sync.'],
    'There is no working file yet.',
    'Run answerlake sync.',
  ],
  [
    ['--base-url: is missing:', 'add --base-url https://x'],
    '--base-url: is missing.',
    'Add --base-url https://x',
  ],
  [['--x: not one of a, b\n', 'Add --help to see.'], '--x: not one of a, b.', 'Add --help to see.'],
  [
    'Run it; the folder is locked',
    'Run it; the folder is locked',
    'Wait until the other run has ended, then run again.',
  ],
])('an error of %j says what happened and what to do', (message, what, remedy) => {
  const error = new AnswerlakeError(message, { class: 'locked' });
  expect(error).toMatchObject({ what, remedy });
  expect(error.message).toBe([message].flat().join(' ').replace('\n ', '\n'));
});

it('next and remedy of an error keep --config, without which it would act on another warehouse', async () => {
  const path = join(openFolder(), 'acme.yaml');
  writeFileSync(path, CONFIG);
  const { report } = await cli(['query', 'select 1', '--json', '--config', path], { env: { ACME_KEY: 'k' } });
  expect(report).toMatchObject({
    next: `answerlake sync --config ${shellWord(path)}`,
    remedy: `Run answerlake sync --config ${shellWord(path)}, or name another configuration with --config FILE.`,
  });
  const missing = `${path}.none`;
  const without = await cli(['plan', '--json', '--config', missing]);
  expect(without.report).toMatchObject({ next: `answerlake init --config ${shellWord(missing)}` });
});

it('a command that helps on a condition only is not the next one: what runs it would give a queue another landing zone', () => {
  const zone = openZone('/srv/landing', { env: {}, signal: new AbortController().signal });
  expect(() => requireSameZone(zone, 'a', 'b')).toThrow(
    expect.objectContaining({ command: null, message: expect.stringContaining('queue init --new-landing') }),
  );
});

async function plan(options: SmallWorldOptions = {}, more: CliOptions = {}): Promise<CliResult> {
  return await (await openSmallWorld(options)).run(['plan', '--json'], more);
}

const BROKEN_CLOCK: CliOptions = {
  effects: {
    ...realEffects,
    now: () => {
      throw new TypeError('the clock is broken');
    },
  },
};

/** What makes a command end with an error of each class. */
const CAUSES: Readonly<Record<ErrorClass, () => Promise<CliResult>>> = {
  bug: () => plan({}, BROKEN_CLOCK),
  configuration: () => plan({ more: 'colour: blue' }),
  contract: async () => {
    const { simulator, run } = await openSmallWorld();
    const headers = { location: 'https://elsewhere.example/' };
    simulator.override('/validate', () => ({ status: 302, headers, body: null }));
    return await run(['plan', '--json']);
  },
  auth: () => plan({}, { env: { SMALL_KEY: 'of-nobody' } }),
  quota: () => plan({ quota: { perHour: 1 } }),
  transient: () => plan({ faults: () => ({ kind: 'status', status: 503 }) }),
  locked: async () => {
    const { folder, run } = await openSmallWorld();
    const publishedPath = join(folder, 'data', 'answers.duckdb');
    await using held = (await openWorkingFile({ tables, publishedPath, now: 0 })).database;
    expect(held).toBeDefined();
    return await run(['publish', '--json']);
  },
  storage: async () => {
    const { folder, run } = await openSmallWorld();
    writeFileSync(join(folder, 'data', 'answers.duckdb'), 'no database');
    return await run(['query', 'select 1', '--json']);
  },
  stopped: async () => {
    const stopped = new AbortController();
    stopped.abort(new AnswerlakeError('Stopped by SIGTERM.', { class: 'stopped', exitCode: 143 }));
    return await plan({}, { signal: stopped.signal });
  },
};

const UNKNOWN_SETTING = expect.objectContaining({ line: 5, column: 1, path: 'colour' });

it.each([
  ['bug', 1, 'run', 'Run again with --log-level debug and report what it prints.'],
  ['configuration', 2, 'run', 'Correct it and run again; answerlake check tries the configuration.'],
  ['contract', 3, 'slice', 'Run answerlake check --api to see what the server answers.'],
  ['auth', 4, 'key', 'Set a key from Settings, API Keys of the dashboard'],
  ['quota', 5, 'key', 'Run again after the hour'],
  ['transient', 5, 'slice', 'Run again later'],
  ['locked', 6, 'run', 'Close it first'],
  ['storage', 7, 'run', 'Move it away and run again'],
  ['stopped', 143, 'run', 'Run again: it continues where it stopped.'],
] as const)('an error of the class %s ends with %i and has its scope and remedy', async (...expected) => {
  const [code, exitCode, scope, remedy] = expected;
  const { code: ended, stdout } = await CAUSES[code]();
  const report = JSON.parse(stdout) as Record<string, unknown>;
  expect({ ...report, ended }).toMatchObject({
    ok: false,
    ended: exitCode,
    exit_code: exitCode,
    code,
    scope,
  });
  expect(report['error']).not.toBe('');
  expect(report['problems']).toEqual(code === 'configuration' ? [UNKNOWN_SETTING] : undefined);
  expect(
    String(report['remedy'])
      .replace(/ --config ('.*?'|\S+)/, '')
      .slice(0, remedy.length),
  ).toBe(remedy);
});

it('anything unexpected is called a bug, with the stack when debugging', async () => {
  const { run } = await openSmallWorld();
  expect((await run(['plan'], BROKEN_CLOCK)).stderr).toMatch(
    /^error: This is a bug in answerlake: the clock is broken\..*--log-level debug.*\n$/,
  );
  const debug = await run(['plan', '--log-level', 'debug'], BROKEN_CLOCK);
  expect(debug.stderr).toMatch(/TypeError: the clock is broken\n +at /);
});
