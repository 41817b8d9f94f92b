import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { messageOf, usageError } from '../errors.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import type { Journal } from '../run/journal.ts';
import type { QueryResult } from '../warehouse/query-result.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import type { CommandContext, CommandHost } from './host.ts';
import { chooseProject, projectFlag } from './project-flag.ts';
import { terminalWidth } from './terminal/io.ts';
import { formatJson, formatResultTable } from './terminal/result-format.ts';
import type { Config } from '../config/config.ts';
import { enabledEndpoints } from '../plan/selection.ts';
import type { QueueState } from '../scale/queue/queue-state.ts';
import { readSecret } from '../secret.ts';
import { formatBytes } from '../text.ts';
import { ageText, type FileAge, minuteOf, readAge, staleWords } from '../warehouse/freshness.ts';

const HELP = `  $ answerlake status
  $ answerlake status --project "Fernhill Coffee" --json`;

const flagSchema = z.strictObject({ project: projectFlag });

/** `answerlake status`: what the published file says of its own making; needs no key. */
export function define(command: Command, host: CommandHost): void {
  host.handle({ command, flags: flagSchema, help: HELP }, async (context, flags) => {
    const config = context.loadConfig({ secrets: 'leave' });
    const { path } = config.warehouse;
    const { readJournal } = await import('../run/journal.ts');
    const journal = await readJournal(path);
    requirePublished(path, journal);
    const { openPublishedFile } = await import('../publish/published-file.ts');
    await using file = await openPublishedFile(path, { signal: context.signal, threads: 1 });
    await addJournalTable(file, 'runs', journal.runs);
    await addJournalTable(file, 'quotas', journal.quotas);
    const now = context.effects.now();
    const { maxAge: maxAgeMs } = config.freshness;
    await addKnownFreshness(file, config, now);
    const project = await chooseProject(file, flags.project);
    const age = await readAge(file, { now, maxAgeMs });
    // Runs, quota and drift are of no project.
    const isChosen = project === null ? 'true' : `project_id = ${quoteLiteral(project.id)}`;
    const sections = STATUS_SECTIONS.map(({ sql, shortSql = sql, ...section }) => ({
      ...section,
      sql: sql.replaceAll('{{chosen}}', () => isChosen),
      shortSql: shortSql.replaceAll('{{chosen}}', () => isChosen),
    }));
    try {
      await (context.flags.json ? writeJson : printSections)({ file, sections, config, context, age });
    } catch (error) {
      const { explainOutdatedViews } = await import('../warehouse/failure.ts');
      throw explainOutdatedViews(error);
    }
    if (age?.isStale === true) {
      context.next(
        ['answerlake sync', 'ask for what is due now'],
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
}

/** Runs that published nothing yet have left their word in the journal. */
function requirePublished(path: string, { runs: [last] }: Journal): void {
  if (existsSync(path) || last === undefined) return;
  const when = last.started_at.slice(0, 16).replace('T', ' ');
  const end = last.finished_at === null ? 'is under way' : `ended ${last.status}, exit ${last.exit_code}`;
  const why = last.error_message === null ? '' : `: ${last.error_message}`;
  throw usageError(`There is no published file at ${path} yet. The last run (${when} UTC) ${end}${why}`);
}

/** The published file, and what is to be said of it. */
interface Shown {
  file: PublishedFile;
  sections: readonly StatusSection[];
  config: Config;
  context: CommandContext;
  age: FileAge | null;
}

async function writeJson({ file, sections: asked, config, context, age }: Shown): Promise<void> {
  const { path } = config.warehouse;
  const { size: bytes, mtime } = statSync(path);
  const queue = await lookAtQueue(config, context);
  const sections: Record<string, unknown> = {};
  for (const { name, sql } of asked) sections[name] = objectsOf(await file.query(sql));
  const isStale = age?.isStale === true;
  const head = {
    ok: !isStale,
    exit_code: isStale ? 3 : 0,
    path,
    bytes,
    published_at: mtime.toISOString(),
    ...ageJson(age),
  };
  context.printJson({ ...head, ...(queue === null ? {} : { queue: queue.json }), ...sections });
}

/** The age of the figures, for programs. */
export function ageJson(age: FileAge | null): Record<string, unknown> {
  if (age === null) return { newest_answer_at: null, age_hours: null, is_stale: null, stale: [] };
  return {
    newest_answer_at: new Date(age.newestMs).toISOString(),
    age_hours: hoursOf(age.ageMs),
    is_stale: age.isStale,
    stale: age.stale.map(({ projectId, project, endpoint, ageMs }) => ({
      project_id: projectId,
      project_name: project,
      endpoint,
      age_hours: hoursOf(ageMs),
    })),
  };
}

function hoursOf(ms: number): number {
  return Math.round(ms / 36_000) / 100;
}

/** Columns whose text is JSON. */
const OBJECTS: readonly string[] = ['selection', 'key'];

/** The rows of a result, for programs. */
export function objectsOf(result: QueryResult): unknown {
  return JSON.parse(formatJson(result), (name, value: unknown): unknown =>
    OBJECTS.includes(name) && typeof value === 'string' ? JSON.parse(value) : value,
  );
}

async function printSections({ file, sections, config, context, age }: Shown): Promise<void> {
  const { path } = config.warehouse;
  const { size, mtimeMs } = statSync(path);
  const newest =
    age === null ? 'no answer yet' : `newest answer ${minuteOf(age.newestMs)}, ${ageText(age.ageMs)} ago`;
  context.print(`${path}\n${formatBytes(size)}, published ${minuteOf(mtimeMs)}; ${newest}`);
  const stale = age === null ? null : staleWords(age);
  if (stale !== null) context.print(stale.replace('; see answerlake status', ''));
  for (const section of sections) await printSection(section, file, context);
  const queue = await lookAtQueue(config, context);
  if (queue !== null) context.print(queue.text);
}

async function printSection(
  { name, title, whenEmpty, sql, shortSql }: StatusSection,
  file: PublishedFile,
  context: CommandContext,
): Promise<void> {
  const result = await file.query(shortSql ?? sql);
  if (result.count > 0) {
    context.print(`\n${title}`);
    const { stdout } = context.io;
    stdout.write(formatResultTable(result, { nullText: '', width: terminalWidth(stdout), hasCounts: true }));
    return;
  }
  const text = name === 'gaps' ? (await explainNoGaps(file))?.text : whenEmpty;
  if (typeof text === 'string') context.print(`\n${text}`);
}

/** Makes `known_freshness`, by our clock and today's configuration: an endpoint that it enables and that no run asked is no less missing. */
async function addKnownFreshness(file: PublishedFile, config: Config, now: number): Promise<void> {
  const { maxAge } = config.freshness;
  const limit =
    maxAge === null
      ? 'max_age_hours'
      : `case when max_age_hours is not null then ${String(maxAge / 3_600_000)} end`;
  const names = enabledEndpoints(config)
    .filter(({ askedPer, cut }) => askedPer === 'project' && cut.kind !== 'lookup')
    .map(({ name }) => quoteLiteral(name));
  await file.run(
    `create temp table known_freshness as
     select * exclude (hours, most) replace (
       round(hours, 2) as age_hours, most as max_age_hours, hours > most as is_stale,
       case when status not in ('current', 'behind', 'stale') then status when hours > most then 'stale' when lag_days > 1 then 'behind' else 'current' end as status)
     from (select *, (${String(now)} - epoch_ms(last_success_at)) / 3600000.0 as hours, cast(${limit} as double) as most from main.sync_freshness)
     union all by name
     select p.project_id, p.project_name, e.endpoint, 'never_asked' as status
     from (select distinct project_id, project_name from main.sync_freshness where project_id is not null) p, (select unnest([${names.join(', ')}]) as endpoint) e
     where not exists (from main.sync_freshness f where f.project_id = p.project_id and f.endpoint = e.endpoint)`,
  );
}

/** Makes `known_runs` or `known_quotas` for the queries of `status`, with the columns of `meta.runs` or `meta.quotas`. */
async function addJournalTable(file: PublishedFile, name: string, rows: readonly object[]): Promise<void> {
  const described = await file.rowsAs(
    z.object({ column_name: z.string(), column_type: z.string() }),
    `select column_name, column_type from (describe meta.${quoteIdentifier(name)})`,
  );
  const types = Object.fromEntries(described.map(({ column_name: name, column_type: type }) => [name, type]));
  const known = quoteLiteral(JSON.stringify(rows));
  const shape = quoteLiteral(JSON.stringify([types]));
  await file.run(
    `create temp table known_${name} as select unnest(from_json(${known}, ${shape}), recursive := true)`,
  );
}

/** One part of `answerlake status`: its name in JSON, its title for people, and its two queries. */
interface StatusSection {
  name: string;
  title: string;
  /** Shown instead of an empty table; the part is left out when null. */
  whenEmpty: string | null;
  /** Every row, for programs. */
  sql: string;
  /** What fits into a terminal; the same as `sql` when left out. */
  shortSql?: string;
}

const noGapsRow = z.object({ text: z.string(), is_known: z.boolean() });

/** What to say where there is no gap: without expected days none can be known. */
export async function explainNoGaps(file: PublishedFile): Promise<z.output<typeof noGapsRow> | undefined> {
  const [row] = await file.rowsAs(
    noGapsRow,
    `select case when is_known then 'No gaps' || coalesce(' before ' || (select sync_day from main.sync_settings), '') || ': every expected day is covered.'
       else 'Gaps are not known: no sync has got as far as planning its days.' end as text, is_known
     from (select exists (from meta.expected_series) or exists (from meta.slices where window_kind is not null) as is_known)`,
  );
  return row;
}

const PROJECT = `coalesce(nullif(p.name, ''), x.project_id, '(all)') as project`;

/** `9 h`, `4 d`: what is looked up once only counts where nothing else does. */
const ageColumn = (hours: string): string =>
  `case when ${hours} >= 48 then cast(floor(${hours} / 24) as bigint) || ' d' else cast(floor(${hours}) as bigint) || ' h' end`;

const STATUS_SECTIONS: readonly StatusSection[] = [
  {
    name: 'runs',
    title: 'Last runs',
    whenEmpty: 'No run yet.',
    sql: 'select * from known_runs order by started_at desc limit 20',
    shortSql: `
select strftime(started_at, '%m-%d %H:%M') as started,
  case when is_rebuilt then '' else coalesce(job, 'by hand') end as job,
  case when is_rebuilt then concat_ws(': ', status, error_message) else status end as status,
  exit_code as exit, requests as asked, rows_inserted as new, rows_updated as changed,
  slices_failed as failed
from (select *, finished_at is not null and exit_code is null as is_rebuilt from known_runs)
order by started_at desc limit 5`,
  },
  {
    name: 'freshness',
    title: 'Freshness',
    whenEmpty: 'Nothing was asked yet.',
    sql: 'select * from known_freshness where {{chosen}} order by project_id, endpoint',
    shortSql: `
select coalesce(nullif(any_value(project_name), ''), project_id, '(all)') as project, replace(status, '_', ' ') as status,
  count(*) || ' of ' || sum(count(*)) over (partition by project_id) as endpoints,
  min(last_covered_date) as covered_to, ${ageColumn('coalesce(max(age_hours) filter (max_age_hours is not null), max(age_hours))')} as age,
  string_agg(endpoint, ', ' order by endpoint) filter (status <> 'current') as which
from known_freshness where {{chosen}} group by project_id, status order by 1, project_id, 2`,
  },
  {
    name: 'quota',
    title: 'Hourly quota',
    whenEmpty: null,
    sql: 'select * from known_quotas order by base_url, organization_id',
    shortSql: `
select coalesce(o.name, x.organization_id) as organization, x.quota_limit as "limit",
  x.quota_remaining as remaining, strftime(x.quota_reset_at, '%Y-%m-%d %H:%M') as resets
from known_quotas x left join core.organizations o using (organization_id)
where x.base_url = (select value from meta.settings where name = 'base_url')
order by 1`,
  },
  {
    name: 'vanishing',
    title: 'Vanishing: one answer lacks these rows, a second one on a later day removes them',
    whenEmpty: null,
    sql: 'select * from meta.vanishing where {{chosen}} order by table_name, project_id, key',
    shortSql: `
select ${PROJECT}, x.table_name as "table", x.change, count(*) as rows, min(x.date) as first, max(x.date) as last,
  max(x.witnessed_on) as since
from meta.vanishing x left join core.projects p using (project_id) where {{chosen}} group by 1, 2, 3 order by 1, 2, 3 limit 10`,
  },
  {
    name: 'alarms',
    title: 'Known to be wrong, or on its way to be',
    whenEmpty: null,
    sql: 'select * from meta.alarms where {{chosen}} order by project_id, endpoint, scope, scope_id, reason',
    shortSql: `
select ${PROJECT}, x.endpoint, concat_ws(' ', nullif(x.scope, 'project'), case x.scope when 'project' then null else nullif(x.scope_id, '') end,
    x.grain, x.window_kind) as what, x.reason, x.first_on as since, x.days, x.known_since as known, x.message
from meta.alarms x left join core.projects p using (project_id) where {{chosen}} order by 1, 2, 3, 4 limit 10`,
  },
  {
    name: 'rejects',
    title: 'Refused rows',
    whenEmpty: 'No row was refused.',
    sql: `
select endpoint, project_id, path, reason, count(*) as rows, max(rejected_at) as last_rejected_at
from meta.rejects where {{chosen}} group by all order by rows desc, endpoint`,
    shortSql: `
select endpoint, reason, count(*) as rows, max(cast(rejected_at as date)) as last
from meta.rejects where {{chosen}} group by all order by rows desc, endpoint limit 10`,
  },
  {
    name: 'drift',
    title: 'Answers that differ from the described interface',
    whenEmpty: null,
    sql: 'select * from meta.drift order by endpoint, path, kind',
    shortSql: `
select endpoint, path, kind, sample, cast(last_seen as date) as last_seen
from meta.drift order by last_seen desc, endpoint, path limit 10`,
  },
  {
    name: 'gaps',
    title: 'Gaps, largest first (answerlake gaps lists all)',
    whenEmpty: null,
    sql: `
select project_id, endpoint, count(*) as gaps, min(date) as first, max(date) as last
from detail.sync_gaps where status <> 'known' and {{chosen}} group by all order by 1, 2`,
    shortSql: `
select coalesce(nullif(any_value(project_name), ''), project_id) as project, endpoint, count(*) as gaps,
  min(date) as first, max(date) as last
from detail.sync_gaps where status <> 'known' and {{chosen}} group by project_id, endpoint order by gaps desc, project, project_id, endpoint limit 10`,
  },
];

/** What the queue does, for commands that need no key; null where none is configured. */
export async function lookAtQueue(
  { directory, queue: { url } }: Config,
  context: CommandContext,
): Promise<{ text: string; json: unknown } | null> {
  if (url === null) return null;
  try {
    const reading = readSecret(url.origin, { env: context.env, directory });
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
export function queueJson(state: QueueState): Record<string, unknown> {
  return {
    paused: state.isPaused,
    processes: state.processes,
    runs: state.runs,
    organizations: state.organizations,
    dead_letters: state.deadLetters,
    parts_waiting: state.partsWaiting,
  };
}
