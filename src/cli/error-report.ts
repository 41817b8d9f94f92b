import { AnswerlakeError, exitCodeOf, messageOf } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { Output } from './terminal/io.ts';
import { visibleText } from '../text.ts';
import { ConfigurationError } from '../config/yaml.ts';

export { explainSystemError } from '../warehouse/failure.ts';

/** What went wrong, as `--json` prints it. */
export function reportError(error: unknown) {
  const known = error instanceof AnswerlakeError ? error : null;
  return {
    ok: false,
    exit_code: exitCodeOf(error),
    error: {
      class: known?.class ?? 'bug',
      scope: known?.scope ?? 'run',
      message:
        known?.message ??
        `This is a bug in answerlake: ${messageOf(error)}. Run again with --log-level debug and report what it prints.`,
      ...(error instanceof ApiError
        ? {
            status: error.status,
            code: error.code,
            server_message: error.serverMessage,
            outcome_unknown: error.outcomeUnknown,
          }
        : {}),
      ...(error instanceof ConfigurationError ? { problems: error.problems } : {}),
    },
  };
}

/** The error as a person reads it on stderr. */
export function writeError({ error }: ReturnType<typeof reportError>, output: Output): void {
  output.write(error.class === 'stopped' ? 'stopped:' : 'error:', 'red');
  output.write(` ${visibleText(error.message)}\n`);
}
