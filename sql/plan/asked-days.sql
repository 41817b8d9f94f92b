-- One row per day or window of the settings in temp.asked_today, with what is still open of it; no answer of a clock that was ahead counts.
select
  x.*,
  (x.reason = 'too_old' and not {{asks_for_old}})
    -- No answer has its rows, also where these are of a day that was running.
    or (x.reason = 'kept' and x.last_day < {{today}} - {{lookback_days}})
    -- A server may begin its weeks on Sunday: such a week is over up to six days after the week that holds its first day.
    or (
      x.asked_on - x.last_day - case x.grain when 'week' then 6 else 0 end >= {{final_after_days}}
      and (x.state in ('row', 'empty') or x.state = 'unconfirmed' and x.reason is null)
    )
    or (
      x.reason in ('bad_row', 'incomplete') and x.last_day < {{today}} - {{lookback_days}} and exists (
        from meta.alarms q
        where q.endpoint = x.endpoint and q.project_id = x.project_id and q.scope = x.scope and q.scope_id = x.scope_id
          and q.grain is not distinct from x.grain and q.window_kind is not distinct from x.window_kind and q.reason = x.reason
          and q.days >= 3 and q.last_on < {{today}} and q.asked_on > {{today}} - 7
      )
    ) as is_settled,
  x.state = 'unconfirmed' and x.reason is null and coalesce(x.first_on < {{today}}, true) as is_unconfirmed
from (select a.*, {{last_day}} as last_day from meta.asked_days a) x
join temp.asked_today t on t.endpoint = x.endpoint
where x.reason = 'too_old' or x.asked_on is null
  or (t.asked_with = x.asked_with and not coalesce(x.cut_at < t.asked_limit, false) and x.asked_on <= {{today}})
