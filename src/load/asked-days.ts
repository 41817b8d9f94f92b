import { saidOf } from '../believe/coverage.ts';
import { askedEndSql } from '../believe/terms.ts';
import { addDays, nextPeriod, periodStart, type Day, type DayRange, type Grain } from '../day.ts';
import { flatSlice, SERIES_COLUMNS, sliceGrain, sliceWindow } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame, quoteLiteral } from '../warehouse/sql.ts';
import { auditColumnsOf, lagDays, type LoadRun } from './load-run.ts';
import type { MergedSlice } from './merge.ts';
import type { FailedSlice } from './prepare-answer.ts';

const COLUMNS = [
  ...SERIES_COLUMNS,
  'date',
  'asked_on',
  'first_on',
  'asked_with',
  'cut_at',
  'state',
  'reason',
  'whole_at',
] as const;

/** Writes what merged answers say of their days, in the caller's transaction. */
export async function writeAskedDays(
  connection: Connection,
  run: LoadRun,
  merged: readonly MergedSlice[],
): Promise<void> {
  const ranges = merged.flatMap(({ sliceNo, prepared, shrunk }) => {
    const { witness, answer, validated } = prepared;
    if (witness === null) return [];
    const row = {
      slice_no: sliceNo,
      ...flatSlice(answer.slice),
      covered_on: coveredOn(run, answer.timezone),
      asked_with: answer.askedWith ?? null,
      cut_at: validated.isTruncated ? answer.limit : null,
      is_shrunk: shrunk !== null,
    };
    return saidOf(witness).map(({ start, end, said }) => ({ ...row, first_day: start, last_day: end, said }));
  });
  if (ranges.length === 0) return;
  await connection.run(
    `create or replace temp table said as select 0::integer as slice_no, ${SERIES_COLUMNS.join(', ')}, null::date as window_start, null::date as window_end, ` +
      'asked_on as covered_on, asked_with, cut_at, null::date as first_day, null::date as last_day, null::varchar as said, false as is_shrunk from meta.asked_days limit 0',
  );
  await connection.appendRows({ catalog: 'temp', table: 'said', rows: ranges });
  const asked = await connection.rows(
    `select 1 from meta.asked_days o semi join said n on ${haveSame(SERIES_COLUMNS, 'o', 'n')} and o.date between n.first_day and n.last_day limit 1`,
  );
  if (asked.length === 0) {
    // 0.2 of 8 seconds of a first sync's processor time.
    const states = newStates(run, '(from meta.asked_days limit 0)');
    connection.runWithNext(`insert into meta.asked_days (${COLUMNS.join(', ')}) ${states}`);
    return;
  }
  const set = COLUMNS.slice(SERIES_COLUMNS.length + 1).map((column) => `${column} = n.${column}`);
  connection.runWithNext(
    `merge into meta.asked_days o using (${newStates(run, 'meta.asked_days')}) n on ${haveSame([...SERIES_COLUMNS, 'date'], 'o', 'n')} ` +
      `when matched then update set ${set.join(', ')} ` +
      `when not matched then insert (${COLUMNS.join(', ')}) values (${COLUMNS.map((column) => `n.${column}`).join(', ')})`,
  );
}

/** The sync day, or the day before where that was not over in the zone of the answer. */
function coveredOn({ syncDay, startedAt }: LoadRun, timezone: string | undefined): Day {
  return addDays(syncDay, -lagDays(timezone ?? 'UTC', startedAt));
}

/**
 * The state of each day after an answer. A day without a row is settled by two answers that came after its end; where a
 * stored row is missing, by the answer with which the row goes, or stays for good because no answer reaches it.
 * @param known table with the states so far
 */
