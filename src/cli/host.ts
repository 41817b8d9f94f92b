import type { Command } from 'commander';
import { z } from 'zod';
import { loadConfig, secretsOf } from '../config/file.ts';
import type { Secret } from '../secret.ts';
import { exitCodeOf, knownError, usageError, visibleText, type ExitCode } from '../errors.ts';
import type { Log, LogFormat, LogLevel, LogOptions } from '../log.ts';
import { readVersion } from '../files.ts';
import { createRedactor } from '../redact.ts';
import { addFlags, wordFlag } from './flags.ts';
import { asTyped, flagsOf, kebab, sameFlags, variableOf } from './typed.ts';
import { CLEAR_LINE, type Io, type TextOutput } from './terminal/io.ts';
import {
  countTable,
  type CountRow,
  formatResultTable,
  type ResultTableOptions,
} from './terminal/result-format.ts';
import type { OpenOptions, PublishedFile } from '../publish/published-file.ts';
import type { QueryResult } from '../warehouse/query-result.ts';
import { type FileAge, readAge } from '../warehouse/freshness.ts';
import type { Config } from '../config/config.ts';
import type { Effects } from '../effects.ts';
import type { Heartbeat } from '../scale/queue/processes.ts';
import { ApiError } from '../extract/api-error.ts';
import { ConfigurationError } from '../config/yaml.ts';

/** The inputs of a program start. */
export interface CliStart {
  /** Arguments without node and script. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  effects: Effects;
  /** The requester of workers and loaders; left out: the usual one. */
  heartbeat?: Heartbeat | undefined;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
  io: Io;
  /** Path by which the program was called; left out: its name. */
  script?: string | undefined;
}

/** A command to type next, and its purpose. */
export type NextStep = readonly [command: string, what: string];

/** The tools of a command. */
export type CommandContext = ReturnType<typeof openContext>;

/** Runs a command; the exit code is 0 unless it returns another one. */
type Handler<Flags> = (context: CommandContext, flags: Flags, words: string[]) => Promise<ExitCode | void>;

/** Flags that every command takes. */
const globalSchema = z.strictObject({
  config: z.string().min(1).default('answerlake.yaml'),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
  /** Null if not chosen: commands have their own defaults. */
  logLevel: wordFlag(['debug', 'info', 'warn', 'error', 'silent']).nullable().default(null),
  logFormat: wordFlag(['text', 'json']).nullable().default(null),
});

/** The output of `--json`: the result, and the next command for a person. */
interface JsonResult {
  facts: object | null;
  next: string | null;
}

/** `unseenFormat`: the default without a terminal. */
type LogDefaults = Pick<LogOptions, 'onEvent'> & { unseenFormat?: LogFormat };

/** Shared by the commands of one start. */
export interface CommandHost {
  readonly program: Command;
  readonly start: CliStart;
  /** The secrets of every configuration loaded so far. */
  readonly secrets: Secret[];
  exitCode: ExitCode;
}

/** Builds a command from its flags and handler: checks the flags, keeps the exit code. */
export function defined<Schema extends z.ZodObject>(
  { flags: schema, argument }: { flags: Schema; argument?: readonly [name: string, description: string] },
  handler: Handler<z.output<Schema>>,
) {
  return (command: Command, host: CommandHost): void => {
    const { env, io } = host.start;
    if (argument !== undefined) command.argument(...argument);
    addFlags(command, schema);
    command.action(async () => {
      const flags = checkFlags(globalSchema, host.program, env);
      const own = checkFlags(schema, command, env);
      const json: JsonResult = { facts: null, next: null };
      try {
        host.exitCode =
          (await handler(openContext({ ...host, command }, flags, json), own, command.args)) ?? 0;
      } finally {
        if (json.facts !== null) io.stdout.write(jsonText({ ...json.facts, next: json.next }));
      }
    });
  };
}

type OpenedHost = CommandHost & { command: Command };

