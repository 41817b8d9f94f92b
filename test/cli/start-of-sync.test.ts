import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';

/** Writes the address of every module that the program loads, a line each. */
const TRACE = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, url + '\\\\n');
  return await next(url, context);
}\`));
`;

it('a sync that tells no webhook loads the pool of the HTTP client and nothing else of it', async () => {
  const folder = openFolder();
  const loaded = join(folder, 'loaded.txt');
  writeFileSync(join(folder, 'trace.mjs'), TRACE);
  writeFileSync(
    join(folder, 'answerlake.yaml'),
    [
      'version: 1',
      'accounts: [{ name: one, api_key: env:A_KEY }]',
      'api: { base_url: "http://127.0.0.1:9", attempts: 1 }',
      'sync: { start_date: 2026-07-01 }',
      'warehouse: { path: answers.duckdb }',
    ].join('\n'),
  );
  const env = { A_KEY: 'a-key', LOADED: loaded, NODE_OPTIONS: '--import ./trace.mjs' };
  const { code } = await startProgram(['sync', '--quiet'], { cwd: folder, env }).ended;
  const modules = readFileSync(loaded, 'utf8')
    .trim()
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => readFileSync(fileURLToPath(url), 'utf8'))
    .join('\n');
  expect({
    code,
    pool: modules.includes('// node_modules/undici/lib/dispatcher/pool.js'),
    all: modules.includes('// node_modules/undici/index.js'),
  }).toEqual({ code: 5, pool: true, all: false });
});
