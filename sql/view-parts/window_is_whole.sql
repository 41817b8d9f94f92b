-- Whether the window `v` was over when it was asked, and does not begin before the first figures `f`; needs the part window_whole_joins.
(v.window_kind <> 'month' or v.window_end = last_day(v.window_start))
  and coalesce(v.window_end < coalesce(x.sync_day, w.sync_day, s.sync_day), true)
  and coalesce(v.window_start >= f.first_date, true)
