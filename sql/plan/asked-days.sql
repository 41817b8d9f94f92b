-- One row per day or window of the settings in temp.asked_today, with what is still open of it; no answer of a clock that was ahead counts.
select
  x.*,
  (x.reason = 'too_old' and not {{asks_for_old}})
    -- No answer has its rows, also where these are of a day that was running.
    or (x.reason = 'kept' and x.last_day < {{today}} - x.lookback_days)
    -- An answer about the day alone ended at the limit, as the next one would.
    or (
      x.reason = 'incomplete' and x.last_day < {{today}} - x.lookback_days
      and coalesce(x.cut_at >= x.asked_limit and x.asked_with = x.asked_today_with, false)
    )
    -- A server may begin its weeks on Sunday: such a week is over up to six days after the week that holds its first day.
    or (
      x.asked_on - x.last_day - case x.grain when 'week' then 6 else 0 end >= x.final_after_days
      and (x.state in ('row', 'empty') or x.state = 'unconfirmed' and x.reason is null)
    ) as is_settled,
  x.state = 'unconfirmed' and x.reason is null and coalesce(x.first_on < {{today}}, true) as is_unconfirmed
from (
  select a.*, t.asked_with as asked_today_with, t.asked_limit, t.series, t.lookback_days, t.final_after_days, {{last_day}} as last_day
  from meta.asked_days a join temp.asked_today t on t.endpoint = a.endpoint
) x
where x.reason = 'too_old' or x.asked_on is null
  or (x.asked_today_with = x.asked_with and not coalesce(x.cut_at < x.asked_limit, false) and x.asked_on <= {{today}})
