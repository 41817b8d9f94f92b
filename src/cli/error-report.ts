import { AnswerlakeError, exitCodeOf, messageOf, type ExitCode } from '../errors.ts';
import { ConfigurationError } from '../yaml-check.ts';

/** What went wrong, as `--json` prints it. */
export interface ErrorReport {
  ok: false;
  exit_code: ExitCode;
  error: {
    class: string;
    scope: string;
    message: string;
    problems?: { file: string; line: number; column: number; path: string; message: string }[];
  };
}

export function reportError(error: unknown): ErrorReport {
  return {
    ok: false,
    exit_code: exitCodeOf(error),
    error: {
      class: error instanceof AnswerlakeError ? error.class : 'bug',
      scope: error instanceof AnswerlakeError ? error.scope : 'run',
      message: error instanceof AnswerlakeError ? error.message : bugMessage(error),
      ...(error instanceof ConfigurationError
        ? { problems: error.problems.map((problem) => ({ ...problem })) }
        : {}),
    },
  };
}

function bugMessage(error: unknown): string {
  return `This is a bug in answerlake: ${messageOf(error)}. Run again with --log-level debug and report what it prints.`;
}

/** The error as a person reads it on stderr. */
export function formatError(report: ErrorReport, color: boolean): string {
  const label = report.error.class === 'stopped' ? 'stopped:' : 'error:';
  return `${color ? `\u001B[31m${label}\u001B[0m` : label} ${report.error.message}\n`;
}
