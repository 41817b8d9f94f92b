import { z } from 'zod';
import { GRAINS, type DayRange, daySchema } from '../day.ts';
import { finalAfterDays, HAS_NO_ROWS, HAS_REPLY, IS_ANSWERED, periodEndSql } from '../believe/terms.ts';
import { catalogue } from '../endpoints/catalogue.ts';
import { BLOCK_DAYS, coverageOf, rangesOf } from '../plan/coverage.ts';
import type { CoverageQuestion, DayBlock, LedgerFacts } from '../plan/coverage.ts';
import type { Coverage } from '../plan/plan.ts';
import { SCOPES, seriesKey, seriesRow, TARGET_AS_ROW, targetRow, WINDOW_KINDS, windowKey } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { askedWithByEndpoint, type AskedSettings } from '../plan/selection.ts';
import { writeSettings } from '../warehouse/settings.ts';

/** An answer that could not prove that it is whole, or lost rows, has an error: its window or list is asked again. */
const IS_WHOLE_ANSWER = `${IS_ANSWERED} and error_class is null`;

/** A server may begin its weeks on Sunday: such a week is over up to six days after the week that holds its first day. */
const SUNDAY_WEEK = "case grain when 'week' then 6 else 0 end";

/** Any zone but UTC. */
const OTHER_ZONE = '';

/** Answers of today's settings: asked in the same way, and not cut off by a limit that is higher now. `$2` is the sync day, which no answer of a clock that was ahead passes. */
const IS_OF_TODAY = `exists (from temp.asked_today a where a.endpoint = x.endpoint and a.asked_with = x.asked_with
  and not (x.truncated and coalesce(x.asked_limit < a.asked_limit, false))) and x.sync_day <= cast($2 as date)`;

const dayBlockRow = seriesRow.extend({ block: daySchema, bits: z.number() });
const owedRow = seriesRow.extend({ start: daySchema, end: daySchema, is_empty: z.boolean() });
const vanishingRow = z.object({ table_name: z.string(), key: z.string(), day: daySchema });
const windowRow = targetRow.extend({
  windowKind: z.enum(WINDOW_KINDS),
  start: daySchema,
  syncDay: daySchema,
  timezone: z.string().nullable(),
  isOfChain: z.boolean(),
});

