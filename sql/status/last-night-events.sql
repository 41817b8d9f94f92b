-- One row per dated event of the day before that of the last sync, newest first.
select e.project_id as "projectId", e.project_name as "projectName", e.date as day, e.title
from main.event_annotations e
cross join main.sync_settings s
where e.date = s.sync_day - 1
order by e."time" desc, e.event_id
limit 50
