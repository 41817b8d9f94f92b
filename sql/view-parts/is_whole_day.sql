-- Whether the day of `v` was over when it was asked; needs the part whole_joins.
coalesce(v.date < coalesce(w.sync_day, s.sync_day), true)
