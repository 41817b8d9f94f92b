import { Command, CommanderError } from 'commander';
import { AnswerlakeError, exitCodeOf, messageOf, usageError, type ExitCode, visibleText } from '../errors.ts';
import { asTyped, isOnByEnv } from './typed.ts';
import type { CliStart, CommandHost } from './host.ts';
import { USUAL_WIDTH } from './terminal/io.ts';
import { PACKAGE_ROOT, readVersion } from '../files.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Parses the command line, runs one command and returns the exit code; prints each error once. */
export async function runCli(start: CliStart): Promise<ExitCode> {
  const program = createProgram(start);
  const host: CommandHost = { program, start, secrets: [], exitCode: 0 };
  try {
    // Loads only the modules of possibly named commands.
    for (const [name, , load] of COMMANDS.filter(([name]) => start.argv.includes(name))) {
      const command = program.commands.find((one) => one.name() === name);
      if (command !== undefined) (await load()).define(command, host);
    }
    // SQL that begins with a comment is not an option.
    const words = start.argv.map((word) => (/^--?\s/.test(word) ? `\n${word}` : word));
    await program.parseAsync(words, { from: 'user' });
    return host.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (isWithoutCommand(error, start.argv)) {
      program.outputHelp();
      return 0;
    }
    // A signal interrupts DuckDB, whose statement then fails.
    const isInterrupted = start.signal.aborted && messageOf(error).startsWith('INTERRUPT Error');
    const cause = isInterrupted ? start.signal.reason : (missingBinding(error) ?? error);
    return await fail(cause instanceof CommanderError ? commandLineError(cause, start.argv) : cause, host);
  }
}

/** Only global flags, or nothing at all. */
function isWithoutCommand(error: unknown, argv: readonly string[]): boolean {
  return (
    error instanceof CommanderError &&
    error.code === 'commander.help' &&
    !argv.some((word) => word === 'help' || COMMANDS.some(([name]) => name === word))
  );
}

/** The error if a package manager left out DuckDB's native library, or it cannot be loaded. */
function missingBinding(error: unknown): AnswerlakeError | null {
  const message = messageOf(error);
  if (!/@duckdb\/node-bindings|duckdb\.node|libduckdb/.test(message)) return null;
  const what = `The native library of DuckDB for ${process.platform}-${process.arch} cannot be loaded: ${message.split('\n')[0] ?? ''}.`;
  const todo =
    'Install again with optional dependencies (npm install --include=optional; without --omit=optional or --no-optional), on the platform that runs it.';
  return usageError([what, todo], error);
}

function createProgram(start: CliStart): Command {
  const { io } = start;
  const program = new Command('answerlake')
    .description(
      'Pulls AI-answer visibility data into a DuckDB file for analysts and BI tools, on a schedule.',
    )
    .version(readVersion(), '--version', 'print the version')
    .option('--config <file>', 'configuration file (default: answerlake.yaml)')
    .option('--json', 'print the result as JSON on stdout')
    .option('--quiet', 'only answers, errors and warnings; nothing after a successful change')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .option('--log-format <format>', 'text or json (default: text; json for schedule, worker and loader)')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: Math.min(io.stdout.width ?? USUAL_WIDTH, 100),
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(asTyped(text, program, start)),
      writeErr: () => undefined,
      getOutHasColors: () => io.stdout.color,
      getErrHasColors: () => io.stderr.color,
    })
    .addHelpText('afterAll', ({ command }) => examplesOf(command))
    .exitOverride();
  for (const [name, description] of COMMANDS) program.command(name).description(description);
  return program;
}

/** Examples and remarks of a command, from `config/help`. */
function examplesOf(command: Command): string {
  const names = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name());
  const file = join(PACKAGE_ROOT, 'config', 'help', `${names.join('-') || 'answerlake'}.txt`);
  return existsSync(file) ? `\n${readFileSync(file, 'utf8').trimEnd()}` : '';
}

