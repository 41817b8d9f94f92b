import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openFolder } from '../support/folder.ts';

const SCRIPT = fileURLToPath(new URL('../../.ci/readers.sh', import.meta.url));

it('the proof with old readers passes without a registry and names the readers that it skipped', () => {
  const folder = openFolder();
  for (const name of ['python3', 'npm', 'mvn', 'javac']) {
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, name), 0o755);
  }
  const before = readdirSync(folder);
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, TMPDIR: folder };
  const { status, stdout } = spawnSync(SCRIPT, { env, encoding: 'utf8' });
  expect({ status, lines: stdout.trim().split('\n') }).toEqual({
    status: 0,
    lines: ['skipped: pip does not answer', 'skipped: npm does not answer', 'skipped: mvn does not answer'],
  });
  expect(readdirSync(folder)).toEqual(before);
});
