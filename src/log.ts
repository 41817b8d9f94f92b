import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { createRedactor, redactValue, type Redact } from './redact.ts';
import type { Secret } from './secret.ts';
import { visibleText } from './errors.ts';

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
  /** Receives whole lines; default: stderr, whose errors the command line handles. */
  destination?: DestinationStream | undefined;
  /** `text` for people; default: JSON lines. */
  format?: LogFormat;
  color?: boolean;
  /** Sees each event first, whatever its level; false drops it. */
  onEvent?: ((event: string, fields: LogFields) => boolean) | undefined;
}

/** Opens the log; each line is passed on before its call returns, with every known secret redacted. */
export function openLog(options: LogOptions): Log {
  const redact = createRedactor(options.secrets);
  const format = (line: string): string =>
    options.format === 'text' ? formatLogLine(line, options.color ?? false) : visibleText(line);
  const target = options.destination ?? unblocked(process.stderr, format);
  const stream: DestinationStream = { write: (line) => target.write(format(redactLine(line, redact))) };
  const logger = pino(
    {
      level: options.quiet && options.level !== 'silent' ? 'error' : options.level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        error: (error: unknown) =>
          error instanceof Error ? inOneSpelling(stdSerializers.errWithCause(error)) : error,
      },
    },
    stream,
  );
  return wrap(logger, options.onEvent);
}

/** Writes nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

function wrap(logger: Logger, onEvent: LogOptions['onEvent']): Log {
  const writer =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (event, fields = {}) => {
      const isKept = onEvent?.(event, fields) !== false;
      if (isKept && logger.isLevelEnabled(level)) logger[level](inOneSpelling(fields), event);
    };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    child: (fields) => wrap(logger.child(inOneSpelling(fields)), onEvent),
  };
}

/** Keys in snake_case, as in `--json` and in the warehouse: `resetAt` becomes `reset_at`. */
function inOneSpelling(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => [
      key.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** Characters that may wait for a slow reader; later lines are counted and dropped. */
const MAX_WAITING = 1_048_576;

/** The part of standard error that the log uses. */
export interface LogStream {
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Never waits: a pipe whose reader has stopped must not block the process and its signals. */
export function unblocked(stream: LogStream, format: (line: string) => string): DestinationStream {
  let dropped = 0;
  return {
    write: (line) => {
      if (stream.writableLength > MAX_WAITING) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const fact = { level: 'warn', time: new Date().toISOString(), event: 'log.dropped', lines: dropped };
        stream.write(format(`${JSON.stringify(fact)}\n`));
      }
      dropped = 0;
      stream.write(line);
    },
  };
}

/** Redacts inside the values, so that a line stays JSON even if a number looks like a secret. */
function redactLine(line: string, redact: Redact): string {
  const safe = redact(line);
  if (safe === line) return line;
  const event: unknown = JSON.parse(line);
  return `${JSON.stringify(redactValue(event, redact))}\n`;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
export type LogFormat = 'text' | 'json';

const COLORS: Readonly<Record<string, number>> = { debug: 2, info: 36, warn: 33, error: 31 };

/** One JSON log line as a line for people: time, level, event, fields; the stack only when debugging. */
function formatLogLine(line: string, color: boolean): string {
  const parsed: Record<'level' | 'time' | 'event', string> & LogFields = JSON.parse(line);
  const { level, time, event, ...fields } = parsed;
  const label = level.padEnd(5);
  const shownLabel = color ? `\u001B[${COLORS[level] ?? 0}m${label}\u001B[0m` : label;
  const shownFields = Object.entries(fields).flatMap(([key, value]) =>
    value === null ? [] : [`${key}=${fieldText(value)}`],
  );
  const start = `${time.slice(11, 19)} ${shownLabel} ${event}`;
  return `${[start, ...shownFields].join(' ')}\n`;
}

function fieldText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value && 'stack' in value)
    return jsonText(value.message);
  const text = typeof value === 'string' ? value : jsonText(value);
  return /^[\x21-\x7e]*$/.test(text) && !text.includes('"') ? text : jsonText(value);
}

function jsonText(value: unknown): string {
  return visibleText(JSON.stringify(value));
}
