-- One row per day where the level of a measure shifted, newest first, at most 42 a project; with what went before. Not a cause.
select project_id, measure, date, value_before, value_after, candidate_titles
from main.turning_points
where {{project}}
qualify row_number() over (partition by project_id order by date desc, measure) <= 42
order by project_id, date desc, measure;
