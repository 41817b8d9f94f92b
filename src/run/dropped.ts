import { z } from 'zod';
import type { Day } from '../day.ts';
import { seriesKey, TARGET_AS_ROW, TARGET_COLUMNS, targetRow, type SliceTarget } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame } from '../warehouse/sql.ts';
import { HAS_REPLY } from '../believe/terms.ts';
import type { Reached } from '../extract/reach-projects.ts';
import { AnswerlakeError } from '../errors.ts';
import type { Problem } from './outcome.ts';
import type { Config } from '../config/config.ts';

/** Sync days on which a lost project or a refused filter makes the run partial; after them it is only shown. */
export const NIGHTS_OF_ALARM = 3;

/** Statuses that refuse a filter. */
export const REFUSING: readonly (number | null)[] = [400, 404];

/** Whether a list names the value of a filter now. */
const IS_LISTED = `(
  exists (from core.models m where f.scope = 'model' and m.model_id = f.scope_id and m.deprecated is distinct from true)
  or exists (from core.prompts p where p.project_id = f.project_id and p.removed_at is null
    and f.scope_id = case f.scope when 'monitor' then p.monitor_id when 'prompt' then p.prompt_id end))`;

/** Whether a row of `meta.refused_filters` is dropped; `$1` is the sync day. On the third day the filter is still asked. */
const IS_DROPPED = `(nights > ${String(NIGHTS_OF_ALARM)} or (nights = ${String(NIGHTS_OF_ALARM)} and last_refused < cast($1 as date)))`;

/** The filters that are not asked any more. One that a list names again, after it did not, is tried again. */
export async function droppedFilters(
  connection: Connection,
  syncDay: Day,
): Promise<(target: SliceTarget) => boolean> {
  const listed = `select f.*, ${IS_LISTED} as is_now from meta.refused_filters f`;
  const same = haveSame(TARGET_COLUMNS, 't', 'n');
  await connection.run(
    `delete from meta.refused_filters t using (${listed}) n where ${same} and n.is_now and not n.is_listed`,
  );
  await connection.run(
    `update meta.refused_filters t set is_listed = n.is_now from (${listed}) n where ${same} and t.is_listed is distinct from n.is_now`,
  );
  const rows = await connection.rowsAs(
    targetRow,
    `select ${TARGET_AS_ROW} from meta.refused_filters where ${IS_DROPPED}`,
    [syncDay],
  );
  const dropped = new Set(rows.map(filterKey));
  return (target) => dropped.has(filterKey(target));
}

/** Stops expecting the series of dropped filters: their days are no gaps. */
export async function expectNoDropped(connection: Connection, syncDay: Day): Promise<void> {
  await connection.run(
    `delete from meta.expected_series e using meta.refused_filters f where ${IS_DROPPED} and ${haveSame(TARGET_COLUMNS, 'e', 'f')}`,
    [syncDay],
  );
}

function filterKey(target: SliceTarget): string {
  return seriesKey({ ...target, grain: null });
}

/**
 * Enters the filters that the server refused in this run, and removes those that it answered. A refusal without a filter says
 * nothing about filters. Returns whether it removed any.
 */
export async function noteRefusedFilters(
  connection: Connection,
  { runId, syncDay }: { runId: string; syncDay: Day },
): Promise<boolean> {
  const asked = `select ${TARGET_COLUMNS.join(', ')},
      bool_or(${HAS_REPLY}) as is_answered,
      bool_or(status = 'failed' and http_status in (${REFUSING.join(', ')})) as is_refused, any_value(error_message) as error_message
    from meta.slices where run_id = $1 group by all`;
  const same = haveSame(TARGET_COLUMNS, 'f', 'a');
  const answered = await connection.run(
    `delete from meta.refused_filters f using (${asked}) a where ${same} and a.is_answered`,
    [runId],
  );
  await connection.run(
    `merge into meta.refused_filters f using (
       select a.* from (${asked}) a where a.scope <> 'project' and a.is_refused and not a.is_answered
         and not exists (from (${asked}) p where p.endpoint = a.endpoint and p.project_id = a.project_id and p.scope = 'project' and p.is_refused)
     ) a on ${same}
     when matched and f.last_refused < cast($2 as date)
       then update set nights = nights + 1, last_refused = cast($2 as date), error_message = a.error_message
     when not matched then insert (endpoint, project_id, scope, scope_id, first_refused, last_refused, nights, is_listed, error_message)
       values (a.endpoint, a.project_id, a.scope, a.scope_id, cast($2 as date), cast($2 as date), 1, false, a.error_message)`,
    [runId, syncDay],
  );
  await connection.run(
    `update meta.refused_filters f set is_listed = ${IS_LISTED} where last_refused = cast($1 as date) and nights = 1`,
    [syncDay],
  );
  return answered > 0;
}