function openContext(host: OpenedHost, flags: z.output<typeof globalSchema>, json: JsonResult) {
  const { start, program, secrets, command } = host;
  const { io, env, effects, signal } = start;
  const { isTerminal, color } = io.stderr;
  /** The log that was opened last. */
  let log: Log | null = null;
  const onReadAgain = (facts: object): void => log?.warn('secret.read_again', { ...facts });
  const typedHere = (text: string): string => asTyped(text, program, start);
  const forPeople = (text: string): string => `${visibleText(typedHere(text))}\n`;
  /** Prints a line of a result for people, on stdout. */
  const print = (text: string): void => io.stdout.write(forPeople(text));
  /** Prints the result for programs on stdout once the command has ended; with exit code 0 unless the facts contain another. */
  const printJson = (facts: object): void => {
    const result = { exit_code: 0, ...facts };
    json.facts = { ok: result.exit_code === 0, ...result };
  };
  /** Prints the result: with `--json` the facts, else the text. */
  const printResult = (facts: object, text: () => string): void => {
    if (flags.json) printJson(facts);
    else print(text());
  };
  return {
    ...start,
    flags,
    typedHere,
    sameFlags: (...left: string[]): string => sameFlags(command, left),
    /** Hides the secrets of the configuration. */
    redact: (text: string): string => createRedactor(secrets)(text),
    print,
    printJson,
    printResult,
    /** @throws AnswerlakeError 'configuration' */
    loadConfig: (
      options: Pick<Parameters<typeof loadConfig>[0], 'today' | 'secrets' | 'isStrict'> = {},
    ): Config => {
      const config = loadConfig({ path: flags.config, env, onReadAgain, ...options });
      secrets.push(...secretsOf(config, options.secrets));
      return config;
    },
    /** The context of a run; opens the log, which redacts the secrets. */
    runContext: async (
      config: Config,
      defaultLevel?: LogLevel,
      { unseenFormat, onEvent }: LogDefaults = {},
    ) => {
      const { openLog } = await import('../log.ts');
      const { maxAgeHours } = await import('../daemon/schedule/jobs.ts');
      log = openLog({
        level: flags.logLevel ?? defaultLevel ?? (isTerminal ? 'warn' : 'info'),
        quiet: flags.quiet,
        secrets,
        format: flags.logFormat ?? (isTerminal ? 'text' : (unseenFormat ?? 'text')),
        color,
        onEvent,
        // On a terminal, log lines replace the progress line, which is drawn again below.
        destination: isTerminal ? { write: (line) => io.stderr.draw(`${CLEAR_LINE}${line}`) } : io.logTarget,
      });
      const maxAges = () => maxAgeHours(config, effects.now());
      return { config, effects, signal, log, version: readVersion(), maxAges };
    },
    /** Hides further texts besides the configuration's secrets, in the log and in error messages. */
    hide: (more: readonly Secret[]): void => void secrets.push(...more),
    /** Prints rows for people on stdout, as wide as the terminal; without one, `width`. */
    printTable: (result: QueryResult, options: ResultTableOptions): void =>
      io.stdout.write(formatResultTable(result, { ...options, width: io.stdout.width ?? options.width })),
    /** A table for stdout, whose numbers are counts. */
    table: (titles: readonly string[], rows: readonly CountRow[]): string =>
      countTable(titles, rows, io.stdout.width),
    /** Opens the published file. @throws as `openPublishedFile` */
    openPublished: async (config: Config, options?: Omit<OpenOptions, 'signal'>): Promise<PublishedFile> => {
      const { openPublishedFile } = await import('../publish/published-file.ts');
      return await openPublishedFile(config.warehouse.path, { ...options, signal });
    },
    /** The age of the file, by this clock and today's configuration. */
    readAge: async (file: PublishedFile, { freshness }: Config): Promise<FileAge | null> =>
      await readAge(file, { now: effects.now(), maxAgeMs: freshness.maxAge }),
    /** Prints a change: like `printResult`, but with `--quiet` nothing after exit code 0 without warnings, because cron mails all output. */
    printChange: (facts: object, text: () => string): void => {
      const { exit_code: code = 0, warnings = [] }: { exit_code?: number; warnings?: unknown[] } = {
        ...facts,
      };
      if (flags.json || !flags.quiet || code !== 0 || warnings.length > 0) printResult(facts, text);
    },
    /** Prints a remark for people on stderr; nothing with `--quiet`, or without a text. */
    note: (text: string | null): void => {
      if (!flags.quiet && text !== null) io.stderr.write(forPeople(text));
    },
    /** Prints next commands on stderr; nothing with `--quiet`. The first one is `next` of `--json`. */
    next: (...steps: readonly NextStep[]): void => {
      json.next ??= steps[0] === undefined ? null : typedHere(steps[0][0]);
      if (flags.json || flags.quiet || steps.length === 0) return;
      const typed = steps.map(([command, what]) => [typedHere(command), what] as const);
      const width = Math.max(...typed.map(([command]) => command.length));
      const lines = typed.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`);
      io.stderr.write(visibleText(`\nNext:\n${lines.join('\n')}\n`));
    },
  };
}

function checkFlags<Schema extends z.ZodType>(schema: Schema, command: Command, env: CliStart['env']) {
  const flags = flagsOf(command, env);
  const parsed = schema.safeParse(flags);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: [name], message }) => {
    if (typeof name !== 'string') return message;
    const isByEnv = name in flags && command.getOptionValueSource(name) !== 'cli';
    const flag = `--${kebab(name)}`;
    return `${isByEnv ? `${variableOf(flag)} (${flag})` : flag}: ${message}`;
  });
  throw usageError([`${problems.join('\n')}\n`, 'Add --help to see the options.']);
}

type Rewritten = (text: string) => string;

/** A failure: the value for `--json`, and `message` for stderr. @param typed `asTyped` @param prepared hides secrets */
export function reportError(error: unknown, typed: Rewritten, prepared: Rewritten = String) {
  const known = knownError(error);
  const json = {
    ok: false,
    exit_code: exitCodeOf(error),
    next: known.command === null ? null : typed(known.command),
    error: prepared(typed(known.what)),
    code: known.class,
    remedy: prepared(typed(known.remedy)),
    scope: known.scope,
    ...(error instanceof ApiError ? serverFacts(error) : {}),
    ...(error instanceof ConfigurationError ? { problems: error.problems } : {}),
  };
  return { json, message: prepared(known.message) };
}

function serverFacts({ status, code, serverMessage, outcomeUnknown }: ApiError) {
  return { status, server_code: code, server_message: serverMessage, outcome_unknown: outcomeUnknown };
}

/** A value for programs, as text that ends with a line break. */
export function jsonText(value: unknown): string {
  return `${visibleText(JSON.stringify(value, null, 2))}\n`;
}

/** The error as text for a person, on stderr. */
export function writeError(report: ReturnType<typeof reportError>, output: TextOutput, typed = visibleText) {
  output.write(report.json.code === 'stopped' ? 'stopped:' : 'error:', 'red');
  output.write(` ${visibleText(typed(report.message))}\n`);
}
