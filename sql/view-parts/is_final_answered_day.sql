-- Whether the day of `v` was older than the look-back when each of those endpoints was asked; needs the same.
(coalesce(s.sync_day - v.date >= s.lookback_days, false) and not coalesce(early.is_open, false) and {{is_whole_answered_day}})
