import { pino, destination as openDestination, type DestinationStream, type Logger } from 'pino';
import type { Secret } from './secret.ts';
import { AnswerlakeError, codeOf } from './errors.ts';
import type { LogLevel } from './log-level.ts';
import { formatLogLine } from './log-line.ts';
import { visibleText } from './visible-text.ts';
import { createRedactor, redactValue, type Redact } from './redact.ts';

/** Facts of one event; an `error` field is written with class, message, stack and causes. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One event name per fact (`slice.loaded`), the rest in fields. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A log whose every line carries `fields`. */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  level: LogLevel;
  /** Errors only, whatever the level. */
  quiet: boolean;
  secrets: readonly Secret[];
  /** Where whole lines go; stderr when left out. */
  destination?: DestinationStream;
  /** `text` for people on a terminal; JSON lines when left out. */
  format?: 'json' | 'text';
  color?: boolean;
}

/** Opens the log; every line is written before the call returns, and no known secret is in it. */
export function openLog(options: LogOptions): Log {
  const redact = createRedactor(options.secrets);
  const target = options.destination ?? openStderr();
  const isText = options.format === 'text';
  const stream: DestinationStream = {
    write: (line) => {
      const safe = redactLine(line, redact);
      target.write(isText ? formatLogLine(safe, options.color ?? false) : visibleText(safe));
    },
  };
  const logger = pino(
    {
      level: options.quiet && options.level !== 'silent' ? 'error' : options.level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    stream,
  );
  return wrap(logger);
}

/** Nothing is written anywhere. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

function wrap(logger: Logger): Log {
  return {
    debug: (event, fields = {}) => logger.debug(fields, event),
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
    child: (fields) => wrap(logger.child(fields)),
  };
}

function openStderr(): DestinationStream {
  const stream = openDestination({ dest: 2, sync: true });
  // A reader that went away (EPIPE) must not end a run.
  stream.on('error', () => undefined);
  return stream;
}

/** Redacts inside the values, so that the line stays JSON even where a number looks like a secret. */
function redactLine(line: string, redact: Redact): string {
  const safe = redact(line);
  if (safe === line) return line;
  const event: unknown = JSON.parse(line);
  return `${JSON.stringify(redactValue(event, redact))}\n`;
}

const DEEPEST_CAUSE = 5;

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  return {
    name: error.name,
    ...(error instanceof AnswerlakeError ? { class: error.class, scope: error.scope } : {}),
    ...(code === undefined ? {} : { code }),
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined || depth >= DEEPEST_CAUSE
      ? {}
      : { cause: describeError(error.cause, depth + 1) }),
  };
}
