-- One row per project and day that is covered by events.
{% from "days.sql" import is_whole_on_project_day, join_project_state, open_project_days %}
{% from "figures.sql" import event_counts %}
create view detail.event_days as
select
  v.project_id,
  p.name as project_name,
  v.date,
  v.events_count,
  v.actions_completed,
  v.prompts_created,
  v.prompts_deleted,
  v.event_titles,
  v.event_types,
  {{ is_whole_on_project_day() }} as is_whole_day
from {{ event_counts() }} v
{{ join_project_state() }}
left join (
  select project_id, date, bool_or(is_partial) as is_partial
  from {{ open_project_days() }} days
  where endpoint = 'events'
  group by project_id, date
) early
  on early.project_id = v.project_id and early.date = v.date
left join core.projects p on p.project_id = v.project_id;

comment on view detail.event_days is 'Events counted per day. One row per project and day that an events answer covers, days without events included. Source: GET v2 events.';
