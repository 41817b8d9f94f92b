import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { openOutput, type Io } from '../../src/terminal/io.ts';
import { realEffects, type Effects } from '../../src/effects.ts';

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Record<string, string>;
  input?: string;
  /** Columns of a pretended terminal; piped when left out. */
  columns?: number;
  signal?: AbortSignal;
  effects?: Effects;
}

const BUILT = resolve('dist/src/cli/main.js');

/** The command line in this process. */
export async function cli(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const texts = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Io['stdout'] =>
    openOutput(
      {
        write: (text) => {
          texts[name] += text;
        },
        on: () => undefined,
        isTTY: options.columns !== undefined,
        columns: options.columns ?? 0,
      },
      { NO_COLOR: '1' },
    );
  const code = await runCli({
    argv,
    env: options.env ?? {},
    effects: options.effects ?? realEffects,
    signal: options.signal ?? new AbortController().signal,
    io: {
      stdout: output('stdout'),
      stderr: output('stderr'),
      logTarget: output('stderr'),
      isInteractive: false,
      readInput: () => Promise.resolve(options.input ?? ''),
    },
  });
  return { code, ...texts };
}

/** The built program as a process of its own. */
export function startBuilt(
  argv: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): { child: ChildProcessWithoutNullStreams; ended: Promise<CliResult> } {
  const child = spawn(process.execPath, [BUILT, ...argv], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const ended = new Promise<CliResult>((settle) => {
    child.on('close', (code) => settle({ code: code ?? -1, ...texts }));
  });
  return { child, ended };
}
