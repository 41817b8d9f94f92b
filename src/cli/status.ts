import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, usageError } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import type { Journal } from '../run/journal.ts';
import type { QueryResult } from '../warehouse/query-result.ts';
import { quoteIdentifier, quoteLiteral, readSql } from '../warehouse/sql.ts';
import { defined, type CommandContext } from './host.ts';
import { chosenRows, leftOut, projectFlag } from './selection-flags.ts';
import { formatJson } from './terminal/result-format.ts';
import type { Config } from '../config/config.ts';
import { postgresRule } from '../config/rules.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { notifyStatePath, readNotifyState, type NotifyState } from '../daemon/notify/decide-notifications.ts';
import { enabledEndpoints } from '../plan/selection.ts';
import type { QueueState } from '../scale/queue/queue-state.ts';
import { readSecret } from '../secret.ts';
import { formatBytes, minuteOf } from '../quantity.ts';
import { ageText, type FileAge, staleWords } from '../warehouse/freshness.ts';

const flagSchema = z.strictObject({ project: projectFlag });

/** Table columns that are not printed. */
export const PIPE_WIDTH = 120;

/** `answerlake status`: how the published file was made; needs no key. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const config = context.loadConfig({ secrets: 'leave' });
  const { path } = config.warehouse;
  const { readJournal } = await import('../run/journal.ts');
  const journal = await readJournal(path);
  requirePublished(path, journal);
  await using file = await context.openPublished(config, { threads: 1 });
  await addJournalTable(file, 'runs', journal.runs);
  await addJournalTable(file, 'quotas', journal.quotas);
  // Computed before the view of this name, which is read four times and takes 20 ms each.
  await file.run('create temp table sync_freshness as from main.sync_freshness');
  await file.run(readSql('status/known-views', { views: quoteLiteral(JSON.stringify(journal.leftOut)) }));
  const left = await leftOut(file, config);
  await file.run(knownFreshness(config, left, context.effects.now()));
  const age = await context.readAge(file, config);
  const chosen = await chosenRows(file, flags.project);
  const rowsOf = async (name: string): Promise<QueryResult> =>
    await file.query(
      readSql(`status/${name}`, { chosen: name.startsWith('gaps') ? `${chosen} and not ${left}` : chosen }),
    );
  const { size: bytes, mtime } = statSync(path);
  const queue = await lookAtQueue(config, context);
  const isStale = age?.isStale === true;
  const { delivery } = readNotifyState(notifyStatePath(path));
  if (context.flags.json) {
    const facts = { exit_code: isStale ? 3 : 0, path, bytes, published_at: mtime.toISOString() };
    const sections: Record<string, unknown> = queue === null ? {} : { queue: queue.json };
    for (const [name] of SECTIONS) sections[name] = objectsOf(await rowsOf(name));
    context.printJson({ ...facts, ...ageJson(age), ...sections, webhook: delivery });
  } else {
    const known = age && `newest answer ${minuteOf(age.newestMs)}, ${ageText(age.ageMs)} ago`;
    const published = `published ${minuteOf(mtime.getTime())}; ${known ?? 'no answer yet'}`;
    context.print(`${path}\n${formatBytes(bytes)}, ${published}`);
    const past = await explainPastDay(file);
    if (past !== null) context.print(past);
    const stale = staleWords(age, '');
    if (stale !== null) context.print(stale);
    const noGaps = (await explainNoGaps(file))?.text;
    for (const [name, title, whenEmpty = name === 'gaps' ? noGaps : undefined] of SECTIONS) {
      const result = await rowsOf(`${name}-short`);
      const said = result.count > 0 ? title : whenEmpty;
      if (said !== undefined) context.print(`\n${said}`);
      if (result.count > 0) context.printTable(result, { nullText: '', hasCounts: true, width: PIPE_WIDTH });
    }
    if (queue !== null) context.print(queue.text);
    if (delivery !== null) context.print(`\nWebhook: ${deliveryText(delivery)}`);
  }
  if (isStale) {
    context.next(
      ['answerlake sync', 'request what is due now'],
      ['answerlake check', 'find out why nothing was loaded'],
    );
    return 3;
  }
  context.next(
    ['answerlake gaps', 'which days are missing, and why'],
    ['answerlake report --open', 'the figures as charts'],
  );
  return 0;
});

/** Runs that have published nothing yet are in the journal. */
function requirePublished(path: string, { runs: [last] }: Journal): void {
  if (existsSync(path) || last === undefined) return;
  const when = minuteOf(Date.parse(last.started_at));
  const end =
    last.finished_at === null
      ? 'has not ended (it is still running, or was killed)'
      : `ended ${last.status}, exit ${last.exit_code}`;
  const why = last.error_message === null ? '' : `: ${last.error_message}`;
  throw usageError(`There is no published file at ${path} yet. The last run (${when}) ${end}${why}`);
}

/** Warns if the newest run used an earlier day as today: a forgotten variable would go unnoticed, because each of its answers is new. */
export async function explainPastDay(file: PublishedFile): Promise<string | null> {
  const sql = 'select sync_day, clock_day from main.sync_settings where sync_day < clock_day';
  const [row] = await file.rowsAs(z.object({ sync_day: z.string(), clock_day: z.string() }), sql);
  if (row === undefined) return null;
  return `The newest run began on ${row.clock_day} and used ${row.sync_day} as today (--today, or ANSWERLAKE_TODAY): it requested no later day.`;
}

