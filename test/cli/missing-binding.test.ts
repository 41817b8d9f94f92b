import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolder } from '../support/folder.ts';
import { BUILT } from '../support/program.ts';
import { writePublished } from './published.ts';

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

it.each(['status', 'query', 'sync', 'check'])(
  '%s names the missing native library of DuckDB and its remedy',
  async (command) => {
    const folder = openFolder();
    const config = await writePublished(folder);
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
