import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { resolve, dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { loadConfig, secretsOf } from '../config/file.ts';
import { baseUrlRule, plainBaseUrl, startDateRule, text, type Rule } from '../config/rules.ts';
import { addDays, dayOf, toDay, type Day } from '../day.ts';
import { isJobFile } from '../daemon/schedule/jobs.ts';
import { AnswerlakeError, usageError, type ExitCode } from '../errors.ts';
import { placeFiles, type NewFile, shortPath, PACKAGE_ROOT } from '../files.ts';
import { amount, counted } from '../quantity.ts';
import { secretReferenceProblem } from '../secret.ts';
import { syncRequest } from '../run/sync-request.ts';
import { checkAll, STEPS_BEFORE_SYNC } from './check.ts';
import { defined, type CommandContext, type NextStep } from './host.ts';
import { dayFlag, valueFlag } from './flags.ts';
import { syncNow } from './sync.ts';
import { pathToFileURL } from 'node:url';

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

/** `answerlake init`: writes a commented configuration and the shipped jobs unless they exist. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const path = resolve(context.flags.config);
  const today = dayOf(context.effects.now());
  const isNew = !isThere(path);
  const hasKey = isThere(join(dirname(path), KEY_FILE));
  const given = Object.keys(flags);
  // With any flag given, the others use good defaults.
  const asks = isNew && context.io.isInteractive && !context.flags.json && given.length === 0;
  const { answers, cost } = asks
    ? await askFor(context, { today, hasKey })
    : { answers: isNew ? answersOf(flags, { today, hasKey }) : null, cost: null };
  const files = writeInitFiles({ path, jobs: jobsDirOf(path, context) }, answers);
  const listed = Object.entries({ 'Written:': files.written, 'Unchanged:': files.left });
  context.printChange(files, () =>
    listed
      .filter(([, paths]) => paths.length > 0)
      .map(([heading, paths]) => [heading, ...paths.map((one) => `  ${shortPath(one)}`)].join('\n'))
      .join('\n'),
  );
  if (!isNew && given.length > 0)
    context.note(
      `${shortPath(path)} exists and is never overwritten, so the flags changed nothing: edit it, or write another one with --config FILE.`,
    );
  const tried = asks && (answers?.key !== null || cost !== null) ? await tryOut(cost, context) : null;
  if (tried === null) context.next(...nextSteps(answers, cost !== null));
  return tried ?? 0;
});

/** Checks the key and, if wanted, runs the first sync; null if not. */
async function tryOut(cost: string | null, context: CommandContext): Promise<ExitCode | null> {
  const { confirm } = await import('@clack/prompts');
  const exitCode = await checkAll(context);
  if (exitCode !== 0) {
    const when = `again, after correcting ${context.flags.config} or ${KEY_FILE} next to it`;
    context.next(['answerlake check', when]);
    return exitCode;
  }
  const message = `Start the first sync now?${cost === null ? '' : ` (${cost})`}`;
  if ((await confirm({ message })) !== true) return null;
  return await syncNow(syncRequest({}), context.loadConfig(), context);
}

function nextSteps(answers: InitAnswers | null, isTried: boolean): NextStep[] {
  const [, variable] = /^env:(.*)/.exec(answers?.keyReference ?? '') ?? [];
  const steps: NextStep[] = [];
  if (!isTried && variable !== undefined) steps.push([`export ${variable}=…`, 'the API key']);
  if (!isTried) steps.push(['answerlake check', 'try key, quota, files and disk']);
  steps.push(...STEPS_BEFORE_SYNC, ['answerlake sync', 'pull everything once']);
  return [...steps, ['answerlake schedule', 'pull by the jobs folder, until stopped']];
}

/** The first day of the month, a year ago. */
function yearBefore(today: Day): Day {
  return toDay(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 7)}-01`);
}

interface Found {
  today: Day;
  /** The key file exists from an earlier start. */
  hasKey: boolean;
}

/** @throws AnswerlakeError 'configuration' */
function answersOf({ baseUrl, keyVariable, startDate }: Flags, { today, hasKey }: Found): InitAnswers {
  if (baseUrl === undefined)
    throw usageError(['--base-url: is missing:', 'add --base-url https://server.example.com']);
  const day = startDate ?? yearBefore(today);
  const problem = startDateRule(today)(day);
  if (problem !== undefined) throw usageError(`--start-date: ${problem}`);
  const keyReference =
    hasKey && keyVariable === undefined ? IN_KEY_FILE : `env:${keyVariable ?? KEY_VARIABLE}`;
  return { baseUrl: plainBaseUrl(baseUrl), keyReference, key: null, startDate: day };
}

/** Prompts on the terminal; the cost of the first sync is null if unknown. @throws AnswerlakeError 'stopped' */
async function askFor(context: CommandContext, { today, hasKey }: Found) {
  const prompts = await import('@clack/prompts');
  /** The typed text; undefined or empty if none. */
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
  if (hasKey) prompts.log.info(`${KEY_FILE} exists already and contains the API key.`);
  const message = 'API key (not shown; leave it empty to name a variable instead)';
  const key = hasKey ? null : answered(await prompts.password({ message })) || null;
  const question = 'Environment variable that holds the API key (its name, not the key)';
  const isInFile = hasKey || key !== null;
  const keyReference = isInFile ? IN_KEY_FILE : `env:${await ask(question, variableRule, KEY_VARIABLE)}`;
  const yearAgo = yearBefore(today);
  const days = [addDays(today, -30), addDays(today, -90), yearAgo];
  const costs = await costsOf(days, { baseUrl, keyReference, key }, context);
  const priced = [...costs].map(([day, cost]) => ({ value: String(day), label: `${day}  ${cost}` }));
  const choice = {
    message: 'First day to pull, with the cost of the first sync',
    options: [...priced, { value: '', label: 'another day' }],
    initialValue: String(yearAgo),
  };
  const chosen = costs.size === 0 ? '' : answered(await prompts.select(choice));
  const other = (): Promise<string> => ask('First day to pull (YYYY-MM-DD)', startDateRule(today), yearAgo);
  const startDate = toDay(chosen || (await other()));
  prompts.outro('Writing the files.');
  return { answers: { baseUrl, keyReference, key, startDate }, cost: costs.get(startDate) ?? null };
}

/** The cost of a first sync from each of the days; empty, with the reason as a remark, if it cannot be planned. */
async function costsOf(days: readonly Day[], answers: Access, context: CommandContext) {
  const { key } = answers;
  // The file of a key that was just typed is not written yet.
  const typed = key === null ? {} : { keyReference: `env:${KEY_VARIABLE}` };
  const env = key === null ? context.env : { ...context.env, [KEY_VARIABLE]: key };
  try {
    const text = configText({ ...answers, ...typed, startDate: days[0] ?? toDay('2000-01-01') }, '.');
    const config = loadConfig({ path: context.flags.config, text, env });
    context.hide(secretsOf(config));
    const { planStarts } = await import('../run/plan-sync.ts');
    const runContext = await context.runContext(config, 'warn');
    const request = syncRequest({ maxWaitMs: 0 });
    const plans = await planStarts(days, request, { context: runContext, isOffline: false });
    return new Map(plans.map((plan, place) => [days[place] ?? plan.sync_day, costText(plan)]));
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    context.note(`The cost of a sync is unknown: ${error.message}`);
    return new Map<Day, string>();
  }
}

/** `about 1,500 requests, 2 hours of quota` */
function costText({ requests, hours }: { requests: number; hours: number | null }): string {
  const text = `about ${counted(requests, 'request')}`;
  if (hours === null) return text;
  return `${text}, ${hours <= 1 ? 'less than the quota of an hour' : `${amount(hours)} hours of quota`}`;
}

/** Next to the configuration. */
export const KEY_FILE = 'answerlake.key';
const IN_KEY_FILE = `file:${KEY_FILE}`;

/** The address of the API, and its key. */
interface Access {
  baseUrl: string;
  /** `env:NAME` or `file:answerlake.key`. */
  keyReference: string;
  /** The key itself if it was typed, for the file next to the configuration. */
  key: string | null;
}

/** The content of a new configuration. */
type InitAnswers = Access & { startDate: Day };

/** A commented configuration: the shipped example with the answers inserted. */
function configText(answers: InitAnswers, folder: string): string {
  return readFileSync(join(PACKAGE_ROOT, 'config', 'example.yaml'), 'utf8')
    .replace(/(?<=^# yaml-language-server: \$schema=)\S+/m, () => schemaPath(folder))
    .replace(/(?<=^ {2}base_url: )\S+/m, () => answers.baseUrl)
    .replace(/(?<=^ {2}- name: )\S+/m, 'main')
    .replace(/(?<=^ {4}api_key: )\S+/m, () => answers.keyReference)
    .replace(/(?<=^ {2}start_date: )\S+/m, answers.startDate);
}

/** The path of the settings' schema for editors, as a URL without blanks: relative if the program lies below the folder, as in node_modules. */
function schemaPath(folder: string): string {
  const path = join(PACKAGE_ROOT, 'config', 'schema.json');
  const below = relative(folder, path);
  return below.startsWith('..') ? pathToFileURL(path).href : `./${encodeURI(below.split(sep).join('/'))}`;
}

/** The jobs folder of an existing configuration; the usual folder if that cannot be read, which `check` explains. */
function jobsDirOf(path: string, context: CommandContext): string {
  try {
    if (isThere(path)) return context.loadConfig({ secrets: 'leave' }).jobsDir;
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
  }
  return join(dirname(path), 'jobs');
}

/** A dangling link exists, too. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Writes missing files (key, configuration, shipped jobs) and leaves existing ones; a failure leaves none half written. */
export function writeInitFiles(
  { path: config, jobs }: Record<'path' | 'jobs', string>,
  answers: InitAnswers | null,
) {
  const shipped = join(PACKAGE_ROOT, 'jobs');
  const hasJobs = existsSync(jobs) && readdirSync(jobs).some(isJobFile);
  const jobFiles = readdirSync(shipped).map((name) => {
    return { path: join(jobs, name), content: readFileSync(join(shipped, name)) };
  });
  const folder = dirname(config);
  const keyFile = answers?.keyReference === IN_KEY_FILE ? join(folder, KEY_FILE) : null;
  const key = answers?.key ?? null;
  // The configuration comes last, because it names the other files.
  const parts: [part: string | null, files: NewFile[]][] = [
    [keyFile, keyFile === null || key === null ? [] : [{ path: keyFile, content: `${key}\n`, mode: 0o600 }]],
    [jobs, hasJobs ? [] : jobFiles],
    [config, answers === null ? [] : [{ path: config, content: configText(answers, folder) }]],
  ];
  placeFiles(parts.flatMap(([, files]) => files));
  const partsThat = (areNew: boolean): string[] =>
    parts.flatMap(([part, files]) => (part !== null && files.length > 0 === areNew ? [part] : []));
  return { config, key_file: keyFile, jobs, written: partsThat(true), left: partsThat(false) };
}
