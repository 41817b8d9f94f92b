import type { ExitCode } from '../errors.ts';

/** One line of `answerlake check`. */
export interface CheckResult {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  /** What is, and what to do when it is not fine. */
  message: string;
  /** What a sync would end with because of it; 0 unless failed. */
  exitCode: ExitCode;
}

export function ok(name: string, message: string): CheckResult {
  return { name, status: 'ok', message, exitCode: 0 };
}

export function warning(name: string, message: string): CheckResult {
  return { name, status: 'warning', message, exitCode: 0 };
}

export function failed(name: string, message: string, exitCode: ExitCode): CheckResult {
  return { name, status: 'failed', message, exitCode };
}

export function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  if (mebibytes < 1) return `${Math.ceil(bytes / 1024)} KiB`;
  return mebibytes < 1024 ? `${mebibytes.toFixed(1)} MiB` : `${(mebibytes / 1024).toFixed(1)} GiB`;
}
