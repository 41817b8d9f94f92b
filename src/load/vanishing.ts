import { z } from 'zod';
import { isShrunk, isWitnessed, VANISHING_CHANGES, witnessesOf } from '../believe/vanishing.ts';
import { askedEndSql } from '../believe/terms.ts';
import { daySchema } from '../day.ts';
import { SERIES_COLUMNS } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame, quoteIdentifier, quoteLiteral, quoteStored } from '../warehouse/sql.ts';
import type { LoadRun } from './load-run.ts';
import { dayOfRow, isClosed, keyJson, selectStaged, type TableMerge } from './merge-sql.ts';

const q = quoteIdentifier;

/** The key of a series with one row per period. */
const SERIES_KEY_LENGTH = 5;
/** A column that is not a figure of a single name. */
const SAME_FOR_ALL = 'total_responses';

const candidateRow = z.object({
  slice_no: z.number(),
  change: z.enum(VANISHING_CHANGES),
  key: z.string(),
  project_id: z.string().nullable(),
  day: daySchema.nullable(),
  isClosed: z.boolean(),
  is_figure: z.boolean(),
  is_searched: z.boolean(),
  isKnown: z.boolean(),
  earlier: z.enum(VANISHING_CHANGES).nullable(),
  witnesses: z.number().nullable(),
  witnessedOn: daySchema.nullable(),
  lastOn: daySchema.nullable(),
});
type Candidate = z.output<typeof candidateRow>;

interface Context {
  connection: Connection;
  run: LoadRun;
}

/** How many of the known rows an answer lacks or empties. */
export interface Shrunk {
  missing: number;
  known: number;
}

/**
 * Decides which rows that answers lack or empty are removed now, and enters the others in `meta.vanishing`: their difference becomes
 * `keep`. A run that is no witness removes only rows whose day or window is not over.
 * @param proving slices with complete answers, which may be suspicious
 */
export async function holdBack(context: Context, merge: TableMerge, proving: readonly number[]) {
  const { connection, run } = context;
  if (isOfNames(merge)) await connection.run(keepZeros(merge));
  if (merge.shape === 'series' && merge.measures.length > 0) await connection.run(keepForgotten(merge, run));
  if (merge.shape === 'series' || merge.shape === 'dated') await connection.run(keepFirstPeriods(merge, run));
  if (merge.shape === 'series' || merge.shape === 'window') await connection.run(dropPartialRows(merge));
  const found = await connection.rowsAs(candidateRow, selectCandidates(merge, run));
  const closed = found.filter((row) => row.isClosed && !run.acceptShrink);
  const shrunk = run.isWitness
    ? await shrunkSlices(context, merge, { closed, proving })
    : new Map<number, Shrunk>();
  const waiting = closed.flatMap((row) => {
    const witnesses = witnessesOf(row.change, earlierOf(row), run.syncDay);
    const isAgreed = !row.isKnown || isWitnessed(witnesses, shrunk.has(row.slice_no));
    const goes = run.isWitness && !row.is_searched && isAgreed;
    return goes ? [] : [{ ...row, witnesses }];
  });
  const keys = new Set(waiting.map(({ key }) => key));
  const emptied = found.filter(({ change, key }) => change === 'emptied' && !keys.has(key));
  await setAction(connection, merge, { keys: [...keys], action: 'keep' });
  await setAction(connection, merge, { keys: emptied.map(({ key }) => key), action: 'update' });
  if (isOfNames(merge)) await connection.run(dropZeros(merge));
  if (run.isWitness) await enterVanishing(context, merge, waiting);
  await enterLacking(context, merge, waiting);
  const counts = new Map<number, number>();
  for (const { slice_no: slice, is_figure: isCounted } of waiting)
    counts.set(slice, (counts.get(slice) ?? 0) + (isCounted ? 1 : 0));
  /** Waiting rows by slice, and slices that need a person's attention. */
  return { waiting: counts, shrunk };
}

/**
 * SQL: an answer that empties known rows before the look-back and before its first figure reaches from one of the two on, because a server may
 * fill forgotten days with zeros.
 */
