import { AnswerlakeError, type ErrorClass, type ErrorScope, type ExitCode } from '../errors.ts';

export interface ApiErrorOptions {
  class: ErrorClass;
  scope: ErrorScope;
  exitCode?: ExitCode;
  status: number | null;
  code: string | null;
  serverMessage: string | null;
  path: string;
  requests: number;
  outcomeUnknown: boolean;
  cause?: unknown;
}

/** A request that was given up; no field ever holds a credential. */
export class ApiError extends AnswerlakeError {
  /** Null when no answer came. */
  readonly status: number | null;
  /** The body's `code`, e.g. `DATE_RANGE_TOO_LARGE`. */
  readonly code: string | null;
  readonly serverMessage: string | null;
  /** Path of the request, query left out. */
  readonly path: string;
  /** Requests that were sent for it, repeats included. */
  readonly requests: number;
  /** True when the server may have acted although no good answer came: matters for writing calls. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, options: ApiErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = options.status;
    this.code = options.code;
    this.serverMessage = options.serverMessage;
    this.path = options.path;
    this.requests = options.requests;
    this.outcomeUnknown = options.outcomeUnknown;
  }
}
