-- Whether the period of a series `v` is older than the look-back.
coalesce(s.sync_day - {{period_end}} >= s.lookback_days, false)
