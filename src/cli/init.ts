import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import { loadConfig, secretsOf } from '../config/file.ts';
import { baseUrlRule, plainBaseUrl, startDateRule } from '../config/rules.ts';
import { addDays, dayOf, isDay, toDay, type Day } from '../day.ts';
import { AnswerlakeError, usageError, type ExitCode } from '../errors.ts';
import { syncRequest } from '../run/sync-request.ts';
import { amount, shortPath } from '../text.ts';
import { checkAll } from './check.ts';
import type { CommandContext, CommandHost, NextStep } from './host.ts';
import { listFlag } from './flags.ts';
import {
  existsMessage,
  KEY_FILE,
  writeInitFiles,
  type InitAnswers,
  type WrittenFiles,
} from './init-files.ts';
import { syncNow } from './sync.ts';

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
type Flags = z.output<typeof flagSchema>;

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
A key that is typed goes into a file that only you can read. With it, init shows
what a first sync costs from each first day, tries the key, and offers the sync.

Examples:
  $ answerlake init
  $ answerlake init --base-url https://server.example.com
  $ answerlake init --config acme/answerlake.yaml`,
    );
  host.handle(command, flagSchema, async (context, flags) => {
    const path = resolve(context.flags.config);
    if (existsSync(path)) throw usageError(existsMessage(path));
    const { answers, cost } = await answer(flags, context);
    const written = writeInitFiles(path, answers);
    context.printChange(written, () => writtenText(written));
    const tried = answers.key === null && cost === null ? null : await tryOut(cost, context);
    if (tried === null) context.next(...nextSteps(answers, cost !== null));
    return tried ?? 0;
  });
}

/** Checks the key and runs the first sync if that is wanted; null if it is not. */
async function tryOut(cost: string | null, context: CommandContext): Promise<ExitCode | null> {
  const { confirm } = await import('@clack/prompts');
  const exitCode = await checkAll(context);
  if (exitCode !== 0) {
    context.next([
      'answerlake check',
      `again, when ${context.flags.config} or ${KEY_FILE} next to it is corrected`,
    ]);
    return exitCode;
  }
  const message = `Start the first sync now?${cost === null ? '' : ` (${cost})`}`;
  if ((await confirm({ message })) !== true) return null;
  return await syncNow(syncRequest({}), context.loadConfig(), context);
}

function writtenText({ config, keyFile, jobs, kept }: WrittenFiles): string {
  const lines = (paths: readonly string[]): string => paths.map((path) => `  ${shortPath(path)}`).join('\n');
  const written = [config, ...(keyFile === null ? [] : [keyFile]), ...jobs];
  return `Written:\n${lines(written)}${kept.length === 0 ? '' : `\nKept as they were:\n${lines(kept)}`}`;
}

function nextSteps({ keyVariable, key }: InitAnswers, isTried: boolean): NextStep[] {
  return [
    ...(key === null && !isTried ? [[`export ${keyVariable}=…`, 'the API key'] satisfies NextStep] : []),
    ...(isTried ? [] : [['answerlake check', 'try key, quota, files and disk'] satisfies NextStep]),
    ['answerlake check --api', 'ask the server what its documents leave open'],
    ['answerlake plan', 'what a first sync would ask'],
    ['answerlake sync', 'pull everything once'],
    ['answerlake schedule', 'pull by the jobs folder, until stopped'],
  ];
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

const URL_QUESTION: Question = {
  flag: '--base-url',
  message: 'Base URL of the API',
  placeholder: 'https://server.example.com',
  problem: baseUrlRule,
};

const KEY_QUESTION: Question = {
  flag: '--key-variable',
  message: 'Environment variable that holds the API key (its name, not the key)',
  placeholder: KEY_VARIABLE,
  fallback: KEY_VARIABLE,
  problem: (name) =>
    /^[A-Za-z_]\w{0,99}$/.test(name) ? undefined : 'must be the name of a variable, like ANSWERLAKE_KEY',
};

function startQuestion(today: Day): Question {
  const yearAgo = yearBefore(today);
  return {
    flag: '--start-date',
    message: 'First day to pull (YYYY-MM-DD)',
    placeholder: yearAgo,
    fallback: yearAgo,
    problem: startDateRule(today),
  };
}

/** The first day of the month, a year ago. */
function yearBefore(today: Day): Day {
  return toDay(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`);
}

/** Asked on the terminal: answers by flag, the key if it was typed, and the cost of the first sync if it is known. */
interface Asked {
  typed: Map<string, string>;
  key: string | null;
  cost: string | null;
}