function keepForgotten(merge: TableMerge, { syncDay, lookbackDays }: LoadRun): string {
  const { difference, measures } = merge;
  const hasFigure = measures.map((column) => `coalesce(s.${q(column)}, 0) <> 0`).join(' or ');
  const isKnown = `${isClosed(merge, 'd', syncDay)} and not ${hasState(merge, 'd', RAN)}`;
  const isForgotten = `d.slice_no = b.slice_no and d.action in ('empty', 'delete') and d."date" < b.first_taken and ${isKnown}`;
  return `update batch b set first_taken = f.first_day, reach_start = greatest(f.first_day, b.reach_start) from (
       select c.slice_no, least(min(s."date") filter (${hasFigure}), date '${syncDay}' - ${String(lookbackDays)}) as first_day
       from batch c join ${selectStaged(merge)} s on s.slice_no = c.slice_no group by c.slice_no
     ) f where f.slice_no = b.slice_no and exists (
       from ${difference} d where d.slice_no = b.slice_no and d.action = 'empty' and d."date" < f.first_day and ${isKnown}
     ); update ${difference} d set action = 'lack' from batch b where ${isForgotten}`;
}

/**
 * SQL: the first period of an answer changes no closed row where the answer begins later than known rows of the requested days, because it may
 * be partial, and takes none away where it was requested only so that later days are reached, else each night would judge one day more.
 */
function keepFirstPeriods(merge: TableMerge, { syncDay, lookbackDays }: LoadRun): string {
  const { difference, table } = merge;
  const day = dayOf(merge);
  const isSeries = merge.shape === 'series';
  const beginsLate = isSeries
    ? `exists (from ${difference} l where l.slice_no = d.slice_no and l.action = 'lack' and l."date" < b.reach_start)`
    : 'false';
  const isOfTable = `v.table_name = ${quoteLiteral(table)} and v.project_id = b.project_id`;
  const isBeside = `${day} < date '${syncDay}' - ${String(lookbackDays)} and exists (from meta.vanishing v where ${isOfTable} and v.date > ${day})
    and not exists (from meta.vanishing v where ${isOfTable} and v.key = ${keyJson(merge, 'd')})`;
  const ofFirst = `${day} <= b.first_taken + ${isSeries ? `if(d."grain" = 'week', 6, 0)` : '0'} and ${isClosed(merge, 'd', syncDay)} and not ${hasState(merge, 'd', RAN)} and (${beginsLate} or d.action <> 'update' and ${isBeside})`;
  return (
    `delete from ${difference} d using batch b where b.slice_no = d.slice_no and d.action in ('update', 'empty') and ${ofFirst}; ` +
    (isSeries && merge.ofPeriodBefore.length > 0 ? `${keepOfPartial(merge, beginsLate)}; ` : '') +
    `update ${difference} d set action = 'lack' from batch b where b.slice_no = d.slice_no and d.action = 'delete' and ${ofFirst}`
  );
}

/** SQL: the period after a partial one keeps its figures of the period before as long as its own figures are the same. */
function keepOfPartial({ difference, compared, ofPeriodBefore }: TableMerge, beginsLate: string): string {
  const own = compared.filter((column) => !ofPeriodBefore.includes(column));
  const next = `b.first_taken + case d."grain" when 'week' then interval 7 days when 'month' then interval 1 month else interval 1 day end`;
  const isSame = own.map((column) => `d.${q(`new ${column}`)} is not distinct from d.${q(`old ${column}`)}`);
  return `delete from ${difference} d using batch b where b.slice_no = d.slice_no and d.action in ('update', 'empty') and d."date" = ${next} and ${[beginsLate, ...isSame].join(' and ')}`;
}

/** SQL: a series of names lists only those that occur in the window: a shorter window that lacks a zero of a longer one has lost nothing. */
function keepZeros(merge: TableMerge): string {
  const isZero = `not ${isFigure(merge, (column) => `d.${q(`old ${column}`)}`)}`;
  return (
    `delete from ${merge.difference} d where action = 'lack' and ${isZero}; ` +
    `update ${merge.difference} d set action = 'keep' where action = 'delete' and ${isZero}`
  );
}

/** SQL: the zeros of a name go with its figures. */
function dropZeros(merge: TableMerge): string {
  const { difference, key } = merge;
  const name = key.slice(SERIES_KEY_LENGTH).map((column) => `g.${q(column)} = d.${q(column)}`);
  return (
    `update ${difference} d set action = 'delete' where action = 'keep' and not ${isFigure(merge, (column) => `d.${q(`old ${column}`)}`)} ` +
    `and exists (from ${difference} g where g.slice_no = d.slice_no and g.action = 'delete' and ${name.join(' and ')})`
  );
}

