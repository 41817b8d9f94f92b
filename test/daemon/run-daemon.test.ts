import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { runDaemon } from '../../src/daemon/run-daemon.ts';
import { realEffects } from '../../src/effects.ts';
import { AnswerlakeError, codeOf } from '../../src/errors.ts';
import { openLog } from '../../src/log.ts';
import { writePublished } from '../cli/published.ts';
import { openFolder } from '../support/folder.ts';
import { job } from './jobs.ts';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT } from '../support/program.ts';
import { freePort } from '../support/scripted-server.ts';

/** A daemon that makes up for nothing waits for its next tick. */
const IN_TIME = { timeout: 60_000 };

it('the daemon makes up for a tick since the last success of an earlier process', IN_TIME, async () => {
  const config = loadConfig({ path: await writePublished(openFolder()), env: { ACME_KEY: 'a-key' } });
  const stopping = new AbortController();
  const events: Record<string, unknown>[] = [];
  const write = (line: string): void => {
    const event = JSON.parse(line) as Record<string, unknown>;
    events.push(event);
    if (event['event'] === 'job.catch_up')
      stopping.abort(new AnswerlakeError('Stopped.', { class: 'stopped', exitCode: 143 }));
  };
  const code = await runDaemon([job('nightly', '17 2 * * *'), job('other', '0 0 * * *')], {
    config,
    effects: { ...realEffects, now: () => Date.parse('2025-03-09T03:00:00Z') },
    log: openLog({ level: 'info', quiet: false, secrets: [], destination: { write } }),
    signal: stopping.signal,
    version: '1',
  });
  expect(code).toBe(143);
  expect(events.filter(({ event }) => event === 'job.catch_up')).toMatchObject([
    { job: 'nightly', missed: '2025-03-09T02:17:00.000Z', gap_days: 4 },
  ]);
});

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
