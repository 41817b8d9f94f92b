-- Whether the period of a series `v` was older than the look-back when it was asked; needs the part whole_joins.
(coalesce(s.sync_day - {{period_end}} >= s.lookback_days, false) and early.date is null and {{is_whole_period}})
