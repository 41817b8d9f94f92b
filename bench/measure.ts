import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a whole process cost. */
export interface Cost {
  seconds: number;
  /** When it was started and when it had ended, milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  /** User and system time of the process. */
  cpuSeconds: number;
  peakMiB: number;
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const SAMPLE_MS = 20;
const TICKS_PER_SECOND = 100;

/** Runs a program to its end. Memory and processor time are read from /proc while it runs (Linux). @param options `onOutput` gets all output of a stream so far */
export async function measure(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; onOutput?: (output: string) => void } = {},
): Promise<Cost> {
  const startedAt = Date.now();
  const started = performance.now();
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    options.onOutput?.(stdout);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    options.onOutput?.(stderr);
  });
  let peakMiB = 0;
  let cpuSeconds = 0;
  const sample = (): void => {
    try {
      const usage = usageOf(child.pid);
      peakMiB = Math.max(peakMiB, usage.peakMiB);
      ({ cpuSeconds } = usage);
    } catch {
      // The process has just ended.
    }
  };
  const sampler = setInterval(sample, SAMPLE_MS);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearInterval(sampler);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, startedAt, endedAt: Date.now(), cpuSeconds, peakMiB, exitCode, stdout, stderr };
}

/** What a running process has used so far, read from /proc (Linux). @throws the file system's own error when it has ended */
export function usageOf(pid: number | undefined): Pick<Cost, 'cpuSeconds' | 'peakMiB'> {
  const read = (name: string): string => readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  const fields = read('stat').split(') ').at(-1)?.split(' ') ?? [];
  return {
    // Of its children that have ended, too: dlt has some.
    cpuSeconds: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND,
    peakMiB: Number(/VmHWM:\s+(\d+)/.exec(read('status'))?.[1] ?? 0) / 1024,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
