import { Command, CommanderError } from 'commander';
import { exitCodeOf, messageOf, usageError, type AnswerlakeError, type ExitCode } from '../errors.ts';
import { commandPath, isOnByEnv } from './flags.ts';
import type { CliStart, CommandHost } from './host.ts';
import { visibleText } from '../text.ts';
import { readVersion } from '../package.ts';

/** Parses the command line, runs one command and gives the exit code; every error is printed once. */
export async function runCli(start: CliStart): Promise<ExitCode> {
  const program = createProgram(start);
  const host = await openHost(program, start);
  try {
    await program.parseAsync(start.argv.map(asOperand), { from: 'user' });
    return host?.exitCode ?? 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const cause = isInterrupted(error, start.signal) ? start.signal.reason : error;
    return await fail(
      cause instanceof CommanderError ? commandLineError(cause, program, start.argv) : cause,
      start,
      (text) => host?.redact(text) ?? text,
    );
  }
}

/** SQL that begins with a comment is no option. */
function asOperand(word: string): string {
  return /^--?\s/.test(word) ? `\n${word}` : word;
}

/** A signal ends what DuckDB is doing, which then fails. */
function isInterrupted(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && messageOf(error).startsWith('INTERRUPT Error');
}

/** Loads the commands that the command line may mean; null, and nothing loaded, when it names none. */
async function openHost(program: Command, start: CliStart): Promise<CommandHost | null> {
  const named = COMMANDS.filter(({ name }) => start.argv.includes(name));
  if (named.length === 0) return null;
  const meant = named.some(({ needsAll }) => needsAll === true) ? COMMANDS : named;
  const { CommandHost } = await import('./host.ts');
  const host = new CommandHost(program, start);
  for (const { name, load } of meant) {
    const command = program.commands.find((one) => one.name() === name);
    if (command !== undefined) (await load())(command, host);
  }
  return host;
}

function createProgram({ io }: CliStart): Command {
  const program = new Command('answerlake')
    .description(
      'Pulls AI-answer visibility data into a DuckDB file for analysts and BI tools, on a schedule.',
    )
    .version(readVersion(), '--version', 'print the version')
    .option('--config <file>', 'configuration file (default: answerlake.yaml)')
    .option('--json', 'print the result as JSON on stdout')
    .option('--quiet', 'no progress, no remarks, only results, errors and warnings')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: Math.min(io.stdout.columns, 100),
      subcommandTerm: (command) => command.name(),
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: () => undefined,
      getOutHasColors: () => io.stdout.color,
      getErrHasColors: () => io.stderr.color,
    })
    .addHelpText(
      'after',
      `
First steps:
  $ answerlake init      write answerlake.yaml and the jobs folder
  $ answerlake sync      pull everything once
  $ answerlake query "select * from daily_kpis order by date desc limit 7"

Without a key: answerlake demo, or answerlake simulate for the API on this machine.
Every flag can also be set in the environment: --max-wait is ANSWERLAKE_MAX_WAIT.
Exit codes: 0 done, 2 configuration or usage, 3 partly done, 4 no key worked,
5 API unavailable or quota used up, 6 another run is working, 7 storage.`,
    )
    .exitOverride();
  for (const { name, description } of COMMANDS) program.command(name).description(description);
  return program;
}

function commandLineError(error: CommanderError, program: Command, argv: readonly string[]): AnswerlakeError {
  // Commander tells `help NOPE` like no command at all.
  const unknown = argv[0] === 'help' ? argv[1] : undefined;
  const message =
    error.code === 'commander.help'
      ? `${unknown === undefined ? 'No command was given' : `Unknown command '${unknown}'`}.\nSee answerlake ${helpTarget(program, argv)}--help.`
      : `${sentence(error.message)}\nSee answerlake ${helpTarget(program, argv)}--help.`;
  return usageError(message, error);
}

function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replaceAll('\n(Did you mean', ' (did you mean');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `sync `, `draft push `: the command that was meant, as far as its words are known. */
function helpTarget(program: Command, argv: readonly string[]): string {
  let command = program;
  for (const word of argv.filter((one) => !one.startsWith('-'))) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command === program ? '' : `${commandPath(command)} `;
}