/** The fate of the newest message to the webhook. */
function deliveryText({ at, problem, not_before: until }: NonNullable<NotifyState['delivery']>): string {
  const when = minuteOf(Date.parse(at));
  if (problem === null) return `the newest message arrived, ${when}`;
  const wait = until === null ? '' : `, and wants none before ${minuteOf(Date.parse(until))}`;
  return `the newest message did not arrive (${when}): it ${problem}${wait}. Run answerlake check --notify to try again.`;
}

/** The age of the figures, for programs. */
export function ageJson(age: FileAge | null): Record<string, unknown> {
  if (age === null) return { newest_answer_at: null, age_hours: null, is_stale: null, stale: [] };
  const hoursOf = (ms: number): number => Math.round(ms / 36_000) / 100;
  const stale = age.stale.map(({ projectId, project, endpoint, ageMs }) => {
    return { project_id: projectId, project_name: project, endpoint, age_hours: hoursOf(ageMs) };
  });
  const newest = new Date(age.newestMs).toISOString();
  return { newest_answer_at: newest, age_hours: hoursOf(age.ageMs), is_stale: age.isStale, stale };
}

/** Columns whose text is JSON. */
const OBJECTS: readonly string[] = ['selection', 'key'];

/** The rows of a result, for programs. */
export function objectsOf(result: QueryResult): unknown {
  return JSON.parse(formatJson(result), (name, value: unknown): unknown =>
    OBJECTS.includes(name) && typeof value === 'string' ? JSON.parse(value) : value,
  );
}

/** SQL: creates `known_freshness` for the queries of `status`. */
function knownFreshness(config: Config, left: string, now: number): string {
  const { maxAge } = config.freshness;
  const isRegular = ({ askedPer, cut }: Endpoint): boolean => askedPer === 'project' && cut.kind !== 'lookup';
  const names = enabledEndpoints(config)
    .filter(isRegular)
    .map(({ name }) => quoteLiteral(name));
  const fixed = maxAge === null ? 'max_age_hours' : String(maxAge / 3_600_000);
  const asked = { now: String(now), fixed_hours: fixed, endpoints: `[${names.join(', ')}]`, left };
  return readSql('status/known-freshness', asked);
}

/** Creates `known_runs` or `known_quotas` for the queries of `status`, with the columns of `meta.runs` or `meta.quotas`. */
async function addJournalTable(file: PublishedFile, name: string, rows: readonly object[]): Promise<void> {
  const sql = `select json_group_object(column_name, column_type)::varchar from (describe meta.${quoteIdentifier(name)})`;
  const json = [JSON.stringify(rows), `[${(await file.values(z.string(), sql)).join('')}]`].map(quoteLiteral);
  const read = `unnest(from_json(${json.join(', ')}), recursive := true)`;
  await file.run(`create temp table known_${name} as select ${read}`);
}

const noGapsRow = z.object({ text: z.string(), is_known: z.boolean() });

/** The text if there is no gap: without expected days no gap can be known. */
export async function explainNoGaps(file: PublishedFile): Promise<z.output<typeof noGapsRow> | undefined> {
  const [row] = await file.rowsAs(noGapsRow, readSql('status/no-gaps'));
  return row;
}

/**
 * A part of `answerlake status`: its name in JSON, its title for people, and the text in place of an empty table; without a text,
 * the part is left out. Its rows are those of `sql/status/<name>.sql`, for people `<name>-short.sql`.
 */
const SECTIONS: readonly (readonly [name: string, title: string, whenEmpty?: string])[] = [
  ['runs', 'Last runs', 'No run yet.'],
  ['freshness', 'Freshness', 'Nothing was requested yet.'],
  ['silent', 'Without figures, although the server answers'],
  ['quota', 'Hourly quota'],
  ['vanishing', 'Vanishing: one answer lacks these rows, a second one on a later day removes them'],
  ['alarms', 'Alarms: from the day in `known` on, they no longer end a run with 3'],
  ['rejects', 'Refused rows', 'No row was refused.'],
  ['drift', 'Answers that differ from the documented API'],
  ['views', 'Your own views that were left out, and why'],
  ['gaps', 'Gaps, largest first (answerlake gaps lists all)'],
];

/** The state of the queue, for commands that need no key; null if none is configured. */
export async function lookAtQueue({ directory, queue: { url } }: Config, context: CommandContext) {
  if (url === null) return null;
  try {
    const reading = readSecret(url.origin, { env: context.env, directory, rule: postgresRule });
    if ('problem' in reading) throw usageError(`queue.url ${reading.problem}`);
    context.hide([reading.secret]);
    const { queueLines, watchQueue } = await import('../scale/queue/queue-state.ts');
    const state = await watchQueue(reading.secret);
    return { text: `\nQueue: ${queueLines(state).join('\n')}`, json: queueJson(state) };
  } catch (error) {
    const problem = messageOf(error);
    return { text: `\nQueue: ${problem}`, json: { problem } };
  }
}

/** The state of the queue, for programs. */
export function queueJson({ processes, runs, organizations, ...state }: QueueState) {
  const waiting = { dead_letters: state.deadLetters, parts_waiting: state.partsWaiting };
  return { paused: state.isPaused, processes, runs, organizations, ...waiting };
}
