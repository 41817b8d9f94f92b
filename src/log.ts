import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import type { Secret } from './secret.ts';
import { visibleText } from './text.ts';

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
  destination?: DestinationStream | undefined;
  /** `text` for people on a terminal; JSON lines when left out. */
  format?: 'json' | 'text';
  color?: boolean;
}

/** Opens the log; every line is on its way before the call returns, and no known secret is in it. */
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
      serializers: { error: stdSerializers.errWithCause },
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

/** Characters that may wait for a reader; what comes beyond them is counted and dropped. */
const MAX_WAITING = 1_048_576;

/** What the log needs of standard error. */
export interface LogStream {
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Never waits: a pipe whose reader stands still must not stop the process and its signals. */
export function unblocked(stream: LogStream): DestinationStream {
  let dropped = 0;
  return {
    write: (line) => {
      if (stream.writableLength > MAX_WAITING) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const fact = { level: 'warn', time: new Date().toISOString(), event: 'log.dropped', lines: dropped };
        stream.write(`${JSON.stringify(fact)}\n`);
      }
      dropped = 0;
      stream.write(line);
    },
  };
}

let isWatched = false;

function openStderr(): DestinationStream {
  // A reader that went away (EPIPE) must not end a run.
  if (!isWatched) process.stderr.on('error', () => undefined);
  isWatched = true;
  return unblocked(process.stderr);
}

/** Redacts inside the values, so that the line stays JSON even where a number looks like a secret. */
function redactLine(line: string, redact: Redact): string {
  const safe = redact(line);
  if (safe === line) return line;
  const event: unknown = JSON.parse(line);
  return `${JSON.stringify(redactValue(event, redact))}\n`;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const COLORS: Readonly<Record<string, number>> = { debug: 2, info: 36, warn: 33, error: 31 };

/** One JSON log line as a line for people: time, level, event, fields; the stack only when debugging. */
function formatLogLine(line: string, color: boolean): string {
  const parsed: Record<string, unknown> = JSON.parse(line);
  const { level, time, event, ...fields } = parsed;
  const name = asText(level);
  const label = name.padEnd(5);
  const shownLabel = color ? `\u001B[${COLORS[name] ?? 0}m${label}\u001B[0m` : label;
  const shownFields = Object.entries(fields).map(([key, value]) => `${key}=${fieldText(value)}`);
  const start = `${asText(time).slice(11, 19)} ${shownLabel} ${asText(event)}`;
  return `${[start, ...shownFields].join(' ')}\n`;
}

function fieldText(value: unknown): string {
  if (isErrorFields(value)) return jsonText(value.message);
  const text = typeof value === 'string' ? value : jsonText(value);
  return /^[\x21-\x7e]*$/.test(text) && !text.includes('"') ? text : jsonText(value);
}

function jsonText(value: unknown): string {
  return visibleText(JSON.stringify(value));
}

function isErrorFields(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string;

const SHORTEST_SECRET = 4;
/** Shorter encodings of a short secret turn up in ordinary ids. */
const SHORTEST_ENCODING = 8;
/** JSON inside JSON inside JSON. */
const MAX_ESCAPINGS = 3;
const ESCAPE = /\\(?:u(00[2-7][\da-f])|(["\\/]))/gi;
const SHOWN = '[secret]';

/** Finds secrets in plain text, URL-encoded, escaped for JSON in any way, in hex and inside base64 of anything longer. */
export function createRedactor(secrets: readonly Secret[]): Redact {
  const forms = new Set(secrets.flatMap((secret) => secretForms(secret.reveal())));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const expression = new RegExp(longestFirst.map(escapeExpression).join('|'), 'gi');
  return (text) => {
    let shown = text.replace(expression, SHOWN);
    let plain = shown;
    for (let level = 0; level < MAX_ESCAPINGS && plain.includes('\\'); level += 1) {
      plain = unescapeOnce(plain);
      const safe = plain.replace(expression, SHOWN);
      if (safe !== plain) shown = plain = safe;
    }
    return shown;
  };
}

/** Redacts every text inside a parsed value, the names of its fields too; a number that is a secret becomes text. */
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number' || typeof value === 'boolean') {
    const text = redact(String(value));
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [redact(name), redactValue(entry, redact)]),
  );
}

/** Takes one level of JSON escapes from the printable characters, which are all that a key is made of. */
function unescapeOnce(text: string): string {
  return text.replace(ESCAPE, (_escape, hex: string | undefined, character: string | undefined) =>
    hex === undefined ? (character ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The texts that give a secret away; upper and lower case are the same. Shorter secrets are ordinary words. */
export function secretForms(text: string): string[] {
  if (text.length < SHORTEST_SECRET) return [];
  return formsOf(text).filter((form) => form === text || form.length >= SHORTEST_ENCODING);
}

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const percented = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const base64 = [0, 1, 2].map((offset) => insideBase64(bytes, offset));
  return [
    text,
    encodeURIComponent(text),
    encodeURI(text),
    percented,
    bytes.toString('hex'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** The characters that depend on `bytes` alone when `offset` other bytes come before (modulo 3). */
function insideBase64(bytes: Buffer, offset: number): string {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((whole.length * 8) / 6);
  return whole.toString('base64').slice(first, end);
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}
