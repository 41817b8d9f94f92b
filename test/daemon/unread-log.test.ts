import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../src/errors.ts';
import { BUILT } from '../support/program.ts';
import { freePort } from '../support/scripted-server.ts';
import { openFolder } from '../support/folder.ts';
import { writePublished } from '../cli/published.ts';

/** A pipe that holds all it can and that nobody reads; the descriptor of its end for writing. */
function fullPipe(path: string): number {
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  onTestFinished(() => [reader, writer].forEach((file) => closeSync(file)));
  try {
    for (;;) writeSync(reader, 'x');
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
  }
  return writer;
}

it('a daemon whose log is a full pipe that nobody reads answers probes and ends at SIGTERM', async () => {
  const folder = openFolder();
  const config = await writePublished(folder);
  const port = await freePort();
  writeFileSync(config, `${readFileSync(config, 'utf8')}\nhttp: { port: ${port} }\n`);
  mkdirSync(join(folder, 'jobs'), { recursive: true });
  writeFileSync(
    join(folder, 'jobs', 'nightly.yaml'),
    "name: nightly\nschedule: '17 2 1 1 *'\ncatch_up: false\n",
  );
  const child = spawn(process.execPath, [BUILT, 'schedule', '--config', config, '--log-level', 'debug'], {
    stdio: ['ignore', 'ignore', fullPipe(join(folder, 'log'))],
    env: { PATH: process.env['PATH'], ACME_KEY: 'a-key' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const probe = async (): Promise<number> => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
      if (answer !== null) return answer.status;
      await new Promise(setImmediate);
    }
  };
  expect(await probe()).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
});
