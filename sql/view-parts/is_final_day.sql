-- Whether the day of `v` was older than the look-back when it was asked; needs the part whole_joins.
(coalesce(s.sync_day - v.date >= s.lookback_days, false) and early.date is null and {{is_whole_day}})