/** Reads the ledger once and answers from memory. */
export async function readLedger(connection: Connection, question: CoverageQuestion): Promise<Coverage> {
  await writeAskedToday(connection, question);
  const settled = await readSettled(connection, question);
  const owed = await readOwed(connection, question);
  const windows = await readWindows(connection, question);
  const lists = await readLists(connection, question);
  return coverageOf({ settled, ...owed, windows, lists }, question);
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

/** Answers of runs that this one continues. */
const IS_OF_CHAIN = 'run_id in (select unnest($1::varchar[]))';

/** Answered days as ranges, up to the newest one that is too old to change. */
async function readSettled(
  connection: Connection,
  question: CoverageQuestion,
): Promise<Map<string, DayRange[]>> {
  const refused = question.asksForOld ? '' : " or x.status = 'refused'";
  const windows = `select ${TARGET_AS_ROW}, grain, window_start as first_day,
      case when x.status = 'refused' or (${IS_OF_CHAIN} and sync_day = cast($2 as date)) then window_end
           else least(window_end, sync_day - ${SUNDAY_WEEK} - case when coalesce(timezone, 'UTC') = 'UTC'
             then ${finalAfterDays(question.lookbackDays)} else ${finalAfterDays(question.lookbackDays, OTHER_ZONE)} end) end as last_day
    from meta.slices x
    where window_kind is null and window_start is not null and ((${IS_ANSWERED} and ${IS_OF_TODAY})${refused})
      ${question.chainOnly ? `and ${IS_OF_CHAIN}` : ''}`;
  const rows = await connection.rowsAs(
    dayBlockRow,
    selectDayBlocks(windows, 'endpoint, "projectId", scope, "scopeId", grain'),
    [question.chain, question.today],
  );
  const blocks = new Map<string, DayBlock[]>();
  for (const row of rows) {
    const key = seriesKey(row);
    const known = blocks.get(key);
    if (known === undefined) blocks.set(key, [row]);
    else known.push(row);
  }
  return new Map([...blocks].map(([key, of]) => [key, rangesOf(of)]));
}

const DAY_ONE = "date '0001-01-01'";

/**
 * The query for blocks of days, in order, by the columns `keys`; `windows` is a query for these and `first_day` and `last_day`.
 * After a year of nights a series has hundreds of windows that overlap: their bits are or-ed together, and nothing is sorted.
 */
export function selectDayBlocks(windows: string, keys: string): string {
  return `with days as (
      select ${keys}, first_day - ${DAY_ONE} as first_day, last_day - ${DAY_ONE} as last_day
      from (${windows}) where last_day >= first_day
    ), blocks as (
      select ${keys}, first_day, last_day,
        unnest(range(first_day - first_day % ${String(BLOCK_DAYS)}, last_day + 1, ${String(BLOCK_DAYS)})) as block
      from days
    )
    select ${keys}, ${DAY_ONE} + cast(block as integer) as block, bit_or(
      (cast(1 as bigint) << least(last_day + 1 - block, ${String(BLOCK_DAYS)})) - (cast(1 as bigint) << greatest(first_day - block, 0))
    ) as bits
    from blocks group by ${keys}, block order by block`;
}

/** What a run of the chain has witnessed today is not asked again by its continuation. */
async function readOwed(
  connection: Connection,
  question: CoverageQuestion,
): Promise<Pick<LedgerFacts, 'owedDays' | 'owedWindows' | 'unconfirmed'>> {
  const isContinued = `(${IS_OF_CHAIN} and witnessed_on = cast($2 as date))`;
  const parameters = [question.chain, question.today];
  const owedDays = new Map<string, DayRange[]>();
  const owedWindows = new Set<string>();
  const unconfirmed = new Map<string, DayRange[]>();
  const add = (to: Map<string, DayRange[]>, key: string, range: DayRange): void => {
    to.set(key, [...(to.get(key) ?? []), range]);
  };
  const rows = await connection.rowsAs(
    owedRow,
    `select ${TARGET_AS_ROW}, grain, first_day as start,
       cast(${periodEndSql('last_day')} as date) as "end",
       reason = 'unconfirmed' and not exists (from meta.slices x where x.endpoint = o.endpoint and x.project_id = o.project_id
         and x.scope = o.scope and x.scope_id = o.scope_id and x.grain is not distinct from o.grain
         and ${HAS_REPLY} and not ${HAS_NO_ROWS}) as is_empty
     from meta.owed_days o where reason <> 'unconfirmed' or not ${isContinued}`,
    parameters,
  );
  for (const { start, end, is_empty: isEmpty, ...series } of rows)
    add(isEmpty ? unconfirmed : owedDays, seriesKey(series), { start, end });
  const vanishing = await connection.rowsAs(
    vanishingRow,
    `select table_name, key, date as day from meta.vanishing where date is not null and not ${isContinued}`,
    parameters,
  );
  for (const row of vanishing) {
    for (const { name: endpoint, cut } of endpointsOf(row.table_name)) {
      const key = vanishingKey.parse(JSON.parse(row.key));
      const { project_id: projectId, scope = 'project', scope_id: scopeId = projectId, grain = null } = key;
      const target = { endpoint, projectId, scope, scopeId };
      if (key.window_kind !== undefined) owedWindows.add(windowKey(target, key.window_kind, row.day));
      else
        add(owedDays, seriesKey({ ...target, grain: cut.kind === 'dated' ? null : grain }), {
          start: row.day,
          end: row.day,
        });
    }
  }
  return { owedDays, owedWindows, unconfirmed };
}

const vanishingKey = z.object({
  project_id: z.string(),
  scope: z.enum(SCOPES).exactOptional(),
  scope_id: z.string().exactOptional(),
  grain: z.enum(GRAINS).exactOptional(),
  window_kind: z.enum(WINDOW_KINDS).exactOptional(),
});

function endpointsOf(table: string): typeof catalogue {
  return catalogue.filter(({ outputs }) => outputs.some((output) => output.table === table));
}

/** Of the windows that move with the day, only those of today: no other is asked for, and there is one more every night. */
async function readWindows(
  connection: Connection,
  question: CoverageQuestion,
): Promise<LedgerFacts['windows']> {
  const rows = await connection.rowsAs(
    windowRow,
    `select ${TARGET_AS_ROW}, window_kind as "windowKind", window_start as start, sync_day as "syncDay", timezone,
       ${IS_OF_CHAIN} as "isOfChain"
     from meta.slices x where window_kind is not null and ((${IS_WHOLE_ANSWER} and ${IS_OF_TODAY})${question.asksForOld ? '' : " or x.status = 'refused'"})
       and (window_kind not like 'last_%' or window_end = cast($2 as date) - 1)`,
    [question.chain, question.today],
  );
  return new Map(rows.map((row) => [windowKey(row, row.windowKind, row.start), row]));
}

async function readLists(connection: Connection, question: CoverageQuestion): Promise<Set<string>> {
  const rows = await connection.rowsAs(
    targetRow,
    `select ${TARGET_AS_ROW} from meta.slices
     where window_kind is null and window_start is null and ${IS_WHOLE_ANSWER} and sync_day = cast($2 as date) and ${IS_OF_CHAIN}`,
    [question.chain, question.today],
  );
  return new Set(rows.map((row) => seriesKey({ ...row, grain: null })));
}

/** Prefix of the settings with today's digest of each endpoint, which the views compare answers with. */
const ASKED_WITH = 'asked_with:';

const otherRow = z.object({ endpoint: z.string() });

/**
 * Takes over the slices of an older program as if they had been asked with today's settings, and keeps today's digests for
 * the views. Returns a sentence when answers no longer count because a setting was changed.
 */
export async function takeOverSlices(connection: Connection, settings: AskedSettings): Promise<string[]> {
  const today = askedWithByEndpoint(settings);
  const names = [...today.keys()];
  const digests = [...today.values()];
  await connection.run(
    `update meta.slices s set asked_with = n.asked_with
     from (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n
     where s.asked_with is null and s.endpoint = n.endpoint and ${HAS_REPLY}`,
    [names, digests],
  );
  await writeSettings(
    connection,
    Object.fromEntries(names.map((name, index) => [`${ASKED_WITH}${name}`, digests[index] ?? ''])),
  );
  const others = await connection.rowsAs(
    otherRow,
    `select distinct s.endpoint from meta.slices s
     join (select unnest($1::varchar[]) as endpoint, unnest($2::varchar[]) as asked_with) n on n.endpoint = s.endpoint
     where s.asked_with <> n.asked_with and s.window_start is not null and s.window_kind is null
       and not exists (from meta.slices t where t.endpoint = s.endpoint and t.project_id = s.project_id and t.scope = s.scope
         and t.scope_id = s.scope_id and t.grain is not distinct from s.grain and t.asked_with = n.asked_with
         and t.window_start <= s.window_start and t.window_end >= s.window_end) order by 1`,
    [names, digests],
  );
  if (others.length === 0) return [];
  const list = others.map(({ endpoint }) => endpoint).join(', ');
  return [
    `the path, parameter names, end_date or timezone of ${list} was changed: answers to the earlier question no longer count and are asked again`,
  ];
}
