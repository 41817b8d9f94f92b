import { z } from 'zod';
import { GRAINS, type Day, type DayRange } from '../day.ts';
import type { Coverage } from '../plan/plan.ts';
import { ANSWERED_LIST } from '../slice-status.ts';
import { isSettled, settlingDays } from '../plan/window-kinds.ts';
import { SCOPES, seriesKey, sliceKey, WINDOW_KINDS, windowKey, type Slice } from '../slice.ts';
import { daySchema } from '../day-schema.ts';
import type { Connection } from '../warehouse/connection.ts';
import { rangesOf, selectDayBlocks, type DayBlock } from './day-blocks.ts';

/** Decides which stored answers still count. */
export interface CoverageQuestion {
  today: Day;
  lookbackDays: number;
  /** Runs that this one continues: slices they loaded today are not asked for again. */
  chain: readonly string[];
  /** Endpoints that leave out `endDate`: their windows count only where they were asked with one day more, and the others' where not. */
  leavingOut: readonly string[];
  /** Only answers of the chain count (`--full`, or days named with `--from` and `--to`). */
  chainOnly: boolean;
}

/** Coverage of days, and which lists are loaded. */
export interface LedgerState extends Coverage {
  /** True when a run of the chain loaded this list (prompts, models) today. */
  isListLoaded(list: Slice): boolean;
}

/** An answer that could not prove that it is whole has an error: its slice is asked again. */
const IS_ANSWERED = `status in (${ANSWERED_LIST}) and error_class is null`;

/** Asked before it was known that the server leaves out the end day ($3), so that the answer cannot have the sync day. An answer for that day alone could not show that the endpoint is used. */
const LACKS_SYNC_DAY = `(coalesce(asked_end <= window_end, false) and window_end >= sync_day
  and (status <> 'not_enabled' or window_start = window_end) and endpoint in (select unnest($3::varchar[])))`;

/** A week or a month that was asked for before it was known that the server leaves out the end day ($3) lacks its last day. */
const COVERED_END = `case when grain in ('week', 'month') and asked_end <= window_end and window_end < sync_day
  and endpoint in (select unnest($3::varchar[])) then least(covered_end, asked_end - 1) else covered_end end`;

/** A server may begin its weeks on Sunday: such a week is over up to six days after the week that holds its first day. */
const SUNDAY_WEEK = "case grain when 'week' then 6 else 0 end";

/** Any zone but UTC. */
const OTHER_ZONE = '';

/** The columns of a `SliceTarget`. */
const TARGET = 'endpoint, project_id as "projectId", scope, scope_id as "scopeId"';

const targetRow = z.object({
  endpoint: z.string(),
  projectId: z.string(),
  scope: z.enum(SCOPES),
  scopeId: z.string(),
});
const seriesRow = targetRow.extend({ grain: z.enum(GRAINS).nullable() });
const dayBlockRow = seriesRow.extend({ block: daySchema, bits: z.number() });
const leftOutRow = seriesRow.extend({ day: daySchema });
const windowRow = targetRow.extend({
  windowKind: z.enum(WINDOW_KINDS),
  start: daySchema,
  sync_day: daySchema,
  timezone: z.string().nullable(),
  in_chain: z.boolean(),
});
type WindowRow = z.output<typeof windowRow>;

/** Reads the ledger once and answers from memory. */
export async function readLedger(connection: Connection, question: CoverageQuestion): Promise<LedgerState> {
  const settled = await readSettled(connection, question);
  const leftOut = await readLeftOut(connection);
  const windows = await readWindows(connection, question);
  const lists = await readLists(connection, question);
  return {
    settled: (series) => settled.get(seriesKey(series)) ?? [],
    leftOut: (series, day) => leftOut.has(`${seriesKey(series)} ${day}`),
    isWindowSettled: (window) => {
      const known = windows.get(windowKey(window, window.windowKind, window.start));
      if (known === undefined) return false;
      if (known.in_chain && known.sync_day === question.today) return true;
      const counts = known.in_chain || !question.chainOnly;
      return (
        counts &&
        isSettled(
          window.lastDay,
          { fetchedOn: known.sync_day, zone: known.timezone ?? 'UTC' },
          question.lookbackDays,
        )
      );
    },
    isListLoaded: (list) => lists.has(sliceKey(list)),
  };
}

function chainList({ chain }: CoverageQuestion): string {
  return `run_id in (select unnest($1::varchar[]))${chain.length === 0 ? ' and false' : ''}`;
}

/** Settled days as ranges. */
async function readSettled(
  connection: Connection,
  question: CoverageQuestion,
): Promise<Map<string, DayRange[]>> {
  const windows = `select ${TARGET}, grain, window_start as first_day,
      case when ${chainList(question)} and sync_day = cast($2 as date)
           then ${COVERED_END} - cast(${LACKS_SYNC_DAY} as integer)
           else least(${COVERED_END}, sync_day - ${SUNDAY_WEEK} - case when coalesce(timezone, 'UTC') = 'UTC'
             then ${settlingDays(question.lookbackDays)} else ${settlingDays(question.lookbackDays, OTHER_ZONE)} end) end as last_day
    from meta.slices
    where window_kind is null and window_start is not null and ${IS_ANSWERED}
      ${question.chainOnly ? `and ${chainList(question)}` : ''}`;
  const rows = await connection.rowsAs(
    dayBlockRow,
    selectDayBlocks(windows, 'endpoint, "projectId", scope, "scopeId", grain'),
    [question.chain, question.today, question.leavingOut],
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

async function readLeftOut(connection: Connection): Promise<Set<string>> {
  const rows = await connection.rowsAs(
    leftOutRow,
    `select distinct ${TARGET}, grain, window_end as day
     from meta.slices where window_kind is null and covered_end < window_end and ${IS_ANSWERED}`,
  );
  return new Set(rows.map((row) => `${seriesKey(row)} ${row.day}`));
}

/** Of the windows that move with the day, only those of today: no other is asked for, and there is one more every night. */
async function readWindows(
  connection: Connection,
  question: CoverageQuestion,
): Promise<Map<string, WindowRow>> {
  const rows = await connection.rowsAs(
    windowRow,
    `select ${TARGET}, window_kind as "windowKind", window_start as start, sync_day, timezone,
       ${chainList(question)} as in_chain
     from meta.slices where window_kind is not null and ${IS_ANSWERED}
       and (window_kind not like 'last_%' or window_end = cast($3 as date) - 1)
       and coalesce(asked_end, window_end) = window_end + cast(endpoint in (select unnest($2::varchar[])) as integer)`,
    [question.chain, question.leavingOut, question.today],
  );
  return new Map(rows.map((row) => [windowKey(row, row.windowKind, row.start), row]));
}

async function readLists(connection: Connection, question: CoverageQuestion): Promise<Set<string>> {
  const rows = await connection.rowsAs(
    targetRow,
    `select ${TARGET} from meta.slices
     where window_kind is null and window_start is null and ${IS_ANSWERED} and sync_day = cast($2 as date) and ${chainList(question)}`,
    [question.chain, question.today],
  );
  return new Set(rows.map((row) => seriesKey({ ...row, grain: null })));
}