/** SQL: rows that were stored while their day or window ran go with the first answer after its end, also with one that is cut off: their figures are partial. */
function dropPartialRows(merge: TableMerge): string {
  const isReached = `${dayOf(merge)} between b.first_taken and b.cut_until`;
  return (
    `update ${merge.difference} d set action = 'delete' from batch b where b.slice_no = d.slice_no ` +
    `and d.action = 'lack' and ${isReached} and ${hasState(merge, 'd', RAN)}`
  );
}

function earlierOf({ earlier, witnesses, lastOn }: Candidate) {
  return earlier === null || witnesses === null || lastOn === null
    ? null
    : { change: earlier, witnesses, lastOn };
}

async function enterVanishing(
  { connection, run }: Context,
  merge: TableMerge,
  waiting: readonly (Candidate & { witnesses: number })[],
): Promise<void> {
  if (waiting.length === 0) return;
  await connection.run(
    `delete from meta.vanishing where table_name = ${quoteLiteral(merge.table)} and key in (select unnest($1::varchar[]))`,
    [waiting.map(({ key }) => key)],
  );
  await connection.appendRows({
    schema: 'meta',
    table: 'vanishing',
    rows: waiting.map(({ key, project_id: project, day, change, earlier, witnesses, witnessedOn }) => ({
      table_name: merge.table,
      project_id: project,
      key,
      change,
      date: day,
      witnessed_on: earlier === change ? (witnessedOn ?? run.syncDay) : run.syncDay,
      witnesses,
      last_on: run.syncDay,
      run_id: run.runId,
    })),
  });
}

/** Enters the days on which stored rows are missing: their answers do not cover them. */
async function enterLacking(
  { connection }: Context,
  merge: TableMerge,
  waiting: readonly Candidate[],
): Promise<void> {
  const { shape } = merge;
  if (shape !== 'series' && shape !== 'window' && shape !== 'dated') return;
  const period = (day: string): string =>
    merge.shape === 'series' ? `cast(date_trunc(d."grain", ${day}) as date)` : day;
  const isWaiting = `${keyJson(merge, 'd')} in (select unnest($1::varchar[]))`;
  const isBefore = shape === 'series' ? 'coalesce(d."date" < b.first_taken, false)' : 'false';
  await connection.run(
    `insert into lacking select distinct slice_no, ${period(dayOf(merge))} as date, ${isWaiting} as waits, ${isBefore} as is_before from ${merge.difference} d join batch b using (slice_no) ` +
      `where (action = 'lack' or ${isWaiting}) and ${isFigure(merge, (column) => `d.${q(`old ${column}`)}`)} and ${dayOf(merge)} is not null`,
    [waiting.map(({ key }) => key)],
  );
}

/** Slices whose answer lacks or empties most of the known closed rows of their days, reached or not. */
async function shrunkSlices(
  { connection, run }: Context,
  merge: TableMerge,
  { closed, proving }: { closed: readonly Candidate[]; proving: readonly number[] },
): Promise<Map<number, Shrunk>> {
  const shrunk = new Map<number, Shrunk>();
  if (run.acceptShrink || proving.length === 0) return shrunk;
  const present = merge.vanished === 'mark_removed' ? ' and t.removed_at is null' : '';
  const lacking = await connection.rowsAs(
    countRow,
    `select d.slice_no, count(*) as rows from ${merge.difference} d join batch b using (slice_no)
     where action = 'lack' and ${isOpen(merge, 'd')} group by 1`,
  );
  const missing = new Map(lacking.map(({ slice_no: slice, rows }) => [slice, rows]));
  for (const { slice_no: slice, is_figure: isCounted, isKnown } of closed)
    if (isCounted && isKnown) missing.set(slice, (missing.get(slice) ?? 0) + 1);
  const asked = proving.filter((slice) => missing.has(slice));
  if (asked.length === 0) return shrunk;
  const known = await connection.rowsAs(
    countRow,
    `select b.slice_no, count(*) as rows from ${quoteStored(merge.table)} t join batch b on ${merge.domain ?? 'false'}
     where b.slice_no in (${asked.join(', ')})${present}
       and ${isClosed(merge, 't', run.syncDay)} and ${isFigure(merge, (column) => `t.${q(column)}`)} and ${isOpen(merge, 't')}
     group by 1`,
  );
  for (const { slice_no: slice, rows } of known) {
    const own = { missing: missing.get(slice) ?? 0, known: rows };
    if (isShrunk(own.missing, own.known)) shrunk.set(slice, own);
  }
  return shrunk;
}

