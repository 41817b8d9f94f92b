import { z } from 'zod';
import { isQuiet } from '../believe/alarms.ts';
import { askedEndSql, finalAfterDays, IS_ANSWERED } from '../believe/terms.ts';
import { GRAINS, daySchema, type DayRange } from '../day.ts';
import type { Asks, Coverage, CoverageQuestion, Kind } from '../plan/coverage.ts';
import { SCOPES, type SeriesKey, seriesKey, sliceKey, WINDOW_KINDS, windowKey } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame } from '../warehouse/sql.ts';

const answeredRow = z.object({
  endpoint: z.string(),
  projectId: z.string(),
  scope: z.enum(SCOPES),
  scopeId: z.string(),
  grain: z.enum(GRAINS).nullable(),
  windowKind: z.enum(WINDOW_KINDS).nullable(),
});
const spanRow = answeredRow.extend({ start: daySchema, end: daySchema, isSettled: z.boolean() });
const chainRow = answeredRow.extend({ start: daySchema.nullable(), end: daySchema.nullable() });
const refusedRow = answeredRow.extend({ days: z.number(), lastOn: daySchema, askedOn: daySchema });

/** `answeredRow` as columns of a query. */
const ANSWERED =
  'endpoint, project_id as "projectId", scope, scope_id as "scopeId", grain, window_kind as "windowKind"';

/** Reads what is known once, and answers from memory. */
export async function readCoverage(connection: Connection, question: CoverageQuestion): Promise<Coverage> {
  const { today, chain, chainOnly } = question;
  await writeAskedToday(connection, question);
  const settled = new Map<string, DayRange[]>();
  const unconfirmed = new Map<string, DayRange[]>();
  const settledWindows = new Set<string>();
  const lists = new Set<string>();
  const refused = new Map<string, Asks>();
  const settle = (answered: SeriesKey & Kind, range: DayRange): void => {
    const { windowKind } = answered;
    if (windowKind === null) add(settled, kindKey(answered), range);
    else settledWindows.add(windowKey(answered, windowKind, range.start));
  };
  if (!chainOnly) {
    for (const sql of [ranges(question), windows(question)])
      for (const { start, end, isSettled, ...answered } of await connection.rowsAs(spanRow, sql)) {
        if (isSettled) settle(answered, { start, end });
        else add(unconfirmed, kindKey(answered), { start, end });
      }
    for (const { days, lastOn, askedOn, ...answered } of await connection.rowsAs(refusedRow, REFUSED))
      refused.set(kindKey(answered), isQuiet({ days, lastOn, askedOn }, today) ? 'nothing' : 'newest');
  }
  // What a run of the chain has asked today is not asked again by its continuation.
  if (chain.length > 0) {
    const loaded = await connection.rowsAs(
      chainRow,
      `select ${ANSWERED}, window_start as start, window_end as "end" from meta.slices
       where run_id in (select unnest($1::varchar[])) and ${IS_ANSWERED} and (error_class is null or window_kind is null and window_start is not null)
         and (sync_day = cast($2 as date) or $3 and window_start is not null)`,
      [chain, today, chainOnly],
    );
    for (const { start, end, ...answered } of loaded) {
      if (start !== null && end !== null) settle(answered, { start, end });
      else lists.add(seriesKey(answered));
    }
  }
  return {
    settled: (series) => settled.get(kindKey({ ...series, windowKind: null })) ?? [],
    unconfirmed: (series) => unconfirmed.get(kindKey({ ...series, windowKind: null })) ?? [],
    isWindowSettled: (target, kind, start) => settledWindows.has(windowKey(target, kind, start)),
    unconfirmedWindows: (target, windowKind) =>
      (unconfirmed.get(kindKey({ ...target, grain: null, windowKind })) ?? []).map(({ start }) => start),
    isListLoaded: (list) => lists.has(sliceKey(list)),
    asks: (target, kind) => refused.get(kindKey({ ...target, ...kind })) ?? 'all',
  };
}

function add(to: Map<string, DayRange[]>, key: string, range: DayRange): void {
  const list = to.get(key);
  if (list === undefined) to.set(key, [range]);
  else list.push(range);
}

function kindKey({ windowKind, ...series }: SeriesKey & Kind): string {
  return `${seriesKey(series)} ${windowKind ?? ''}`;
}

async function writeAskedToday(connection: Connection, { asked }: CoverageQuestion): Promise<void> {
  await connection.run(
    `create or replace temp table asked_today as
     select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with, try_cast(unnest($3::varchar[]) as integer) as asked_limit`,
    [
      asked.map(({ endpoint }) => endpoint),
      asked.map(({ askedWith }) => askedWith),
      asked.map(({ limit }) => String(limit)),
    ],
  );
}

/** A server may begin its weeks on Sunday: such a week is over up to six days after the week that holds its first day. */
const SUNDAY_WEEK = "case x.grain when 'week' then 6 else 0 end";

