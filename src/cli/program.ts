import { Command, CommanderError } from 'commander';
import { AnswerlakeError, exitCodeOf, type ExitCode } from '../errors.ts';
import { addCheck } from './check.ts';
import { addCompletion } from './completion.ts';
import type { CliStart } from './context.ts';
import { addDemo } from './demo.ts';
import { addDraft } from './draft.ts';
import { isOnByEnv } from './env-twins.ts';
import { formatError, reportError } from './error-report.ts';
import { addExport } from './export.ts';
import { addGaps } from './gaps.ts';
import { commandPath, CommandHost } from './host.ts';
import { addInit } from './init.ts';
import { addPlan } from './plan.ts';
import { addPublish } from './publish.ts';
import { addQuery } from './query.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addSchedule } from './schedule.ts';
import { addSimulate } from './simulate.ts';
import { addStatus } from './status.ts';
import { addSync } from './sync.ts';
import { readVersion } from './version.ts';

const COMMANDS = [
  addInit,
  addCheck,
  addPlan,
  addSync,
  addSchedule,
  addStatus,
  addGaps,
  addQuery,
  addReport,
  addExport,
  addReplay,
  addPublish,
  addDraft,
  addSimulate,
  addDemo,
  addCompletion,
];

/** Parses the command line, runs one command and gives the exit code; every error is printed once. */
export async function runCli(start: CliStart): Promise<ExitCode> {
  const host = new CommandHost(createProgram(start), start);
  for (const add of COMMANDS) add(host);
  try {
    await host.program.parseAsync([...start.argv], { from: 'user' });
    return host.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return fail(
      error instanceof CommanderError ? usageError(error, host.program, start.argv) : error,
      host,
      start,
    );
  }
}

function createProgram({ io }: CliStart): Command {
  return new Command('answerlake')
    .description(
      'Pulls AI-answer visibility data into a DuckDB file for analysts and BI tools, on a schedule.',
    )
    .version(readVersion(), '--version', 'print the version')
    .option('--config <file>', 'configuration file (default: answerlake.yaml)')
    .option('--json', 'print the result as JSON on stdout')
    .option('--quiet', 'no progress, no remarks, only errors')
    .option('--log-level <level>', 'debug, info, warn, error or silent')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true, helpWidth: Math.min(io.stdout.columns, 100) })
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
}

function usageError(error: CommanderError, program: Command, argv: readonly string[]): AnswerlakeError {
  const message =
    error.code === 'commander.help'
      ? `No command was given.\nSee answerlake ${helpTarget(program, argv)}--help.`
      : `${sentence(error.message)}\nSee answerlake ${helpTarget(program, argv)}--help.`;
  return new AnswerlakeError(message, { class: 'configuration', cause: error });
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

function fail(error: unknown, host: CommandHost, { argv, env, io }: CliStart): ExitCode {
  const report = reportError(error);
  report.error.message = host.redact(report.error.message);
  if (argv.includes('--json') || isOnByEnv('--json', env)) {
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  }
  io.stderr.write(formatError(report, io.stderr.color));
  const isDebug =
    argv.some((word) => /^(?:--log-level=)?debug$/.test(word)) || env['ANSWERLAKE_LOG_LEVEL'] === 'debug';
  if (isDebug && error instanceof Error) io.stderr.write(`${host.redact(stackOf(error))}\n`);
  return exitCodeOf(error);
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}
