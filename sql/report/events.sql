-- One row per event of project $1 from $2 to $3, in order of time.
select date, type, title, action_type, monitor_name, prompt_count
from main.event_annotations
where project_id = $1 and date between cast($2 as date) and cast($3 as date)
order by time, event_id;