/** The days and windows of today's settings with what is still open of them; no answer of a clock that was ahead counts. */
function askedDays({ today, lookbackDays, asksForOld }: CoverageQuestion): string {
  const day = `date '${today}'`;
  const isFinal = `x.asked_on - x.last_day - ${SUNDAY_WEEK} >= ${String(finalAfterDays(lookbackDays))}`;
  const isQuietDay =
    `x.reason in ('bad_row', 'incomplete') and x.last_day < ${day} - ${String(lookbackDays)} and exists (from meta.alarms q ` +
    `where ${haveSame(['endpoint', 'project_id', 'scope', 'scope_id', 'grain', 'window_kind', 'reason'], 'q', 'x')} ` +
    `and q.days >= 3 and q.last_on < ${day} and q.asked_on > ${day} - 7)`;
  const isSettled =
    `(x.reason = 'too_old' and ${String(!asksForOld)}) or (${isFinal} and (x.state in ('row', 'empty') or ` +
    `x.state = 'unconfirmed' and x.reason is null)) or ${isQuietDay}`;
  return (
    `select x.*, ${isSettled} as is_settled, ` +
    `x.state = 'unconfirmed' and x.reason is null and coalesce(x.first_on < ${day}, true) as is_unconfirmed ` +
    `from (select a.*, ${askedEndSql('a')} as last_day from meta.asked_days a) x join temp.asked_today t on t.endpoint = x.endpoint ` +
    `where x.reason = 'too_old' or (t.asked_with = x.asked_with and not coalesce(x.cut_at < t.asked_limit, false) and x.asked_on <= ${day}) ` +
    `or x.asked_on is null`
  );
}

/** A filter's day needs no second question where its project has none. */
const PROJECT_HAS_ROW = `(x.scope = 'project' or exists (from meta.asked_days p where p.endpoint = x.endpoint and p.project_id = x.project_id
  and p.scope = 'project' and p.grain is not distinct from x.grain and p.window_kind is not distinct from x.window_kind and p.date = x.date and p.state = 'row'))`;

function ranges(question: CoverageQuestion): string {
  const place = `case grain when 'week' then (date - date '0001-01-01') // 7 when 'month' then year(date) * 12 + month(date) else date - date '0001-01-01' end`;
  const kinds =
    `select *, true as kind from days where is_settled union all ` +
    `select *, false from days x where is_settled and is_unconfirmed and ${PROJECT_HAS_ROW}`;
  return `with days as materialized (select * from (${askedDays(question)}) where window_kind is null and (is_settled or is_unconfirmed))
    select ${ANSWERED}, kind as "isSettled", min(date) as start, max(last_day) as "end"
    from (
      select *, ${place} - row_number() over (partition by endpoint, project_id, scope, scope_id, grain, kind order by date) as island
      from (${kinds})
    ) group by endpoint, project_id, scope, scope_id, grain, window_kind, kind, island order by start`;
}

/** Windows that move with the day are asked on one day; one that failed or was empty then is asked once more on the next sync day. */
function windows(question: CoverageQuestion): string {
  const day = `date '${question.today}'`;
  const isRolling = "window_kind like 'last_%'";
  const isDue = `is_unconfirmed and (${isRolling} or is_settled) and ${PROJECT_HAS_ROW}`;
  return `with x as materialized (select * from (${askedDays(question)}) where window_kind is not null)
    select ${ANSWERED}, date as start, last_day as "end", true as "isSettled" from x
    where is_settled and (not (${isRolling}) or last_day = ${day} - 1)
    union all
    select ${ANSWERED}, date, last_day, false from x where ${isDue}
    union all
    select ${ANSWERED}, window_start, window_end, false from meta.slices x
    where ${isRolling} and status = 'failed' and sync_day = window_end + 1 and sync_day < ${day} and exists (from temp.asked_today t where t.endpoint = x.endpoint)
      and not exists (from meta.alarms a where ${haveSame(['endpoint', 'project_id', 'scope', 'window_kind'], 'a', 'x')} and a.scope_id in ('', x.scope_id) and a.days >= 3)`;
}

/** Refused values and paths; of a refused parameter those values whose newest answer is a refusal. */
const REFUSED = `
  select ${ANSWERED}, max(days) as days, max(last_on) as "lastOn", max(asked_on) as "askedOn" from (
    select x.*, a.days, a.last_on, a.asked_on from (
      select endpoint, project_id, scope, scope_id, grain, window_kind, max_by(coalesce(alarm, ''), fetched_at) as alarm
      from meta.slices where endpoint in (select endpoint from meta.alarms where reason = 'refused') and project_id <> '' group by all
    ) x
    join meta.alarms a on ${haveSame(['endpoint', 'project_id', 'scope', 'grain', 'window_kind'], 'a', 'x')} and a.scope_id in ('', x.scope_id)
    where x.alarm = 'refused' and a.reason = 'refused' and a.days >= 3
  ) group by all`;
