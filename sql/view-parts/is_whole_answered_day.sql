-- Whether it was over for each of the endpoints in question, too; needs `early`, days of the part open_project_days.
({{is_whole_project_day}} and not coalesce(early.is_partial, false))
