-- Whether the day of `v` was over when the project was asked; needs the part project_whole_joins.
coalesce(v.date < coalesce(w.sync_day, s.sync_day), true)