/** @throws AnswerlakeError 'configuration' with every problem at once */
async function answer(
  flags: Flags,
  context: CommandContext,
): Promise<{ answers: InitAnswers; cost: string | null }> {
  const start = startQuestion(dayOf(context.effects.now()));
  // With the address on the command line, the other two have good defaults.
  const asks = context.io.isInteractive && !context.flags.json && flags.baseUrl === undefined;
  const asked = asks ? await askQuestions(start, flags, context) : null;
  const problems: string[] = [];
  const answerTo = (given: string | undefined, { flag, fallback, placeholder, problem }: Question) => {
    const text = given ?? asked?.typed.get(flag) ?? fallback;
    const found = text === undefined ? `is missing: add ${flag} ${placeholder}` : problem(text);
    if (found !== undefined) problems.push(`${flag}: ${found}`);
    return text ?? '';
  };
  const baseUrl = answerTo(flags.baseUrl, URL_QUESTION);
  const keyVariable = answerTo(flags.keyVariable, KEY_QUESTION);
  const startDate = answerTo(flags.startDate, start);
  if (problems.length > 0) throw usageError(`${problems.join('\n')}\nNothing was written.`);
  const answers = {
    baseUrl: plainBaseUrl(baseUrl),
    keyVariable,
    key: asked?.key ?? null,
    startDate: toDay(startDate),
    account: flags.account,
    projects: flags.project ?? null,
  };
  return { answers, cost: asked?.cost ?? null };
}

/** Asks on the terminal what no flag answers. @throws AnswerlakeError 'stopped' when it was cancelled */
async function askQuestions(start: Question, flags: Flags, context: CommandContext): Promise<Asked> {
  const { cancel, intro, isCancel, outro, password, select, text } = await import('@clack/prompts');
  /** What was typed; nothing typed at all is undefined or empty. */
  const answered = (typed: unknown): string => {
    if (!isCancel(typed)) return typeof typed === 'string' ? typed.trim() : '';
    cancel('Nothing was written.');
    throw new AnswerlakeError('Cancelled; nothing was written.', { class: 'stopped' });
  };
  const typed = new Map<string, string>();
  const ask = async (question: Question): Promise<string> => {
    const { flag, message, placeholder, fallback } = question;
    const options = { message, placeholder, ...(fallback === undefined ? {} : { defaultValue: fallback }) };
    const validate = (typing = ''): string | undefined => problemOf(question, typing);
    const found = answered(await text({ ...options, validate }));
    typed.set(flag, found);
    return found;
  };
  intro('answerlake: a new configuration');
  const baseUrl = await ask(URL_QUESTION);
  let key: string | null = null;
  let { keyVariable } = flags;
  if (keyVariable === undefined) {
    const message = 'API key (not shown; leave it empty to name a variable instead)';
    key = answered(await password({ message })) || null;
    keyVariable = key === null ? await ask(KEY_QUESTION) : KEY_VARIABLE;
  }
  const today = dayOf(context.effects.now());
  const given = isDay(flags.startDate ?? '') ? [toDay(flags.startDate ?? '')] : null;
  const days = given ?? [addDays(today, -30), addDays(today, -90), yearBefore(today)];
  const { account, project: projects = null } = flags;
  const costs = await costsOf(
    days,
    { baseUrl: plainBaseUrl(baseUrl), keyVariable, key, account, projects },
    context,
  );
  if (given !== null) return { typed, key, cost: costs?.get(given[0] ?? today) ?? null };
  let day = '';
  if (costs !== null) {
    const options = [...costs].map(([value, cost]) => ({ value: String(value), label: `${value}  ${cost}` }));
    day = answered(
      await select({
        message: 'First day to pull, and what the first sync costs',
        options: [...options, { value: '', label: 'another day' }],
        initialValue: String(yearBefore(today)),
      }),
    );
    typed.set(start.flag, day);
  }
  if (day === '') day = await ask(start);
  outro('Writing the files.');
  return { typed, key, cost: isDay(day) ? (costs?.get(day) ?? null) : null };
}

function problemOf({ fallback, problem }: Question, typed: string): string | undefined {
  const answer = typed.trim() === '' ? fallback : typed.trim();
  if (answer === undefined) return 'Please type an answer.';
  const found = problem(answer);
  return found === undefined ? undefined : `It ${found}`;
}

/** What a first sync from each of the days costs; null, with the reason as a remark, where the key cannot say. */
async function costsOf(
  days: readonly Day[],
  answers: Omit<InitAnswers, 'startDate'>,
  context: CommandContext,
): Promise<ReadonlyMap<Day, string> | null> {
  const { keyVariable, key } = answers;
  const env = key === null ? context.env : { ...context.env, [keyVariable]: key };
  // The settings of a file that is not written yet, and no warehouse.
  const folder = mkdtempSync(join(tmpdir(), 'answerlake-init-'));
  try {
    const path = join(folder, 'answerlake.yaml');
    writeInitFiles(path, { ...answers, key: null, startDate: days[0] ?? toDay('2000-01-01') });
    const config = loadConfig({ path, env });
    context.hide(secretsOf(config));
    const { planStarts } = await import('../run/plan-sync.ts');
    const runContext = await context.runContext(config, 'warn');
    const request = syncRequest({ maxWaitMs: 0 });
    const plans = await planStarts(days, request, { context: runContext, isOffline: false });
    return new Map(plans.map((plan, place) => [days[place] ?? plan.sync_day, costText(plan)]));
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    context.note(`What a sync costs is not known: ${error.message}`);
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `about 1,500 requests, 2 hours of quota` */
function costText({ requests, hours }: { requests: number; hours: number | null }): string {
  const quota =
    hours === null
      ? ''
      : hours <= 1
        ? ', less than the quota of an hour'
        : `, ${amount(hours)} hours of quota`;
  return `about ${requests === 1 ? '1 request' : `${amount(requests)} requests`}${quota}`;
}
