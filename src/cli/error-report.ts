import {
  AnswerlakeError,
  exitCodeOf,
  messageOf,
  type ErrorClass,
  type ErrorScope,
  type ExitCode,
} from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Output } from './terminal/io.ts';
import { visibleText } from '../text.ts';
import { ConfigurationError } from '../config/yaml.ts';

/** What went wrong, as `--json` prints it. */
export interface ErrorReport {
  ok: false;
  exit_code: ExitCode;
  error: {
    class: ErrorClass;
    scope: ErrorScope;
    message: string;
    /** Of an answer that was an error: HTTP status, code and message as the server gave them. */
    status?: number | null;
    code?: string | null;
    server_message?: string | null;
    /** True when the server may have acted all the same. */
    outcome_unknown?: boolean;
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
      ...(error instanceof ApiError ? answerOf(error) : {}),
      ...(error instanceof ConfigurationError
        ? { problems: error.problems.map((problem) => ({ ...problem })) }
        : {}),
    },
  };
}

function answerOf({ status, code, serverMessage, outcomeUnknown }: ApiError): Partial<ErrorReport['error']> {
  return { status, code, server_message: serverMessage, outcome_unknown: outcomeUnknown };
}

function bugMessage(error: unknown): string {
  return `This is a bug in answerlake: ${messageOf(error)}. Run again with --log-level debug and report what it prints.`;
}

/** The error as a person reads it on stderr. */
export function writeError(report: ErrorReport, output: Output): void {
  output.write(report.error.class === 'stopped' ? 'stopped:' : 'error:', 'red');
  output.write(` ${visibleText(report.error.message)}\n`);
}
