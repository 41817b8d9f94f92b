-- Whether no figure of the day of `v` was asked before it was over; needs the part project_whole_joins, and as `x` the partial days.
{{is_whole_project_day}} and x.date is null
