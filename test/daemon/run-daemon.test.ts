import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { runDaemon } from '../../src/daemon/run-daemon.ts';
import { realEffects } from '../../src/effects.ts';
import { AnswerlakeError, codeOf } from '../../src/errors.ts';
import { openLog } from '../../src/log.ts';
import { openPublished } from '../cli/published.ts';
import type { Job } from '../../src/daemon/schedule/jobs.ts';
import { job } from './jobs.ts';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT } from '../support/program.ts';
import { freePort } from '../support/scripted-server.ts';

/** A daemon that makes up for nothing waits for its next tick. */
const IN_TIME = { timeout: 60_000 };

/** A daemon in a folder with a published file, until it logs `event`; its log, and what its metrics say of a job then. */
async function serve(
  folder: string,
  jobs: readonly Job[],
  { event, now, run }: { event: string; now: string; run?: () => void },
) {
  const port = await freePort();
  const path = join(folder, 'answerlake.yaml');
  const env = { ACME_KEY: 'a-key' };
  const config = { ...loadConfig({ path, env }), http: { host: '127.0.0.1', port, hosts: [] } };
  const stopping = new AbortController();
  const events: Record<string, unknown>[] = [];
  let metrics = '';
  let asked: Promise<void> | undefined;
  const readMetrics = async (): Promise<void> => {
    metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    stopping.abort(new AnswerlakeError('Stopped.', { class: 'stopped', exitCode: 143 }));
  };
  const write = (line: string): void => {
    const logged = JSON.parse(line) as Record<string, unknown>;
    events.push(logged);
    if (logged['event'] === 'job.started') run?.();
    if (logged['event'] !== event) return;
    asked ??= readMetrics();
  };
  const code = await runDaemon(jobs, {
    config,
    effects: { ...realEffects, now: () => Date.parse(now) },
    log: openLog({ level: 'info', quiet: false, secrets: [], destination: { write } }),
    signal: stopping.signal,
    version: '1',
  });
  await asked;
  const figure = (name: string, job: string): number | undefined => {
    const found = new RegExp(`^answerlake_${name}\\{job="${job}"\\} (.*)$`, 'm').exec(metrics)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return { code, events, figure };
}

const NIGHTLY = job('nightly', '17 2 * * *');

it('the daemon makes up for a tick since the last success of an earlier process', IN_TIME, async () => {
  const { folder } = await openPublished();
  const jobs = [NIGHTLY, job('other', '0 0 * * *')];
  const { code, events } = await serve(folder, jobs, { event: 'job.catch_up', now: '2025-03-09T03:00:00Z' });
  expect(code).toBe(143);
  expect(events.filter(({ event }) => event === 'job.catch_up')).toMatchObject([
    { job: 'nightly', missed: '2025-03-09T02:17:00.000Z', gap_days: 4 },
  ]);
});

it(
  'what the daemon knew of a job that failed before it was recorded survives its restart',
  IN_TIME,
  async () => {
    const { folder } = await openPublished();
    const now = '2025-03-09T03:00:00Z';
    // The run cannot open its working file.
    const run = (): void => void mkdirSync(join(folder, 'data', '.answers.work.duckdb'), { recursive: true });
    const first = await serve(folder, [NIGHTLY], { event: 'job.finished', now, run });
    expect(first.figure('last_exit_code', 'nightly')).toBe(7);
    const waiting = [{ ...NIGHTLY, catchUp: false }, job('never', '0 0 * * 1')];
    const later = await serve(folder, waiting, { event: 'schedule.waiting', now: '2025-03-10T03:00:00Z' });
    const seconds = (instant: string): number => Date.parse(instant) / 1000;
    expect([
      later.figure('last_exit_code', 'nightly'),
      later.figure('job_lateness_seconds', 'nightly'),
    ]).toEqual([7, 2580]);
    expect(later.figure('last_run_timestamp_seconds', 'nightly')).toBe(seconds(now));
    expect(later.figure('last_success_timestamp_seconds', 'nightly')).toBe(seconds('2025-03-05T02:18:00Z'));
    expect(later.figure('job_success_due_timestamp_seconds', 'nightly')).toBe(
      seconds('2025-03-06T14:18:00Z'),
    );
    // A job that never succeeded is overdue 1.5 times its gap after a daemon saw it first.
    const again = await serve(folder, waiting, { event: 'schedule.waiting', now: '2025-03-25T03:00:00Z' });
    expect(again.figure('last_success_timestamp_seconds', 'never')).toBeUndefined();
    expect(again.figure('job_success_due_timestamp_seconds', 'never')).toBe(seconds('2025-03-20T15:00:00Z'));
  },
);

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
  const { folder, config } = await openPublished();
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
  const health = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status;
  await expect.poll(health).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
});