async function fail(
  error: unknown,
  { argv, env, io }: CliStart,
  redact: (text: string) => string,
): Promise<ExitCode> {
  const { reportError, writeError } = await import('./error-report.ts');
  const report = reportError(error);
  report.error.message = redact(report.error.message);
  if (argv.includes('--json') || isOnByEnv('--json', env)) {
    io.stdout.write(`${visibleText(JSON.stringify(report, null, 2))}\n`);
  }
  writeError(report, io.stderr);
  const isDebug =
    argv.some((word) => /^(?:--log-level=)?debug$/.test(word)) || env['ANSWERLAKE_LOG_LEVEL'] === 'debug';
  if (isDebug && error instanceof Error) io.stderr.write(`${visibleText(redact(stackOf(error)))}\n`);
  return exitCodeOf(error);
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}

/** Gives a command its arguments, flags, examples and handler. */
type DefineCommand = (command: Command, host: CommandHost) => void;

interface CommandEntry {
  name: string;
  description: string;
  /** The file of a command is loaded only when the command line names it. */
  load: () => Promise<DefineCommand>;
  /** True when it reads what the other commands declare. */
  needsAll?: true;
}

/** Every command, in the order in which help lists them. */
const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'Write answerlake.yaml and the jobs folder',
    load: async () => (await import('./init.ts')).defineInit,
  },
  {
    name: 'check',
    description: 'Check configuration, keys, quota, files and disk',
    load: async () => (await import('./check.ts')).defineCheck,
  },
  {
    name: 'plan',
    description: 'Show what a sync would request, and how long it would take',
    load: async () => (await import('./plan.ts')).definePlan,
  },
  {
    name: 'sync',
    description: 'Pull everything that is due, once, and publish it',
    load: async () => (await import('./sync.ts')).defineSync,
  },
  {
    name: 'schedule',
    description: 'Run the jobs folder by cron, until stopped',
    load: async () => (await import('./schedule.ts')).defineSchedule,
  },
  {
    name: 'queue',
    description: 'Runs through workers: set up, start, watch, pause, try again',
    load: async () => (await import('./queue.ts')).defineQueue,
  },
  {
    name: 'worker',
    description: 'Ask for what the queue hands out, until stopped',
    load: async () => (await import('./worker.ts')).defineWorker,
  },
  {
    name: 'loader',
    description: 'Load what workers land, plan and publish, until stopped',
    load: async () => (await import('./loader.ts')).defineLoader,
  },
  {
    name: 'status',
    description: 'Last runs, freshness, quota, rejects, drift, gaps',
    load: async () => (await import('./status.ts')).defineStatus,
  },
  {
    name: 'gaps',
    description: 'Expected days that are not covered; exit 3 if any',
    load: async () => (await import('./gaps.ts')).defineGaps,
  },
  {
    name: 'query',
    description: 'Ask the published file, read-only',
    load: async () => (await import('./query.ts')).defineQuery,
  },
  {
    name: 'report',
    description: 'Charts from the published file: one offline HTML page, or a picture per chart',
    load: async () => (await import('./report.ts')).defineReport,
  },
  {
    name: 'export',
    description: 'Parquet files, by project and month',
    load: async () => (await import('./export.ts')).defineExport,
  },
  {
    name: 'replay',
    description: 'Rebuild the warehouse from the raw archive',
    load: async () => (await import('./replay.ts')).defineReplay,
  },
  {
    name: 'publish',
    description: 'Publish the working file now',
    load: async () => (await import('./publish.ts')).definePublish,
  },
  {
    name: 'draft',
    description: 'Push a content document to a CMS as a draft',
    load: async () => (await import('./draft.ts')).defineDraft,
  },
  {
    name: 'simulate',
    description: 'Run the API on this machine, without a key',
    load: async () => (await import('./simulate.ts')).defineSimulate,
  },
  {
    name: 'demo',
    description: 'A year of three invented brands, without a key',
    load: async () => (await import('./demo.ts')).defineDemo,
  },
  {
    name: 'completion',
    description: 'Completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).defineCompletion,
    needsAll: true,
  },
];
