import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { baseUrlRule, startDateRule } from '../config/rules.ts';
import { dayOf, toDay, type Day } from '../day.ts';
import { AnswerlakeError, codeOf, messageOf, usageError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package.ts';
import type { CommandContext, CommandHost } from './host.ts';
import { listFlag } from './flags.ts';

const KEY_VARIABLE = 'ANSWERLAKE_KEY';

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
    const answers = await answer(questions, given, context);
    const initAnswers: InitAnswers = {
      baseUrl: new URL(answers('--base-url')).origin,
      keyVariable: answers('--key-variable'),
      startDate: toDay(answers('--start-date')),
      account: flags.account,
      projects: flags.project ?? null,
    };
    const written = writeInitFiles(path, initAnswers);
    context.printResult(written, () => nextSteps(written, initAnswers));
    return 0;
  });
}

function questionsFor(today: Day): Question[] {
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`;
  return [
    {
      flag: '--base-url',
      message: 'Base URL of the API (origin only)',
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

async function answer(
  questions: readonly Question[],
  given: ReadonlyMap<string, string>,
  { io, flags }: CommandContext,
): Promise<(flag: string) => string> {
  const open = questions.filter(({ flag }) => !given.has(flag));
  // With the address on the command line, the other two have good defaults.
  const asks = io.isInteractive && !flags.json && !given.has('--base-url');
  const asked = asks ? await askQuestions(open) : new Map<string, string>();
  const answers = new Map<string, string>();
  const problems: string[] = [];
  for (const { flag, fallback, placeholder, problem } of questions) {
    const text = given.get(flag) ?? asked.get(flag) ?? fallback;
    const found = text === undefined ? `is missing: add ${flag} ${placeholder}` : problem(text);
    if (found !== undefined) problems.push(`${flag}: ${found}`);
    answers.set(flag, text ?? '');
  }
  if (problems.length > 0) throw usageError(`${problems.join('\n')}\nNothing was written.`);
  return (flag) => answers.get(flag) ?? '';
}

function nextSteps({ config, jobs, kept }: WrittenFiles, { keyVariable }: InitAnswers): string {
  const file = relative(process.cwd(), config);
  const flag = file === 'answerlake.yaml' ? '' : ` --config ${file}`;
  const lines = (paths: readonly string[]): string =>
    paths.map((path) => `  ${relative(process.cwd(), path)}`).join('\n');
  return `Written:
${lines([config, ...jobs])}${kept.length === 0 ? '' : `\nKept as they were:\n${lines(kept)}`}

Next:
  export ${keyVariable}=…          the API key
  answerlake check${flag}       try key, quota, files and disk
  answerlake check --api${flag}  ask the server what its documents leave open
  answerlake sync${flag}        pull everything once
  answerlake schedule${flag}    pull by the jobs folder, until stopped`;
}

/** What a new configuration says. */
export interface InitAnswers {
  baseUrl: string;
  keyVariable: string;
  startDate: Day;
  account: string;
  /** Null: every project that the key reaches. */
  projects: readonly string[] | null;
}

export interface WrittenFiles {
  config: string;
  jobs: string[];
  /** Jobs that were there already. */
  kept: string[];
}

/** YAML reads nothing else into it, as it does into 123, true and null. */
const LOOKS_LIKE_A_NAME = /^(?!(?:true|false|null|yes|no|on|off)$)[a-z][\w.-]*$/i;

/** A commented configuration: the shipped example with the answers put in. */
function configText(answers: InitAnswers): string {
  const example = readFileSync(join(PACKAGE_ROOT, 'config', 'example.yaml'), 'utf8');
  const projects = answers.projects === null ? 'all' : JSON.stringify(answers.projects);
  return replaceLines(example, [
    [/^# yaml-language-server.*\n/m, ''],
    [/(?<=^ {2}base_url: )\S+/m, answers.baseUrl],
    [
      /(?<=^ {2}- name: )\S+/m,
      LOOKS_LIKE_A_NAME.test(answers.account) ? answers.account : JSON.stringify(answers.account),
    ],
    [/(?<=^ {4}api_key: env:)\w+/m, answers.keyVariable],
    [/(?<=^ {4}projects: )\S+/m, projects],
    [/(?<=^ {2}start_date: )\S+/m, answers.startDate],
  ]);
}

/** Writes the configuration and the shipped jobs next to it. @throws AnswerlakeError when it would overwrite */
function writeInitFiles(configPath: string, answers: InitAnswers): WrittenFiles {
  const config = resolve(configPath);
  const jobsFolder = join(dirname(config), 'jobs');
  try {
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, configText(answers), { flag: 'wx' });
    mkdirSync(jobsFolder, { recursive: true });
    const names = readdirSync(join(PACKAGE_ROOT, 'jobs')).filter((name) => name.endsWith('.yaml'));
    const written = names.filter((name) => writeNew(join(jobsFolder, name), shippedJob(name)));
    const inFolder = (name: string): string => join(jobsFolder, name);
    return {
      config,
      jobs: written.map(inFolder),
      kept: names.filter((name) => !written.includes(name)).map(inFolder),
    };
  } catch (error) {
    const isThere = codeOf(error) === 'EEXIST' && existsSync(config);
    const message = isThere
      ? existsMessage(config)
      : `Writing failed: ${messageOf(error)}. Check the folder.`;
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
async function askQuestions(questions: readonly Question[]): Promise<Map<string, string>> {
  const { cancel, intro, isCancel, outro, text } = await import('@clack/prompts');
  intro('answerlake: a new configuration');
  const answers = new Map<string, string>();
  for (const question of questions) {
    const answer = await text({
      message: question.message,
      placeholder: question.placeholder,
      ...(question.fallback === undefined ? {} : { defaultValue: question.fallback }),
      validate: (typed) => problemOf(question, typed ?? ''),
    });
    if (isCancel(answer)) {
      cancel('Nothing was written.');
      throw new AnswerlakeError('Cancelled; nothing was written.', { class: 'stopped' });
    }
    answers.set(question.flag, answer.trim());
  }
  outro('Writing the files.');
  return answers;
}

function problemOf({ fallback, problem }: Question, typed: string): string | undefined {
  const answer = typed.trim() === '' ? fallback : typed.trim();
  if (answer === undefined) return 'Please type an answer.';
  const found = problem(answer);
  return found === undefined ? undefined : `It ${found}`;
}
