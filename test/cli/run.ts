import { expect } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { openOutput, type Io } from '../../src/cli/terminal/io.ts';
import { realEffects, type Effects } from '../../src/effects.ts';
import type { Heartbeat } from '../../src/scale/queue/processes.ts';

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
  /** What it printed with `--json`; not compared unless a test names it. */
  readonly report: unknown;
}

export interface CliOptions {
  env?: Record<string, string>;
  /** Columns of a pretended terminal; piped when left out. */
  columns?: number;
  signal?: AbortSignal;
  effects?: Effects;
  heartbeat?: Heartbeat | undefined;
  /** Gets each text that is written, as it comes. */
  onText?: (text: string) => void;
  /** Takes what is written to stdout instead of the result. */
  stdout?: Io['stdout'];
}

/** The command line in this process. */
export async function cli(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const texts = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Io['stdout'] =>
    openOutput(
      {
        write: (text, onWritten) => {
          texts[name] += text;
          options.onText?.(text);
          onWritten?.();
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
    heartbeat: options.heartbeat,
    signal: options.signal ?? new AbortController().signal,
    io: {
      stdout: options.stdout ?? output('stdout'),
      stderr: output('stderr'),
      logTarget: output('stderr'),
      isInteractive: false,
    },
  });
  return Object.defineProperty({ code, ...texts, report: null }, 'report', {
    get: (): unknown => JSON.parse(texts.stdout),
    enumerable: false,
  });
}

const saying = (text: string | RegExp): unknown =>
  typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);

/** The result of a command that ends with that code and says so on stderr. */
export const fails = (code: number, says: string | RegExp) => ({ code, stderr: saying(says) });

/** The same on stdout. */
export const prints = (code: number, says: string | RegExp) => ({ code, stdout: saying(says) });
