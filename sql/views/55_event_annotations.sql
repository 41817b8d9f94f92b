-- One row per event, and per change of the models or monitors: for annotation layers.
create view main.event_annotations as
select project_id, project_name, event_id, "time", date, title, text, tags, type, action_id, action_type, monitor_id, monitor_name, prompt_count
from detail.api_events
union all
select
  project_id,
  project_name,
  what || ':' || cast(date as varchar),
  cast(date as timestamp),
  date,
  title,
  concat('Setup change in project ', coalesce(project_name, project_id)),
  concat('setup_change,', what),
  'setup_change',
  null,
  null,
  null,
  null,
  null
from main.setup_changes
where what not like 'prompts%';

comment on view main.event_annotations is 'Dated events, and changes of the models and monitors that are asked (setup_changes), for the annotation layers of Grafana, Superset and Metabase. One row per event. Source: GET v2 events, setup_changes.';
