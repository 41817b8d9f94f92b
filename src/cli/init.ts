import { existsSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve, dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { loadConfig, secretsOf } from '../config/file.ts';
import { baseUrlRule, plainBaseUrl, startDateRule, text, type Rule } from '../config/rules.ts';
import { addDays, dayOf, toDay, type Day } from '../day.ts';
import { AnswerlakeError, usageError, type ExitCode } from '../errors.ts';
import { secretReferenceProblem } from '../secret.ts';
import { syncRequest } from '../run/sync-request.ts';
import { amount, shortPath, counted } from '../text.ts';
import { checkAll, STEPS_BEFORE_SYNC } from './check.ts';
import { defined, type CommandContext, type NextStep } from './host.ts';
import { dayFlag, valueFlag } from './flags.ts';
import { syncNow } from './sync.ts';
import { pathToFileURL } from 'node:url';
import { PACKAGE_ROOT } from '../package.ts';

const KEY_VARIABLE = 'ANSWERLAKE_KEY';

const variableRule: Rule = (name) =>
  secretReferenceProblem(`env:${name}`) && 'must be the name of a variable, like ANSWERLAKE_KEY';

const flagSchema = z.strictObject({
  baseUrl: valueFlag('<url>', 'origin of the API, for example https://server.example.com', text(baseUrlRule)),
  keyVariable: valueFlag(
    '<name>',
    `variable that holds the key (default: ${KEY_VARIABLE})`,
    text(variableRule),
  ),
  startDate: valueFlag('<date>', 'first day to sync (default: a year ago)', dayFlag),
});
type Flags = z.output<typeof flagSchema>;

/** `answerlake init`: a commented configuration and the shipped jobs. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const path = resolve(context.flags.config);
  if (existsSync(path)) {
    throw usageError(
      `${path} exists already and is never overwritten; nothing was written. Edit it, move it away, or write another one with --config FILE.`,
    );
  }
  const today = dayOf(context.effects.now());
  // With a flag, the others have good defaults.
  const asks = context.io.isInteractive && !context.flags.json && Object.keys(flags).length === 0;
  const { answers, cost } = asks
    ? await askFor(context, today)
    : { answers: answersOf(flags, today), cost: null };
  const written = writeInitFiles(path, answers);
  const paths = Object.values(written).filter((one) => one !== null);
  context.printChange(written, () => ['Written:', ...paths.map((one) => `  ${shortPath(one)}`)].join('\n'));
  const tried = answers.key === null && cost === null ? null : await tryOut(cost, context);
  if (tried === null) context.next(...nextSteps(answers, cost !== null));
  return tried ?? 0;
});

/** Checks the key and runs the first sync if that is wanted; null if it is not. */
async function tryOut(cost: string | null, context: CommandContext): Promise<ExitCode | null> {
  const { confirm } = await import('@clack/prompts');
  const exitCode = await checkAll(context);
  if (exitCode !== 0) {
    const when = `again, when ${context.flags.config} or ${KEY_FILE} next to it is corrected`;
    context.next(['answerlake check', when]);
    return exitCode;
  }
  const message = `Start the first sync now?${cost === null ? '' : ` (${cost})`}`;
  if ((await confirm({ message })) !== true) return null;
  return await syncNow(syncRequest({}), context.loadConfig(), context);
}

function nextSteps({ keyVariable, key }: InitAnswers, isTried: boolean): NextStep[] {
  return [
    ...(key === null && !isTried ? [[`export ${keyVariable}=…`, 'the API key'] satisfies NextStep] : []),
    ...(isTried ? [] : [['answerlake check', 'try key, quota, files and disk'] satisfies NextStep]),
    ...STEPS_BEFORE_SYNC,
    ['answerlake sync', 'pull everything once'],
    ['answerlake schedule', 'pull by the jobs folder, until stopped'],
  ];
}

/** The first day of the month, a year ago. */
function yearBefore(today: Day): Day {
  return toDay(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`);
}

/** @throws AnswerlakeError 'configuration' */
function answersOf({ baseUrl, keyVariable = KEY_VARIABLE, startDate }: Flags, today: Day): InitAnswers {
  if (baseUrl === undefined)
    throw usageError('--base-url: is missing: add --base-url https://server.example.com');
  const day = startDate ?? yearBefore(today);
  const problem = startDateRule(today)(day);
  if (problem !== undefined) throw usageError(`--start-date: ${problem}`);
  return { baseUrl: plainBaseUrl(baseUrl), keyVariable, key: null, startDate: day };
}

/** Asks on the terminal; the cost of the first sync is null if it is not known. @throws AnswerlakeError 'stopped' */
async function askFor(context: CommandContext, today: Day) {
  const prompts = await import('@clack/prompts');
  /** What was typed; nothing typed at all is undefined or empty. */
  const answered = (typed: unknown): string => {
    if (!prompts.isCancel(typed)) return typeof typed === 'string' ? typed.trim() : '';
    prompts.cancel('Nothing was written.');
    throw new AnswerlakeError('Cancelled; nothing was written.', { class: 'stopped' });
  };
  const ask = async (message: string, rule: Rule, defaultValue: string): Promise<string> => {
    const validate = (typed = ''): string | undefined => {
      const problem = rule(typed.trim() || defaultValue);
      return problem === undefined ? undefined : `It ${problem}`;
    };
    return answered(await prompts.text({ message, placeholder: defaultValue, defaultValue, validate }));
  };
  prompts.intro('answerlake: a new configuration');
  const baseUrl = plainBaseUrl(await ask('Base URL of the API', baseUrlRule, ''));
  const message = 'API key (not shown; leave it empty to name a variable instead)';
  const key = answered(await prompts.password({ message })) || null;
  const question = 'Environment variable that holds the API key (its name, not the key)';
  const keyVariable = key === null ? await ask(question, variableRule, KEY_VARIABLE) : KEY_VARIABLE;
  const yearAgo = yearBefore(today);
  const days = [addDays(today, -30), addDays(today, -90), yearAgo];
  const costs = await costsOf(days, { baseUrl, keyVariable, key }, context);
  const priced = [...costs].map(([day, cost]) => ({ value: String(day), label: `${day}  ${cost}` }));
  const choice = {
    message: 'First day to pull, and what the first sync costs',
    options: [...priced, { value: '', label: 'another day' }],
    initialValue: String(yearAgo),
  };
  const chosen = costs.size === 0 ? '' : answered(await prompts.select(choice));
  const other = (): Promise<string> => ask('First day to pull (YYYY-MM-DD)', startDateRule(today), yearAgo);
  const startDate = toDay(chosen || (await other()));
  prompts.outro('Writing the files.');
  return { answers: { baseUrl, keyVariable, key, startDate }, cost: costs.get(startDate) ?? null };
}

/** What a first sync from each of the days costs; of none, with the reason as a remark, where the key cannot say. */
async function costsOf(days: readonly Day[], answers: Access, context: CommandContext) {
  const { keyVariable, key } = answers;
  const env = key === null ? context.env : { ...context.env, [keyVariable]: key };
  try {
    const text = configText({ ...answers, key: null, startDate: days[0] ?? toDay('2000-01-01') }, '.');
    const config = loadConfig({ path: context.flags.config, text, env });
    context.hide(secretsOf(config));
    const { planStarts } = await import('../run/plan-sync.ts');
    const runContext = await context.runContext(config, 'warn');
    const request = syncRequest({ maxWaitMs: 0 });
    const plans = await planStarts(days, request, { context: runContext, isOffline: false });
    return new Map(plans.map((plan, place) => [days[place] ?? plan.sync_day, costText(plan)]));
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    context.note(`What a sync costs is not known: ${error.message}`);
    return new Map<Day, string>();
  }
}

/** `about 1,500 requests, 2 hours of quota` */
function costText({ requests, hours }: { requests: number; hours: number | null }): string {
  const text = `about ${counted(requests, 'request')}`;
  if (hours === null) return text;
  return `${text}, ${hours <= 1 ? 'less than the quota of an hour' : `${amount(hours)} hours of quota`}`;
}

/** Beside the configuration. */
export const KEY_FILE = 'answerlake.key';

/** Where the API is, and how it is opened. */
interface Access {
  baseUrl: string;
  /** Where the key is, unless it was typed. */
  keyVariable: string;
  /** The key itself, for a file beside the configuration. */
  key: string | null;
}

/** What a new configuration says. */
type InitAnswers = Access & { startDate: Day };

/** A commented configuration: the shipped example with the answers put in. */
function configText(answers: InitAnswers, folder: string): string {
  const reference = answers.key === null ? `env:${answers.keyVariable}` : `file:${KEY_FILE}`;
  return readFileSync(join(PACKAGE_ROOT, 'config', 'example.yaml'), 'utf8')
    .replace(/(?<=^# yaml-language-server: \$schema=)\S+/m, () => schemaPath(folder))
    .replace(/(?<=^ {2}base_url: )\S+/m, () => answers.baseUrl)
    .replace(/(?<=^ {2}- name: )\S+/m, 'main')
    .replace(/(?<=^ {4}api_key: )\S+/m, () => reference)
    .replace(/(?<=^ {2}start_date: )\S+/m, answers.startDate);
}

/** Where editors find the settings, as a URL, which has no blanks: relative where the program lies below the folder, as in node_modules. */
function schemaPath(folder: string): string {
  const path = join(PACKAGE_ROOT, 'config', 'schema.json');
  const below = relative(folder, path);
  return below.startsWith('..') ? pathToFileURL(path).href : `./${encodeURI(below.split(sep).join('/'))}`;
}

/** Writes the configuration and the shipped jobs next to it. @throws AnswerlakeError when it would overwrite */
export function writeInitFiles(configPath: string, answers: InitAnswers) {
  const config = resolve(configPath);
  const jobs = join(dirname(config), 'jobs');
  const keyFile = answers.key === null ? null : join(dirname(config), KEY_FILE);
  if (keyFile !== null && existsSync(keyFile))
    throw usageError(
      `${keyFile} exists already and is never overwritten; nothing was written. Move it away.`,
    );
  mkdirSync(dirname(config), { recursive: true });
  if (keyFile !== null) writeFileSync(keyFile, `${answers.key}\n`, { flag: 'wx', mode: 0o600 });
  writeFileSync(config, configText(answers, dirname(config)), { flag: 'wx' });
  cpSync(join(PACKAGE_ROOT, 'jobs'), jobs, { recursive: true, force: false });
  return { config, keyFile, jobs };
}
