-- One row per project and day that is covered by events.
create view main.event_days as
with days as (
  select
    project_id,
    cast(unnest(generate_series(window_start, coalesce(covered_end, window_end), interval '1 day')) as date) as date
  from meta.slices
  where endpoint = 'events' and project_id is not null and scope = 'project' and status in ({{answered_statuses}})
    and error_class is null
  union
  select project_id, date from core.events
),
counted as (
  select
    project_id,
    date,
    count(*) as events_count,
    count(*) filter (where type = 'action') as actions_completed,
    sum(prompt_count) filter (where type = 'prompts_created') as prompts_created,
    sum(prompt_count) filter (where type = 'prompts_deleted') as prompts_deleted,
    string_agg(title, '; ' order by "time" asc, event_id asc) as event_titles,
    {{event_types}} as event_types
  from main.event_annotations
  group by project_id, date
)
select
  v.project_id,
  p.name as project_name,
  v.date,
  coalesce(c.events_count, 0) as events_count,
  coalesce(c.actions_completed, 0) as actions_completed,
  cast(coalesce(c.prompts_created, 0) as bigint) as prompts_created,
  cast(coalesce(c.prompts_deleted, 0) as bigint) as prompts_deleted,
  c.event_titles,
  c.event_types,
  {{is_whole_answered_day}} as is_whole_day
from days v
{{project_whole_joins}}
left join (
  select project_id, date, bool_or(is_partial) as is_partial
  from {{open_project_days}} days
  where endpoint = 'events'
  group by project_id, date
) early
  on early.project_id = v.project_id and early.date = v.date
left join counted c on c.project_id = v.project_id and c.date = v.date
left join core.projects p on p.project_id = v.project_id;

comment on view main.event_days is 'Events counted per day. One row per project and day that an events answer covers, days without events included. Source: GET v2 events.';
-- comments: project_id, project_name, date, events_count, actions_completed, prompts_created, prompts_deleted
-- comments: event_titles, event_types, is_whole_day