function commandLineError(error: CommanderError, argv: readonly string[]): AnswerlakeError {
  // Commander treats `help NOPE` like a missing command.
  const isUnknown = argv[0] === 'help' && argv[1] !== undefined;
  const missing = isUnknown ? `Unknown command '${argv[1]}'.` : 'No command was given.';
  const said = error.message.replace(/^error: /, '').replaceAll('\n(Did you mean', ' (did you mean');
  const message = error.code === 'commander.help' ? missing : said.charAt(0).toUpperCase() + said.slice(1);
  return usageError([`${message}\n`, 'Add --help to see the options.'], error);
}

async function fail(thrown: unknown, { program, start, secrets }: CommandHost): Promise<ExitCode> {
  const { argv, env, io } = start;
  const { jsonText, reportError, writeError } = await import('./host.ts');
  const { createRedactor } = await import('../redact.ts');
  const { explainSystemError } = await import('../warehouse/failure.ts');
  const error = explainSystemError(thrown);
  const redact = createRedactor(secrets);
  const typed = (text: string): string => asTyped(text, program, start);
  const report = reportError(error, typed, redact);
  if (argv.includes('--json') || isOnByEnv('--json', env)) io.stdout.write(jsonText(report.json));
  writeError(report, io.stderr, typed);
  const isDebug =
    argv.some((word) => /^(?:--log-level=)?debug$/.test(word)) || env['ANSWERLAKE_LOG_LEVEL'] === 'debug';
  if (isDebug && error instanceof Error) io.stderr.write(`${visibleText(redact(stackOf(error)))}\n`);
  return exitCodeOf(error);
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}

/** Adds arguments, flags, examples and the handler to a command. */
type Define = (command: Command, host: CommandHost) => void;

const serving = (name: 'schedule' | 'worker' | 'loader') => async () => {
  return { define: (await import('./serving.ts'))[name] };
};

/** Every command, in help order; its module is loaded only if the command line names it. */
const COMMANDS: readonly [name: string, description: string, load: () => Promise<{ define: Define }>][] = [
  ['init', 'Write answerlake.yaml and the jobs folder', () => import('./init.ts')],
  ['check', 'Check configuration, keys, quota, files and disk', () => import('./check.ts')],
  ['plan', 'Show what a sync would request, and how long it would take', () => import('./plan.ts')],
  ['sync', 'Pull everything that is due, once, and publish it', () => import('./sync.ts')],
  ['schedule', 'Run the jobs folder by cron, until stopped', serving('schedule')],
  ['queue', 'Runs through workers: set up, start, watch, pause, retry', () => import('./queue.ts')],
  ['worker', 'Send the requests that the queue hands out, until stopped', serving('worker')],
  ['loader', 'Load and publish the answers of workers, until stopped', serving('loader')],
  ['endpoints', 'Requested endpoints; your own: try, add, drop', () => import('./endpoints.ts')],
  ['status', 'Last runs, freshness, quota, rejects, drift, gaps', () => import('./status.ts')],
  ['gaps', 'Expected days that are not covered; exit 3 if any', () => import('./gaps.ts')],
  ['query', 'Query the published file, read-only', () => import('./query.ts')],
  ['compare', 'Two periods of a figure side by side, like for like', () => import('./compare.ts')],
  ['describe', 'What the views and their columns mean', () => import('./describe.ts')],
  ['examples', 'Questions with their SQL, and their answers', () => import('./examples.ts')],
  ['mcp', 'The published file for AI assistants, on stdin and stdout', () => import('./mcp.ts')],
  ['report', 'Charts of the published file: an offline HTML page, or pictures', () => import('./report.ts')],
  ['export', 'Parquet files, by project and month', () => import('./export.ts')],
  ['starters', 'Copy starter files for other tools', () => import('./starters.ts')],
  ['replay', 'Rebuild the warehouse from the raw archive', () => import('./replay.ts')],
  ['publish', 'Publish the working file now', () => import('./publish.ts')],
  ['draft', 'Push a content document to a CMS as a draft', () => import('./draft.ts')],
  ['simulate', 'Run the API on this machine, without a key', () => import('./simulate.ts')],
  ['demo', 'A year of three invented brands, without a key', () => import('./demo.ts')],
];
