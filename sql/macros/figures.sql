{# Figures, names and windows that several views have. #}

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
    select project_id, date
    from meta.asked_days
    where endpoint = 'events' and window_kind is null and asked_on is not null
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
    c.event_types
  from days d
  left join counted c on c.project_id = d.project_id and c.date = d.date
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
      case when total is not null then coalesce(positive, 0) + coalesce(negative, 0) + coalesce(neutral, 0) end as known
    from core.response_sentiment
    where grain = 'day' and scope = 'project'
  )
  select
    *,
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)) / total as net_sentiment_pct,
    100.0 * (coalesce(positive, 0) - coalesce(negative, 0)) / nullif(known, 0) as net_sentiment_known_pct
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
