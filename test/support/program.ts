import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** The program that the build wrote. */
export const BUILT = resolve('dist/src/cli/main.js');

export interface LogEvent {
  event: string;
  job?: string;
  exit_code?: number;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** As `performance.now()` tells it. */
  atMs: number;
}

/** The built program as a process of its own; its log lines are read as they come. */
export interface Program {
  child: ChildProcessWithoutNullStreams;
  events: LogEvent[];
  /** Resolves with the first log line of that event that came or comes. */
  saw(event: string, job?: string): Promise<LogEvent>;
  ended: Promise<Ended>;
}

/** Of our own environment, the program gets the path alone; its log is JSON. */
export function startProgram(
  argv: readonly string[],
  { cwd, env }: { cwd: string; env?: Readonly<Record<string, string>> },
): Program {
  const child = spawn(process.execPath, [BUILT, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ANSWERLAKE_LOG_FORMAT: 'json', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { stdout: '', stderr: '' };
  let rest = '';
  const events: LogEvent[] = [];
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString();
    const lines = `${rest}${chunk.toString()}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line) as LogEvent);
    for (const watcher of watchers) watcher();
  });
  return {
    child,
    events,
    ended: new Promise((settle) => {
      child.on('close', (code, signal) => settle({ code, signal, ...texts, atMs: performance.now() }));
    }),
    saw: (event, job) =>
      new Promise((settle, refuse) => {
        const look = (): void => {
          const found = events.find((one) => one.event === event && (job === undefined || one.job === job));
          if (found === undefined) return;
          watchers.delete(look);
          settle(found);
        };
        watchers.add(look);
        child.on('close', () => refuse(new Error(`ended without ${event}:\n${texts.stdout}${texts.stderr}`)));
        look();
      }),
  };
}
