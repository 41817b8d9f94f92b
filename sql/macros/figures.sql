{# Figures, names and windows that several views have. #}
{% from "changes.sql" import from_key %}
{% from "days.sql" import is_answered %}

{# Kinds of event in a group of events. #}
{% macro event_types() -%}
concat_ws(
      ', ',
      case when bool_or(type = 'action') then 'action' end,
      case when bool_or(type = 'prompts_created') then 'prompts_created' end,
      case when bool_or(type = 'prompts_deleted') then 'prompts_deleted' end
    )
{%- endmacro %}

{# Events counted per day that an answer covers. One row per project and day, days without events included. #}
{% macro event_counts() -%}
(
  with days as (
    select project_id, date, min(answered_at) as answered_at
    from (
      select a.project_id, a.date, r.answered_at
      from meta.asked_days a
      left join (
        select
          z.project_id,
          cast(unnest(generate_series(z.window_start, z.window_end, interval '1 day')) as date) as date,
          r.started_at as answered_at
        from meta.slices z
        left join meta.runs r on r.run_id = z.run_id
        where z.endpoint = 'events' and {{ is_answered("z.status") }} and z.error_class is null
      ) r
        on r.project_id = a.project_id and r.date = a.date
      where a.endpoint = 'events' and a.window_kind is null and a.asked_on is not null
      union all
      select project_id, date, null from core.events
    ) answered
    group by project_id, date
  ),
  -- An event that went, or moved to another day, changed the day that it left.
  changes as (
    select project_id, date, max(changed_at) as changed_at
    from (
      select e.project_id, e.date, greatest(e._changed_at, m._changed_at) as changed_at
      from core.events e
      left join core.monitors m on m.project_id = e.project_id and m.monitor_id = e.monitor_id
      union all
      select {{ from_key("project_id") }}, {{ try_cast("json_extract_string(old, '$.date')", "date") }}, changed_at
      from meta.restatements
      where table_name = 'events' and old like '%"date":%'
    ) changed
    group by project_id, date
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
      {{ event_types() }} as event_types
    from detail.api_events
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
    c.event_types,
    greatest(d.answered_at, h.changed_at) as changed_at
  from days d
  left join counted c on c.project_id = d.project_id and c.date = d.date
  left join changes h on h.project_id = d.project_id and h.date = d.date
)
{%- endmacro %}

{# Responses by sentiment. One row per project and day that the API reports. #}
{% macro response_counts() -%}
(
  with counted as (
    select
      project_id,
      grain,
      scope,
      scope_id,
      date,
      positive,
      negative,
      neutral,
      unknown,
      nullif(
        coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) + coalesce(unknown, 0),
        0
      ) as total,
      nullif(coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0), 0) as known,
      _changed_at
    from core.response_sentiment
    where grain = 'day' and scope = 'project'
  )
  select
    *,
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)) / total as net_sentiment_pct,
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)) / known as net_sentiment_known_pct
  from counted
)
{%- endmacro %}

{# Names of what the filter of a series `v` stands for; names may be missing. Equality alone: a condition on the scope next to it turned these joins into nested loops. #}
{% macro join_scope_names() -%}
left join core.projects p on p.project_id = v.project_id
left join core.models m on m.model_id = case when v.scope = 'model' then v.scope_id end
left join core.monitors n
  on n.project_id = v.project_id and n.monitor_id = case when v.scope = 'monitor' then v.scope_id end
left join core.prompts q
  on q.project_id = v.project_id and q.prompt_id = case when v.scope = 'prompt' then v.scope_id end
{%- endmacro %}

{# The filter of a series `v` for people. Needs join_scope_names. #}
{% macro scope_name() -%}
case v.scope
    when 'project' then p.name
    when 'model' then m.label
    when 'monitor' then n.name
    when 'prompt' then q.prompt
    else v.scope_id
  end
{%- endmacro %}

{# First day of the window before the window `v`. #}
{% macro previous_window_start() -%}
case v.window_kind
      when 'month' then cast(v.window_start - interval '1 month' as date)
      when 'last_7_days' then v.window_start - 7
      when 'last_28_days' then v.window_start - 28
      when 'last_90_days' then v.window_start - 90
      else v.window_start - 1
    end
{%- endmacro %}
