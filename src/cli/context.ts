import type { Config } from '../config/config.ts';
import type { SecretsRead } from '../config/file.ts';
import type { Secret } from '../secret.ts';
import type { Day } from '../day.ts';
import type { Effects } from '../effects.ts';
import type { ExitCode } from '../errors.ts';
import type { Log, LogLevel } from '../log.ts';
import type { Heartbeat } from '../scale/queue/processes.ts';
import type { Io } from './terminal/io.ts';

/** What the program was started with. */
export interface CliStart {
  /** Arguments without node and script. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  effects: Effects;
  /** Of workers and loaders; the usual one when left out. */
  heartbeat?: Heartbeat | undefined;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
  io: Io;
}

/** Flags that every command takes. */
export interface GlobalFlags {
  config: string;
  json: boolean;
  quiet: boolean;
  /** Null when not chosen: commands have their own defaults. */
  logLevel: LogLevel | null;
}

/** What a command works with. */
export interface CommandContext extends CliStart {
  flags: GlobalFlags;
  /** @throws AnswerlakeError 'configuration' */
  loadConfig(options?: { today?: Day; secrets?: SecretsRead }): Config;
  /** Secrets of every configuration loaded so far are redacted. */
  openLog(defaultLevel?: LogLevel): Promise<Log>;
  /** Hides more than the configuration's own secrets, in the log and in error messages. */
  hide(secrets: readonly Secret[]): void;
  /** A line of a result for people, on stdout. */
  print(text: string): void;
  /** A result for programs, on stdout. */
  printJson(value: unknown): void;
  /** A remark for people, on stderr; nothing with `--quiet`. */
  note(text: string): void;
}

export type Handler<Flags> = (
  context: CommandContext,
  flags: Flags,
  words: readonly string[],
) => Promise<ExitCode>;
