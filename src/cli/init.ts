import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { shortPath } from '../config/file.ts';
import { baseUrlRule, plainBaseUrl, startDateRule } from '../config/rules.ts';
import { dayOf, toDay, type Day } from '../day.ts';
import { AnswerlakeError, codeOf, exitCodeFrom, messageOf, usageError, type ExitCode } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';
import type { CommandContext, CommandHost } from './host.ts';
import { listFlag } from './flags.ts';

const KEY_VARIABLE = 'ANSWERLAKE_KEY';
const KEY_FILE = 'answerlake.key';

const flagSchema = z.strictObject({
  baseUrl: z.string().exactOptional(),
  keyVariable: z.string().exactOptional(),
  startDate: z.string().exactOptional(),
  account: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be letters, digits, ., - and _ only')
    .default('main'),
  project: listFlag.exactOptional(),
});

/** `answerlake init`: a commented configuration and the shipped jobs. */
export function define(command: Command, host: CommandHost): void {
  command
    .option('--base-url <url>', 'origin of the API, for example https://server.example.com')
    .option('--key-variable <name>', `environment variable that holds the key (default: ${KEY_VARIABLE})`)
    .option('--start-date <date>', 'first day to sync (default: a year ago)')
    .option('--account <name>', 'your name for the account (default: main)')
    .option('--project <id...>', 'only these projects (default: all that the key reaches)')
    .addHelpText(
      'after',
      `
Asks on a terminal, else takes the flags. Nothing is ever overwritten.
A key that is typed goes into a file that only you can read. Then init tries it,
shows what a first sync costs, and offers it.

Examples:
  $ answerlake init
  $ answerlake init --base-url https://server.example.com
  $ answerlake init --config acme/answerlake.yaml`,
    );
  host.handle(command, flagSchema, async (context, flags) => {
    const path = resolve(context.flags.config);
    if (existsSync(path)) throw usageError(existsMessage(path));
    const questions = questionsFor(dayOf(context.effects.now()));
    const given = new Map(
      Object.entries({
        '--base-url': flags.baseUrl,
        '--key-variable': flags.keyVariable,
        '--start-date': flags.startDate,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const { answers, key } = await answer(questions, given, context);
    const initAnswers: InitAnswers = {
      baseUrl: plainBaseUrl(answers('--base-url')),
      keyVariable: answers('--key-variable'),
      key,
      startDate: toDay(answers('--start-date')),
      account: flags.account,
      projects: flags.project ?? null,
    };
    const written = writeInitFiles(path, initAnswers);
    context.printResult(written, () => nextSteps(written, initAnswers, typedAs(context.env)));
    return key === null ? 0 : await tryOut(written.config, context);
  });
}

/** Checks the key, shows what a first sync costs, and runs it if that is wanted. */
async function tryOut(config: string, context: CommandContext): Promise<ExitCode> {
  const { confirm } = await import('@clack/prompts');
  for (const command of ['check', 'plan']) {
    context.print('');
    const exitCode = await runCommand(command, config);
    if (exitCode === 0) continue;
    context.print(
      `\nThe files are written. Correct ${shortPath(config)} or ${KEY_FILE} beside it, then: ${typedAs(context.env)} check`,
    );
    return exitCode;
  }
  const isWanted = await confirm({
    message: 'Start the first sync now? (start_date in the file decides its size)',
  });
  return isWanted === true ? await runCommand('sync', config) : 0;
}

/** Runs a command of this program as if it had been typed. */
async function runCommand(command: string, config: string): Promise<ExitCode> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', command, '--config', config], {
    stdio: 'inherit',
  });
  return await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      done(exitCodeFrom(code));
    });
  });
}

/** How this program was called, to be typed again in the same place. */
export function typedAs(
  env: Readonly<Record<string, string | undefined>>,
  script = process.argv[1] ?? '',
): string {
  if (env['npm_command'] === 'exec' || script.includes('node_modules')) return 'npx answerlake';
  return basename(script) === 'main.js' ? `node ${shortPath(script)}` : 'answerlake';
}

