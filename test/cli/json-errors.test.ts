import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { splitRemedy } from '../../src/errors.ts';
import { CONFIG } from './published.ts';
import { cli } from './run.ts';
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
    'There is no working file yet. Run answerlake sync.',
    'There is no working file yet.',
    'Run answerlake sync.',
  ],
  ['--base-url: is missing: add --base-url https://x', '--base-url: is missing.', 'Add --base-url https://x'],
  ['a is taken; nothing was written. Name another.', 'a is taken; nothing was written.', 'Name another.'],
  ['--x: not one of a, b\nAdd --help to see.', '--x: not one of a, b.', 'Add --help to see.'],
  ['the folder is locked', 'the folder is locked', 'Wait until the other run has ended, then run again.'],
])('the message %j is parted into what happened and what to do', (message, what, remedy) => {
  expect(splitRemedy(message, 'locked')).toEqual({ what, remedy });
});
