import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Runs the commands of a page in bash, in a folder that has the built program on its path. */
export async function runCommands(folder: string, script: string): Promise<void> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'answerlake');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/src/cli/main.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  await promisify(execFile)('bash', ['-euc', script], { cwd: folder, env });
}