function questionsFor(today: Day): Question[] {
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`;
  return [
    {
      flag: '--base-url',
      message: 'Base URL of the API',
      placeholder: 'https://server.example.com',
      problem: baseUrlRule,
    },
    {
      flag: '--key-variable',
      message: 'Environment variable that holds the API key (its name, not the key)',
      placeholder: KEY_VARIABLE,
      fallback: KEY_VARIABLE,
      problem: (name) =>
        /^[A-Za-z_]\w{0,99}$/.test(name) ? undefined : 'must be the name of a variable, like ANSWERLAKE_KEY',
    },
    {
      flag: '--start-date',
      message: 'First day to pull (YYYY-MM-DD)',
      placeholder: yearAgo,
      fallback: yearAgo,
      problem: startDateRule(today),
    },
  ];
}

/** The answer of each question by its flag, and the key if it was typed. */
interface Answered {
  answers: (flag: string) => string;
  key: string | null;
}

async function answer(
  questions: readonly Question[],
  given: ReadonlyMap<string, string>,
  { io, flags }: CommandContext,
): Promise<Answered> {
  const open = questions.filter(({ flag }) => !given.has(flag));
  // With the address on the command line, the other two have good defaults.
  const asks = io.isInteractive && !flags.json && !given.has('--base-url');
  const asked = asks ? await askQuestions(open) : { answers: new Map<string, string>(), key: null };
  const answers = new Map<string, string>();
  const problems: string[] = [];
  for (const { flag, fallback, placeholder, problem } of questions) {
    const text = given.get(flag) ?? asked.answers.get(flag) ?? fallback;
    const found = text === undefined ? `is missing: add ${flag} ${placeholder}` : problem(text);
    if (found !== undefined) problems.push(`${flag}: ${found}`);
    answers.set(flag, text ?? '');
  }
  if (problems.length > 0) throw usageError(`${problems.join('\n')}\nNothing was written.`);
  return { answers: (flag) => answers.get(flag) ?? '', key: asked.key };
}

function nextSteps(
  { config, keyFile, jobs, kept }: WrittenFiles,
  { keyVariable, key }: InitAnswers,
  program: string,
): string {
  const file = relative(process.cwd(), config);
  const flag = file === 'answerlake.yaml' ? '' : ` --config ${file}`;
  const lines = (paths: readonly string[]): string =>
    paths.map((path) => `  ${relative(process.cwd(), path)}`).join('\n');
  const written = [config, ...(keyFile === null ? [] : [keyFile]), ...jobs];
  const steps: [string, string][] = [
    ...(key === null ? [[`export ${keyVariable}=…`, 'the API key'] satisfies [string, string]] : []),
    [`${program} check${flag}`, 'try key, quota, files and disk'],
    [`${program} check --api${flag}`, 'ask the server what its documents leave open'],
    [`${program} plan${flag}`, 'what a first sync would ask'],
    [`${program} sync${flag}`, 'pull everything once'],
    [`${program} schedule${flag}`, 'pull by the jobs folder, until stopped'],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  return `Written:
${lines(written)}${kept.length === 0 ? '' : `\nKept as they were:\n${lines(kept)}`}

Next:
${steps.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`).join('\n')}`;
}

/** What a new configuration says. */
interface InitAnswers {
  baseUrl: string;
  /** Where the key is, unless it was typed. */
  keyVariable: string;
  /** The key itself, for a file beside the configuration. */
  key: string | null;
  startDate: Day;
  account: string;
  /** Null: every project that the key reaches. */
  projects: readonly string[] | null;
}

interface WrittenFiles {
  config: string;
  /** Holds a key that was typed. */
  keyFile: string | null;
  jobs: string[];
  /** Jobs that were there already. */
  kept: string[];
}

/** YAML reads nothing else into it, as it does into 123, true and null. */
const LOOKS_LIKE_A_NAME = /^(?!(?:true|false|null|yes|no|on|off)$)[a-z][\w.-]*$/i;

/** A commented configuration: the shipped example with the answers put in. */
function configText(answers: InitAnswers, folder: string): string {
  const example = readFileSync(join(PACKAGE_ROOT, 'config', 'example.yaml'), 'utf8');
  const projects = answers.projects === null ? 'all' : JSON.stringify(answers.projects);
  return replaceLines(example, [
    [/(?<=^# yaml-language-server: \$schema=)\S+/m, schemaPath(folder)],
    [/(?<=^ {2}base_url: )\S+/m, answers.baseUrl],
    [
      /(?<=^ {2}- name: )\S+/m,
      LOOKS_LIKE_A_NAME.test(answers.account) ? answers.account : JSON.stringify(answers.account),
    ],
    [/(?<=^ {4}api_key: )\S+/m, answers.key === null ? `env:${answers.keyVariable}` : `file:${KEY_FILE}`],
    [/(?<=^ {4}projects: )\S+/m, projects],
    [/(?<=^ {2}start_date: )\S+/m, answers.startDate],
  ]);
}

/** Where editors find the settings: relative where the program lies below the folder, as in node_modules. */
function schemaPath(folder: string): string {
  const path = join(PACKAGE_ROOT, 'config', 'schema.json');
  const below = relative(folder, path);
  return below.startsWith('..') ? path : `./${below}`;
}

/** Writes the configuration and the shipped jobs next to it. @throws AnswerlakeError when it would overwrite */
function writeInitFiles(configPath: string, answers: InitAnswers): WrittenFiles {
  const config = resolve(configPath);
  const jobsFolder = join(dirname(config), 'jobs');
  try {
    mkdirSync(dirname(config), { recursive: true });
    const keyFile = answers.key === null ? null : join(dirname(config), KEY_FILE);
    if (keyFile !== null) writeFileSync(keyFile, `${answers.key}\n`, { flag: 'wx', mode: 0o600 });
    writeFileSync(config, configText(answers, dirname(config)), { flag: 'wx' });
    mkdirSync(jobsFolder, { recursive: true });
    const names = readdirSync(join(PACKAGE_ROOT, 'jobs')).filter((name) => name.endsWith('.yaml'));
    const written = names.filter((name) => writeNew(join(jobsFolder, name), shippedJob(name)));
    const inFolder = (name: string): string => join(jobsFolder, name);
    return {
      config,
      keyFile,
      jobs: written.map(inFolder),
      kept: names.filter((name) => !written.includes(name)).map(inFolder),
    };
  } catch (error) {
    const taken = [config, join(dirname(config), KEY_FILE)].find((path) => existsSync(path));
    const isThere = codeOf(error) === 'EEXIST' && taken !== undefined;
    const message = isThere ? existsMessage(taken) : `Writing failed: ${messageOf(error)}. Check the folder.`;
    throw new AnswerlakeError(message, { class: isThere ? 'configuration' : 'storage', cause: error });
  }
}

function existsMessage(path: string): string {
  return `${path} exists already and is never overwritten; nothing was written. Edit it, move it away, or write another one with --config FILE.`;
}

function shippedJob(name: string): string {
  return readFileSync(join(PACKAGE_ROOT, 'jobs', name), 'utf8');
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function replaceLines(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((current, [pattern, replacement]) => {
    if (!pattern.test(current)) throw new Error(`config/example.yaml lacks ${String(pattern)}`);
    return current.replace(pattern, () => replacement);
  }, text);
}

/** One thing that `init` needs to know. */
interface Question {
  /** The flag that answers it without asking. */
  flag: string;
  message: string;
  placeholder: string;
  /** Taken when nothing is typed. */
  fallback?: string;
  /** Says what is wrong with an answer. */
  problem: (answer: string) => string | undefined;
}

/** Asks on the terminal. @throws AnswerlakeError 'stopped' when it was cancelled */
async function askQuestions(
  questions: readonly Question[],
): Promise<{ answers: Map<string, string>; key: string | null }> {
  const { cancel, intro, isCancel, outro, password, text } = await import('@clack/prompts');
  intro('answerlake: a new configuration');
  const answers = new Map<string, string>();
  /** What was typed; nothing typed at all is undefined or empty. */
  const answered = (answer: unknown): string => {
    if (!isCancel(answer)) return typeof answer === 'string' ? answer.trim() : '';
    cancel('Nothing was written.');
    throw new AnswerlakeError('Cancelled; nothing was written.', { class: 'stopped' });
  };
  let key: string | null = null;
  for (const question of questions) {
    if (question.flag === '--key-variable') {
      const typed = await password({
        message: 'API key (not shown; leave it empty to name a variable instead)',
      });
      key = answered(typed) || null;
      if (key !== null) continue;
    }
    const typed = await text({
      message: question.message,
      placeholder: question.placeholder,
      ...(question.fallback === undefined ? {} : { defaultValue: question.fallback }),
      validate: (typing) => problemOf(question, typing ?? ''),
    });
    answers.set(question.flag, answered(typed));
  }
  outro('Writing the files.');
  return { answers, key };
}

function problemOf({ fallback, problem }: Question, typed: string): string | undefined {
  const answer = typed.trim() === '' ? fallback : typed.trim();
  if (answer === undefined) return 'Please type an answer.';
  const found = problem(answer);
  return found === undefined ? undefined : `It ${found}`;
}
