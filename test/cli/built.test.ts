import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openPublished } from './published.ts';
import { readVersion } from '../../src/files.ts';
import { BUILT, startProgram } from '../support/program.ts';
import { openFolder } from '../support/folder.ts';
import { join, resolve } from 'node:path';

it('the program that npm links runs by its path alone', () => {
  expect(spawnSync(resolve('bin/answerlake.js'), ['--version'], { encoding: 'utf8' }).stdout).toBe(
    `${readVersion()}\n`,
  );
});

it('the built program outlives a reader that goes away', async () => {
  const { folder: cwd } = await openPublished();
  const argv = ['query', '--quiet', "select repeat('x', 3000000) as x from range(3)"];
  const { child, ended } = startProgram(argv, { cwd });
  child.stdout.destroy();
  const { code, stderr } = await ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

it('the built program waits for a reader that is slow, and gives it everything', async () => {
  const { folder: cwd } = await openPublished();
  const argv = ['query', '--format', 'json', "select i, repeat('x', 100) as x from range(20000) t(i)"];
  const { child, ended } = startProgram(argv, { cwd });
  child.stdout.pause();
  // Longer than a process is kept after its command, so that whatever ends it too early does.
  setTimeout(() => child.stdout.resume(), 2_500);
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(20_000);
});

it.skipIf(!existsSync('/dev/full'))(
  'the built program gives exit 7 when its output meets a full disk',
  () => {
    const full = openSync('/dev/full', 'w');
    const stdio = ['ignore', full, 'pipe'] as const;
    const { status, stderr } = spawnSync(process.execPath, [BUILT, '--version'], { stdio: [...stdio] });
    closeSync(full);
    expect(status).toBe(7);
    expect(stderr.toString()).toContain('could not be written');
  },
);

it.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the built program ends simulate clean on %s', async (signal, exitCode) => {
  const { child, ended } = startProgram(['simulate', '--port', '0', '--json'], { cwd: openFolder() });
  const line = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const { url } = JSON.parse(line) as { url: string };
  expect((await fetch(`${url}/api/v1/models`)).status).toBe(200);
  child.kill(signal);
  expect(await ended).toMatchObject({ code: exitCode, stderr: '' });
});

/** As after `npm install --omit=optional`. */
const WITHOUT = `
  const Module = require('node:module');
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => {
    if (/^@duckdb.node-bindings-/.test(name)) {
      throw Object.assign(new Error(\`Cannot find module '\${name}'\`), { code: 'MODULE_NOT_FOUND' });
    }
    return resolve(name, ...rest);
  };`;

it.each(['query', 'sync'])(
  '%s names the missing native library of DuckDB and its remedy',
  async (command) => {
    const { folder, config } = await openPublished();
    writeFileSync(join(folder, 'without.cjs'), WITHOUT);
    const argv = ['--require', join(folder, 'without.cjs'), BUILT, command, '--config', config];
    if (command === 'query') argv.push('select 1');
    const env = { PATH: process.env['PATH'], ACME_KEY: 'a-key' };
    const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
    expect(stderr).toMatch(/^error: The native library of DuckDB for .*--include=optional/m);
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  },
);
