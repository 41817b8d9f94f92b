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
{{ comments("event_annotations", "project_id, project_name") }}
comment on column main.event_annotations.event_id is 'Event (core.events), or kind and day of a setup change: unique within a project.';
comment on column main.event_annotations."time" is 'Instant (UTC) of the action, or of the earliest prompt of the group; the beginning of the day for a setup change.';
comment on column main.event_annotations.date is 'Day (UTC) to join on.';
comment on column main.event_annotations.title is 'Short text: title of the action, how many prompts were created or deleted, or what changed.';
comment on column main.event_annotations.text is 'Longer text: kind of event, type of action, project.';
comment on column main.event_annotations.tags is 'Kind of event and type of action or change, separated by a comma.';
comment on column main.event_annotations.type is 'action, prompts_created, prompts_deleted or setup_change.';
{{ comments("event_annotations", "action_id, action_type") }}
comment on column main.event_annotations.monitor_id is 'Monitor id; NULL for actions. Source: GET v2 events.';
{{ comments("event_annotations", "monitor_name") }}
comment on column main.event_annotations.prompt_count is 'Prompts in the group; NULL for other events. Adds up over events. Source: GET v2 events.';
