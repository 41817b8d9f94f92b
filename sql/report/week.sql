-- One row per project whose visibility changed over the last 7 days, largest change first, with the parts that are not 0.0.
select
  coalesce(project_label, project_id) as project,
  visibility_before as before,
  visibility_after as after,
  change,
  typical_change as typical,
  coalesce(
    list({part: part, points: points} order by abs(points) desc, part) filter (abs(points) >= 0.05), []
  ) as parts
from main.why_visibility_moved
left join detail.project_labels using (project_id)
where window_days = 7 and not_told is null and change is not null and points is not null
group by project_id, project_label, visibility_before, visibility_after, change, typical_change
order by abs(change) desc, project_id
