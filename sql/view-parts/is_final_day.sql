-- Whether the day of `v` is older than the look-back; needs the part whole_joins.
coalesce(s.sync_day - v.date >= s.lookback_days, false)