/** Rows of closed days or windows that an answer should contain: not stored while these ran, and not kept permanently without evidence. @param alias as for `hasState` */
function isOpen(merge: TableMerge, alias: 't' | 'd'): string {
  return `not ${hasState(merge, alias, `(k.reason = 'kept' or ${RAN})`)}`;
}

/** Its only answers arrived while the day or window ran. */
const RAN = `k.asked_on <= ${askedEndSql('k')}`;

/** Whether a state of a row's day or window fulfils a condition over `k`; needs the slice as `b`. @param alias of the table (`t`), or of its difference (`d`) */
function hasState(merge: TableMerge, alias: 't' | 'd', condition: string): string {
  const { shape } = merge;
  const day = shape === 'window' ? 'b.window_start' : dayOfRow(merge, alias);
  if (day === null) return 'false';
  const date = shape === 'series' ? `date_trunc(${alias}."grain", ${day})` : day;
  return `exists (from meta.asked_days k where ${haveSame(SERIES_COLUMNS, 'k', 'b')} and k.date = ${date} and ${condition})`;
}

const countRow = z.object({ slice_no: z.number(), rows: z.number() });

function dayOf(merge: TableMerge): string {
  return merge.shape === 'window' ? 'd.window_start' : (dayOfRow(merge, 'd') ?? 'cast(null as date)');
}

function selectCandidates(merge: TableMerge, { syncDay }: LoadRun): string {
  const key = keyJson(merge, 'd');
  const project = merge.key.includes('project_id') ? 'd.project_id' : 'cast(null as varchar)';
  const isSearched = merge.movable === null ? 'false' : `d.${q(`old ${merge.movable}`)} is not null`;
  return (
    `select d.slice_no, if(d.action = 'empty', 'emptied', 'gone') as change, ${key} as key, ${project} as project_id, ${dayOf(merge)} as day, ` +
    `coalesce(${isClosed(merge, 'd', syncDay)}, true) as "isClosed", ${isFigure(merge, (column) => `d.${q(`old ${column}`)}`)} as is_figure, ` +
    `${isSearched} as is_searched, not ${hasState(merge, 'd', RAN)} as "isKnown", ` +
    `v.change as earlier, v.witnesses, v.witnessed_on as "witnessedOn", v.last_on as "lastOn" from ${merge.difference} d join batch b using (slice_no) ` +
    `left join meta.vanishing v on v.table_name = ${quoteLiteral(merge.table)} and v.key = ${key} ` +
    `where d.action in ('delete', 'remove', 'empty')`
  );
}

/** Whether a series has rows for names: brands, domains, crawlers. */
function isOfNames({ shape, key }: TableMerge): boolean {
  return shape === 'series' && key.length > SERIES_KEY_LENGTH;
}

/** Whether a row says more than that its name did not occur. */
function isFigure(merge: TableMerge, old: (column: string) => string): string {
  const { compared, measures } = merge;
  const own = compared.filter((column) => column !== SAME_FOR_ALL);
  if (!isOfNames(merge) || own.length === 0) return 'true';
  // A text or flag of an own endpoint counts if it is not null.
  const isOne = (column: string): string =>
    measures.includes(column)
      ? `coalesce(${old(column)}, 0) <> 0`
      : `coalesce(try_cast(cast(${old(column)} as varchar) as double) <> 0, ${old(column)} is not null)`;
  return `(${own.map(isOne).join(' or ')})`;
}

async function setAction(
  connection: Connection,
  merge: TableMerge,
  { keys, action }: { keys: readonly string[]; action: 'keep' | 'update' },
): Promise<void> {
  if (keys.length === 0) return;
  await connection.run(
    `update ${merge.difference} d set action = $1 where ${keyJson(merge, 'd')} in (select unnest($2::varchar[]))`,
    [action, keys],
  );
}

/** SQL for rows that came back or were removed: they are no longer vanishing. Null if no row can vanish. */
export function forgetVanishing(merge: TableMerge): string | null {
  // Rows from look-ups are known to be in no list.
  if (merge.vanished === 'keep' && merge.measures.length === 0) return null;
  return (
    `delete from meta.vanishing where table_name = ${quoteLiteral(merge.table)} ` +
    `and key in (select ${keyJson(merge, 'd')} from ${merge.difference} d where d.action not in ('keep', 'lack'))`
  );
}

/** Temporary table of days on which an answer lacks stored rows; `waits`: some of them wait for another answer; `is_before`: all that the answer reaches comes later. */
export const CREATE_LACKING =
  'create or replace temp table lacking as select 0::integer as slice_no, null::date as date, false as waits, false as is_before limit 0';