function newStates(run: LoadRun, known: string): string {
  const { syncDay, isWitness } = run;
  const today = `date ${quoteLiteral(syncDay)}`;
  const step =
    "case s.grain when 'week' then interval '7 days' when 'month' then interval '1 month' else interval '1 day' end";
  const series = SERIES_COLUMNS.map((column) => `s.${column}`).join(', ');
  const days =
    `select s.slice_no, ${series}, cast(unnest(generate_series(s.first_day, s.last_day, ${step})) as date) as date, ` +
    's.covered_on, s.asked_with, s.cut_at, s.said, s.is_shrunk from said s';
  const before =
    `select d.*, l.date is not null as lacks, coalesce(l.waits, false) as waits, o.date is not null as is_old, o.asked_on as old_asked_on, o.first_on as old_first_on, ` +
    // An answer to another question says nothing of this one.
    `o.asked_with as old_asked_with, o.cut_at as old_cut_at, o.whole_at as old_whole_at, ` +
    `case when coalesce(o.asked_with = d.asked_with, true) then o.state end as old_state, ` +
    `case when coalesce(o.asked_with = d.asked_with, true) then o.reason end as old_reason, ${askedEndSql('d')} as last_day ` +
    `from (${days}) d left join (select slice_no, date, bool_or(waits) as waits from lacking group by all) l ` +
    `on l.slice_no = d.slice_no and l.date = d.date ` +
    `left join ${known} o on ${haveSame([...SERIES_COLUMNS, 'date'], 'o', 'd')}` +
    (isWitness ? '' : " where l.date is null or d.said <> 'none'");
  const isAgain = `(old_state = 'unconfirmed' and old_reason is distinct from 'incomplete' and old_first_on < ${today} and old_first_on > last_day)`;
  const outcome = `case
      when said = 'bad_row' then 'bad_row'
      when said = 'incomplete' then 'incomplete'
      when waits then 'vanishing'
      when said = 'row' then 'row'
      when lacks and (old_reason = 'kept' or (${isAgain} and (not is_shrunk or old_first_on + 1 < ${today}))) then 'kept'
      when lacks then 'vanishing'
      when old_state = 'empty' or ${isWitness ? isAgain : 'false'} then 'empty'
      else 'unconfirmed' end`;
  const state = `case outcome when 'row' then 'row' when 'kept' then 'row' when 'bad_row' then 'refused' when 'empty' then 'empty' else 'unconfirmed' end`;
  const reason = `case when outcome in ('bad_row', 'incomplete', 'vanishing', 'kept') then outcome end`;
  const covers = `outcome in ('row', 'kept', 'empty', 'unconfirmed')`;
  // An answer that came while the day was running is no first witness.
  const keeps = `(state is not distinct from old_state and reason is not distinct from old_reason and (state <> 'unconfirmed' or old_first_on > last_day))`;
  return (
    `select ${SERIES_COLUMNS.join(', ')}, date, ` +
    `case when ${covers} then greatest(covered_on, coalesce(old_asked_on, covered_on)) else old_asked_on end as asked_on, ` +
    `case when ${keeps} and old_first_on is not null then old_first_on ${isWitness ? '' : "when state = 'unconfirmed' then null "}else ${today} end as first_on, ` +
    `case when ${covers} or old_asked_with is null then asked_with else old_asked_with end as asked_with, ` +
    `case when ${covers} then cut_at else old_cut_at end as cut_at, state, reason, ` +
    `case when ${covers} and covered_on > last_day and old_asked_on <= last_day then ${auditColumnsOf(run).instant} else old_whole_at end as whole_at ` +
    `from (select *, ${state} as state, ${reason} as reason from (select *, ${outcome} as outcome from (${before})))`
  );
}

/** Enters the days that the server no longer has; what is stored of them stays. */
export async function writeTooOld(
  connection: Connection,
  { syncDay }: LoadRun,
  failed: readonly Pick<FailedSlice, 'slice' | 'refused'>[],
): Promise<void> {
  const rows = failed.flatMap(({ slice, refused }) => {
    const window = sliceWindow(slice);
    if (refused === undefined || window === null) return [];
    const grain = sliceGrain(slice) ?? 'day';
    const days = slice.kind === 'window' ? [window.start] : [...periodsIn(window, grain)];
    const { window_start: _start, window_end: _end, ...series } = flatSlice(slice);
    return days.map((date) => ({ ...series, date, first_on: syncDay, state: 'refused', reason: 'too_old' }));
  });
  if (rows.length === 0) return;
  await connection.run('create or replace temp table too_old as select * from meta.asked_days limit 0');
  await connection.appendRows({ catalog: 'temp', table: 'too_old', rows });
  connection.runWithNext(
    `merge into meta.asked_days o using temp.too_old n on ${haveSame([...SERIES_COLUMNS, 'date'], 'o', 'n')} ` +
      "when matched then update set state = case o.state when 'row' then 'row' else n.state end, reason = n.reason, first_on = n.first_on " +
      'when not matched then insert by name',
  );
}

function* periodsIn({ start, end }: DayRange, grain: Grain): Generator<Day> {
  for (let day = periodStart(start, grain); day <= end; day = nextPeriod(day, grain)) yield day;
}
