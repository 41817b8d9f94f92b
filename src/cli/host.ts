import { Command } from 'commander';
import { z } from 'zod';
import { loadConfig, secretsOf } from '../config/file.ts';
import type { Secret } from '../secret.ts';
import { AnswerlakeError, type ExitCode } from '../errors.ts';
import { type LogOptions, LOG_LEVELS, createRedactor } from '../log.ts';
import { visibleText } from '../text.ts';
import { commandPath, flagsOf } from './command-flags.ts';
import type { CliStart, CommandContext, GlobalFlags, Handler } from './context.ts';
import { switchFlag, wordFlag } from './flag-values.ts';
import { CLEAR_LINE, type Io, type Output } from './terminal/io.ts';

const globalSchema = z.strictObject({
  config: z.string().min(1).default('answerlake.yaml'),
  json: switchFlag,
  quiet: switchFlag,
  logLevel: wordFlag(LOG_LEVELS).nullable().default(null),
});

/** Runs the handlers of commands: flags checked, secrets remembered, exit code kept. */
export class CommandHost {
  readonly program: Command;
  readonly #start: CliStart;
  readonly #secrets: Secret[] = [];
  exitCode: ExitCode = 0;

  constructor(program: Command, start: CliStart) {
    this.program = program;
    this.#start = start;
  }

  /** Binds a handler to a command; `schema` checks the command's own flags. */
  handle<Schema extends z.ZodType>(
    command: Command,
    schema: Schema,
    handler: Handler<z.output<Schema>>,
  ): void {
    command.action(async () => {
      const flags = checkFlags(command, globalSchema, flagsOf(this.program, this.#start.env));
      const own = checkFlags(command, schema, flagsOf(command, this.#start.env));
      const words = command.args;
      this.exitCode = await handler(this.#context(flags), own, words);
    });
  }

  /** Takes every known secret out of a text. */
  redact(text: string): string {
    return createRedactor(this.#secrets)(text);
  }

  #context(flags: GlobalFlags): CommandContext {
    const { io, env } = this.#start;
    return {
      ...this.#start,
      flags,
      loadConfig: (options = {}) => {
        const config = loadConfig({ path: flags.config, env, ...options });
        this.#secrets.push(...secretsOf(config, options.secrets));
        return config;
      },
      openLog: async (defaultLevel) => {
        const { openLog } = await import('../log.ts');
        return openLog({
          level: flags.logLevel ?? defaultLevel ?? (io.stderr.isTerminal ? 'warn' : 'info'),
          quiet: flags.quiet,
          secrets: this.#secrets,
          ...(io.stderr.isTerminal
            ? { format: 'text', color: io.stderr.color, destination: aboveProgress(io.stderr) }
            : pipedLog(io)),
        });
      },
      hide: (secrets) => {
        this.#secrets.push(...secrets);
      },
      print: (text) => io.stdout.write(`${visibleText(text)}\n`),
      printJson: (value) => io.stdout.write(`${visibleText(JSON.stringify(value, null, 2))}\n`),
      note: (text) => {
        if (!flags.quiet) io.stderr.write(`${visibleText(text)}\n`);
      },
    };
  }
}

function pipedLog({ logTarget }: Io): Partial<LogOptions> {
  return logTarget === undefined ? {} : { destination: logTarget };
}

/** Log lines on a terminal take the place of the progress line, which is drawn again below. */
function aboveProgress(stderr: Output): { write(line: string): void } {
  return { write: (line) => stderr.draw(`${CLEAR_LINE}${line}`) };
}

function checkFlags<Schema extends z.ZodType>(
  command: Command,
  schema: Schema,
  flags: Record<string, unknown>,
): z.output<Schema> {
  const parsed = schema.safeParse(flags);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const flag = String(path[0] ?? '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return flag === '' ? message : `--${flag}: ${message}`;
  });
  throw new AnswerlakeError(`${problems.join('\n')}\nSee answerlake ${commandPath(command)} --help.`, {
    class: 'configuration',
  });
}
