-- Whether the day of `v` was over when it was asked; needs the part whole_joins.
(coalesce(v.date < coalesce(x.sync_day, w.sync_day, s.sync_day), true) and not coalesce(early.is_partial, false))
