import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { dayNumber, dayOf, isDay } from '../day.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { NIGHTS_OF_ALARM } from '../run/refused-filters.ts';
import type { CommandContext } from './context.ts';
import { lookAtQueue, queueJson } from './queue-access.ts';
import { amount } from './terminal/amount.ts';

/** One part of `answerlake status` (`known_runs`, `known_quotas`: see `status.ts`): its name in JSON, its title for people and the two queries behind. */
export interface StatusSection {
  name: string;
  title: string;
  /** Shown instead of an empty table; the part is left out when null. */
  whenEmpty: string | null;
  /** Gives the text in place of `whenEmpty`. */
  emptySql?: string;
  /** Every row, for programs. */
  sql: string;
  /** What fits into a terminal; the same as `sql` when left out. */
  shortSql?: string;
}

/** What to say where there is no gap: without expected days none can be known. */
export const NO_GAPS_SQL = `
select case when count(*) = 0 then 'Gaps are not known: no sync has got as far as planning its days.'
  else 'No gaps: every expected day is covered.' end as text, count(*) > 0 as is_known
from meta.expected_series`;

const PROJECT = `coalesce(nullif(p.name, ''), x.project_id, '(all)') as project`;

export const STATUS_SECTIONS: readonly StatusSection[] = [
  {
    name: 'runs',
    title: 'Last runs',
    whenEmpty: 'No run yet.',
    sql: 'select * from known_runs order by started_at desc limit 20',
    shortSql: `
select strftime(started_at, '%m-%d %H:%M') as started, coalesce(job, 'by hand') as job, status,
  exit_code as exit, requests as asked, rows_inserted as new, rows_updated as changed,
  slices_failed as failed
from known_runs order by started_at desc limit 5`,
  },
  {
    name: 'freshness',
    title: 'Freshness',
    whenEmpty: 'Nothing was asked yet.',
    sql: 'select * from main.sync_freshness order by project_id, endpoint',
    shortSql: `
select coalesce(nullif(any_value(project_name), ''), project_id, '(all)') as project, status, count(*) as count,
  min(last_covered_date) as covered_to, max(lag_days) as lag,
  string_agg(endpoint, ', ' order by endpoint) filter (status <> 'current') as which
from main.sync_freshness group by project_id, status order by 1, project_id, 2`,
  },
  {
    name: 'unreached',
    title: 'Projects that no configured key reaches any more (their rows are kept)',
    whenEmpty: null,
    sql: `
select x.project_id, p.name as project_name, x.first_missed, x.last_missed, x.nights
from meta.unreached_projects x left join core.projects p using (project_id) order by 1`,
    shortSql: `
select ${PROJECT}, x.first_missed as since, x.nights
from meta.unreached_projects x left join core.projects p using (project_id) order by 1`,
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
    sql: 'select * from meta.vanishing order by table_name, project_id, key',
    shortSql: `
select ${PROJECT}, x.table_name as "table", x.change, count(*) as rows, min(x.date) as first, max(x.date) as last,
  max(x.witnessed_on) as since
from meta.vanishing x left join core.projects p using (project_id) group by 1, 2, 3 order by 1, 2, 3 limit 10`,
  },
  {
    name: 'filters_let_go',
    title: 'Filters let go: the server refused them on three days',
    whenEmpty: null,
    sql: `select * from meta.refused_filters where nights >= ${String(NIGHTS_OF_ALARM)} order by project_id, endpoint, scope, scope_id`,
    shortSql: `
select ${PROJECT}, x.endpoint, x.scope, x.scope_id as value, x.first_refused as since, x.error_message as answer
from meta.refused_filters x left join core.projects p using (project_id)
where x.nights >= ${String(NIGHTS_OF_ALARM)} order by 1, 2, 3, 4 limit 10`,
  },
  {
    name: 'rejects',
    title: 'Refused rows',
    whenEmpty: 'No row was refused.',
    sql: `
select endpoint, project_id, path, reason, count(*) as rows, max(rejected_at) as last_rejected_at
from meta.rejects where replayed_at is null group by all order by rows desc, endpoint`,
    shortSql: `
select endpoint, reason, count(*) as rows, max(cast(rejected_at as date)) as last
from meta.rejects where replayed_at is null group by all order by rows desc, endpoint limit 10`,
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
    name: 'suspicious',
    title: 'Suspicious: the answer lacks more than half of what is known',
    whenEmpty: null,
    sql: `select * from meta.slices where status = 'suspicious' order by endpoint, project_id, window_start`,
    shortSql: `
select ${PROJECT}, x.endpoint, x.window_start as first, x.window_end as last, x.rows_received as received
from meta.slices x left join core.projects p using (project_id)
where x.status = 'suspicious' order by 1, 2, 3 limit 10`,
  },
  {
    name: 'gaps',
    title: 'Gaps, largest first (answerlake gaps lists all)',
    whenEmpty: null,
    emptySql: NO_GAPS_SQL,
    sql: `
select project_id, endpoint, count(*) as gaps, min(date) as first, max(date) as last
from main.sync_gaps group by all order by 1, 2`,
    shortSql: `
select coalesce(nullif(any_value(project_name), ''), project_id) as project, endpoint, count(*) as gaps,
  min(date) as first, max(date) as last
from main.sync_gaps group by project_id, endpoint order by gaps desc, project, project_id, endpoint limit 10`,
  },
];

const settingsRow = z.object({ day: z.string().nullable() });
/** Of the night before the last, a night that is still to come can have been the next. */
const USUAL_DAYS = 1;

/** What the views cannot know: how long ago the newest sync was. Empty while that is usual. */
export async function staleNotes(file: PublishedFile, now: number): Promise<string[]> {
  const [settings] = await file.rowsAs(
    settingsRow,
    'select cast(sync_day as varchar) as day from main.sync_settings',
  );
  const day = settings?.day ?? '';
  if (!isDay(day)) return [];
  const days = dayNumber(dayOf(now)) - dayNumber(day);
  if (days <= USUAL_DAYS) return [];
  return [`The newest sync was for ${day}, ${amount(days)} days ago: later days are no gaps yet.`];
}

/** What the queue does, as lines for people; none where no queue is configured. */
export async function queueNotes(config: Config, context: CommandContext): Promise<string[]> {
  const seen = await lookAtQueue(config, context);
  if (seen === null) return [];
  if ('problem' in seen) return ['', `Queue: ${seen.problem}`];
  const { queueLines } = await import('../scale/queue/queue-state.ts');
  const [first = '', ...rest] = queueLines(seen.state);
  return ['', `Queue: ${first}`, ...rest];
}

/** The same for programs. */
export async function queuePart(config: Config, context: CommandContext): Promise<{ queue?: unknown }> {
  const seen = await lookAtQueue(config, context);
  if (seen === null) return {};
  return { queue: 'problem' in seen ? seen : queueJson(seen.state) };
}
