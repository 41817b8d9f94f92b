import { saidOf } from '../believe/coverage.ts';
import { askedEndSql } from '../believe/terms.ts';
import { addDays, nextPeriod, periodStart, type Day, type DayRange, type Grain } from '../day.ts';
import { flatSlice, SERIES_COLUMNS, sliceGrain, sliceWindow } from '../slice.ts';
import type { Connection } from '../warehouse/connection.ts';
import { haveSame, quoteLiteral, readSql } from '../warehouse/sql.ts';
import { auditColumnsOf, lagDays, type LoadRun } from './load-run.ts';
import type { MergedSlice } from './merge.ts';
import type { FailedSlice } from './prepare-answer.ts';

const STATES = ['asked_on', 'first_on', 'asked_with', 'cut_at', 'state', 'reason', 'whole_at'];
const COLUMNS = [...SERIES_COLUMNS, 'date', ...STATES];

/** Stores the evidence of merged answers about their days, in the caller's transaction. */
export async function writeAskedDays(
  connection: Connection,
  run: LoadRun,
  merged: readonly MergedSlice[],
): Promise<void> {
  const ranges = merged.flatMap(({ sliceNo, prepared, shrunk, rescaled }) => {
    const { witness, answer, validated } = prepared;
    if (witness === null || rescaled !== null) return [];
    const row = {
      slice_no: sliceNo,
      ...flatSlice(answer.slice),
      // The day before the sync day if that was not over in the answer's zone.
      covered_on: addDays(run.syncDay, -lagDays(answer.timezone ?? 'UTC', run.startedAt)),
      asked_with: answer.askedWith ?? null,
      cut_at: validated.isTruncated ? answer.limit : null,
      is_shrunk: shrunk !== null,
    };
    return saidOf(witness).map(({ start, end, said }) => ({ ...row, first_day: start, last_day: end, said }));
  });
  if (ranges.length === 0) return;
  connection.runWithNext(
    `create or replace temp table said as select 0::integer as slice_no, ${SERIES_COLUMNS.join(', ')}, null::date as window_start, null::date as window_end, ` +
      'asked_on as covered_on, asked_with, cut_at, false as is_shrunk, null::date as first_day, null::date as last_day, null::varchar as said from meta.asked_days limit 0',
  );
  await connection.appendRows({ catalog: 'temp', table: 'said', rows: ranges, isWhole: true });
  const areStored = merged.some(({ isKnown }) => isKnown);
  const newStates = readSql('load/new-states', {
    today: `date ${quoteLiteral(run.syncDay)}`,
    is_witness: String(run.isWitness),
    is_accepted: String(run.acceptShrink),
    last_day: askedEndSql('d'),
    are_stored: String(areStored),
    now: auditColumnsOf(run).instant,
  });
  const columns = COLUMNS.join(', ');
  if (!areStored)
    connection.runWithNext(`insert into meta.asked_days (${columns}) select ${columns} from (${newStates})`);
  else
    connection.runWithNext(
      `merge into meta.asked_days o using (${newStates}) n on o.rowid = n.old_row ` +
        `when matched and not (${haveSame(STATES, 'o', 'n')}) then update set ${STATES.map((name) => `${name} = n.${name}`).join(', ')} ` +
        `when not matched then insert (${columns}) values (${COLUMNS.map((name) => `n.${name}`).join(', ')})`,
    );
}

/** Enters days that the server no longer has; their stored rows stay. */
export async function writeTooOld(
  connection: Connection,
  { syncDay }: LoadRun,
  failed: readonly FailedSlice[],
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