const missedRow = z.object({
  id: z.string(),
  name: z.string().nullable(),
  since: z.string(),
  nights: z.number(),
});
type MissedRow = z.output<typeof missedRow>;

/** Enters which projects of earlier runs no key reaches any more; their rows are kept. */
export async function noteUnreached(
  {
    connection,
    config,
    run,
    request: { projects: wanted },
  }: {
    connection: Connection;
    config: Pick<Config, 'accounts'>;
    run: { syncDay: Day };
    request: { projects: readonly string[] | null };
  },
  { projects, listed }: Pick<Reached, 'projects' | 'listed'>,
): Promise<{ problems: Problem[]; warnings: string[] }> {
  const isAll = config.accounts.some((account) => account.projects === 'all');
  const named = config.accounts.flatMap((account) => (account.projects === 'all' ? [] : account.projects));
  // The days of a project that the configuration leaves out are no gaps: they are not wanted.
  await connection.run(
    'delete from meta.expected_series where not ($1 or project_id in (select unnest($2::varchar[])))',
    [isAll, named],
  );
  // Only a run of everything whose keys all answered can tell that a project is gone.
  if (wanted !== null || listed === null || projects.length === 0) return { problems: [], warnings: [] };
  const reached = [...new Set([...listed, ...projects.map(({ projectId }) => projectId)])];
  await connection.run(
    `delete from meta.unreached_projects
     where project_id in (select unnest($1::varchar[])) or not ($2 or project_id in (select unnest($3::varchar[])))`,
    [reached, isAll, named],
  );
  await connection.run(
    `update meta.unreached_projects set nights = nights + 1, last_missed = cast($1 as date)
     where last_missed < cast($1 as date)`,
    [run.syncDay],
  );
  await connection.run(
    `insert into meta.unreached_projects (project_id, first_missed, last_missed, nights)
     select distinct project_id, cast($1 as date), cast($1 as date), 1 from meta.expected_series
     where project_id not in (select unnest($2::varchar[])) and ($3 or project_id in (select unnest($4::varchar[])))
       and project_id not in (select project_id from meta.unreached_projects)`,
    [run.syncDay, reached, isAll, named],
  );
  const missed = await connection.rowsAs(
    missedRow,
    `select u.project_id as id, p.name, cast(u.first_missed as varchar) as since, u.nights
     from meta.unreached_projects u left join core.projects p using (project_id) order by 1`,
  );
  const kept = missed.filter(({ nights }) => nights > NIGHTS_OF_ALARM);
  // Its days are no gaps any more: they cannot be filled.
  await connection.run(
    'delete from meta.expected_series where project_id in (select unnest($1::varchar[]))',
    [kept.map(({ id }) => id)],
  );
  return {
    problems: missed.filter((row) => !kept.includes(row)).map(lost),
    warnings: kept.map((row) => `${unreachedText(row)}; what is stored of it is kept as it was`),
  };
}

function lost(row: MissedRow): Problem {
  const error = new AnswerlakeError(
    `${unreachedText(row)} (night ${String(row.nights)} of ${String(NIGHTS_OF_ALARM)} that end with 3); give a key access to it, or name the projects in accounts[].projects`,
    { class: 'contract', scope: 'project' },
  );
  return { error, projectId: row.id };
}

function unreachedText({ id, name, since }: MissedRow): string {
  return `project ${name ?? 'without a name'} (${id}) was reached before, and no configured key has reached it since ${since}`;
}
