-- One row per day that answers speak of: its state after them, from the table `said` and the states so far.
-- A day without a row is settled by two answers that came after its end; where a stored row is missing, by the answer with which the row
-- goes, or stays for good because no answer reaches it. Days before all that an answer has settle together: the server has forgotten them.
with
days as (
  select
    s.* exclude (first_day, last_day),
    cast(unnest(generate_series(
      s.first_day, s.last_day,
      case s.grain when 'week' then interval '7 days' when 'month' then interval '1 month' else interval '1 day' end
    )) as date) as date
  from said s
),
before as (
  select
    d.* replace (if(l.is_before, 'none', d.said) as said), {{last_day}} as last_day, l.is_before or coalesce(d.date < first.day, true) as is_before, l.date is not null as lacks, coalesce(l.waits, false) as waits,
    o.old_row, o.asked_on as old_asked_on, o.first_on as old_first_on, o.asked_with as old_asked_with, o.cut_at as old_cut_at, o.whole_at as old_whole_at,
    -- An answer to another question does not count for this one.
    case when coalesce(o.asked_with = d.asked_with, true) then o.state end as old_state,
    case when coalesce(o.asked_with = d.asked_with, true) then o.reason end as old_reason
  from days d
  left join (select slice_no, min(first_day) as day from said where said = 'row' group by all) first on first.slice_no = d.slice_no
  left join (select slice_no, date, bool_or(waits) as waits, bool_or(is_before) as is_before from lacking group by all) l on l.slice_no = d.slice_no and l.date = d.date
  left join (select rowid as old_row, * from meta.asked_days where {{are_stored}}) o
    on o.endpoint = d.endpoint and o.project_id = d.project_id and o.scope = d.scope and o.scope_id = d.scope_id and o.date = d.date
    and o.grain is not distinct from d.grain and o.window_kind is not distinct from d.window_kind
  where {{is_witness}} or l.date is null or d.said <> 'none' and not l.is_before
),
-- A day whose row has moved away cannot show how far the answer reaches.
moved as (
  select slice_no, min(date) as day from before where grain is null and old_state = 'row' and said = 'none' and not lacks group by slice_no
),
again as (
  select
    b.*,
    old_state = 'unconfirmed' and old_reason is distinct from 'incomplete'
      and old_first_on < {{today}} and old_first_on > last_day
      and not (lacks and coalesce(m.day <= b.date, false)) as is_again
  from before b
  left join moved m on m.slice_no = b.slice_no
),
settling as (
  select *, lacks and not waits and ({{is_accepted}} or old_reason = 'kept' or is_again and (not is_shrunk or old_first_on + 1 < {{today}})) as is_kept
  from again
),
judged as (
  select
    *,
    case
      when said = 'bad_row' then 'bad_row'
      when said = 'incomplete' then 'incomplete'
      when waits then 'vanishing'
      when said = 'row' then 'row'
      when is_kept or lacks and is_before and slice_no in (select slice_no from settling where is_kept and is_before) then 'kept'
      when lacks then 'vanishing'
      when old_state = 'empty' or ({{is_witness}} and is_again) then 'empty'
      else 'unconfirmed'
    end as outcome
  from settling
),
stated as (
  select
    *,
    case outcome
      when 'row' then 'row' when 'kept' then 'row' when 'bad_row' then 'refused' when 'empty' then 'empty' else 'unconfirmed'
    end as state,
    case when outcome in ('bad_row', 'incomplete', 'vanishing', 'kept') then outcome end as reason,
    outcome in ('row', 'empty', 'unconfirmed') or outcome = 'kept' and coalesce(old_asked_on > last_day, true) as covers
  from judged
)
select
  old_row, endpoint, project_id, scope, scope_id, grain, window_kind, date,
  case when covers then greatest(covered_on, coalesce(old_asked_on, covered_on)) else old_asked_on end as asked_on,
  case
    -- An answer that came while the day was running is no first witness.
    when state is not distinct from old_state and reason is not distinct from old_reason
      and (state <> 'unconfirmed' or old_first_on > last_day) and old_first_on is not null then old_first_on
    when not {{is_witness}} and state = 'unconfirmed' then null
    else {{today}}
  end as first_on,
  case when covers or old_asked_with is null or cut_at is not null then asked_with else old_asked_with end as asked_with,
  case when covers or cut_at is not null then cut_at else old_cut_at end as cut_at,
  state, reason,
  case when covers and covered_on > last_day and old_asked_on <= last_day then {{now}} else old_whole_at end as whole_at
from stated
