-- One row per event, in order of time.
select project_id, date, type, action_type, coalesce(title, type) as title, prompt_count
from main.event_annotations
where {{project}}
order by project_id, date, time, event_id;
