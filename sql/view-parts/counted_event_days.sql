-- Events counted per day that an answer covers. One row per project and day, those without events included.
(
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
    d.project_id,
    d.date,
    coalesce(c.events_count, 0) as events_count,
    coalesce(c.actions_completed, 0) as actions_completed,
    cast(coalesce(c.prompts_created, 0) as bigint) as prompts_created,
    cast(coalesce(c.prompts_deleted, 0) as bigint) as prompts_deleted,
    c.event_titles,
    c.event_types
  from days d
  left join counted c on c.project_id = d.project_id and c.date = d.date
)
