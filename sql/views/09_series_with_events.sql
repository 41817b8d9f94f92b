-- One row per project, scope and day.
{% from "days.sql" import is_final, is_whole, join_series_state %}
{% from "figures.sql" import event_counts, event_types, join_scope_names, scope_name %}
{% for series in ["visibility", "sentiment"] %}
create view detail.{{ series }}_with_events as
with smoothed as (
  select *,
    avg(whole_value) over week as mean_7_days, count(whole_value) over week as days,
    avg(whole_value) over week_before as mean_7_days_before, count(whole_value) over week_before as days_before
  from (
    select v.*, {{ is_whole("v.date") }} as is_whole_day, {{ is_final("v.date") }} as is_final, case when {{ is_whole("v.date") }} then v.{{ series }} end as whole_value
    from core.{{ series }} v
    {{ join_series_state(series) }}
    where v.grain = 'day'
  ) asked
  window
    week as (partition by project_id, scope, scope_id order by date - date '2000-01-01' asc range between 6 preceding and current row),
    week_before as (partition by project_id, scope, scope_id order by date - date '2000-01-01' asc range between 13 preceding and 7 preceding)
),
-- Days with prompt events of the monitor itself; on all others its events are the actions of the project.
own_days as (
  select distinct project_id, monitor_id, date from core.events where type <> 'action' and monitor_id is not null
),
monitor_days as (
  select
    d.project_id, d.monitor_id, d.date, count(*) as events_count,
    sum(a.prompt_count) filter (where a.type = 'prompts_created') as prompts_created,
    sum(a.prompt_count) filter (where a.type = 'prompts_deleted') as prompts_deleted,
    string_agg(a.title, '; ' order by a."time" asc, a.event_id asc) as event_titles,
    {{ event_types() }} as event_types
  from own_days d
  join detail.api_events a on a.project_id = d.project_id and a.date = d.date and (a.type = 'action' or a.monitor_id = d.monitor_id)
  group by d.project_id, d.monitor_id, d.date
),
action_days as (
  select project_id, date, count(*) as events_count, string_agg(title, '; ' order by "time" asc, event_id asc) as event_titles
  from detail.api_events
  where type = 'action'
  group by project_id, date
)
select
  v.project_id, p.name as project_name, v.date, v.scope, v.scope_id,
  {{ scope_name() }} as scope_name,
  v.{{ series }},
  v.mean_7_days as {{ series }}_7_day_mean,
  v.mean_7_days_before as {{ series }}_previous_7_day_mean,
  case when v.days >= 5 and v.days_before >= 5 and v.is_whole_day then v.mean_7_days - v.mean_7_days_before end as {{ series }}_7_day_change,
  case when v.scope = 'monitor' and e.date is not null then coalesce(o.events_count, y.events_count, 0) else e.events_count end as events_count,
  e.actions_completed,
  case when v.scope = 'monitor' and e.date is not null then cast(coalesce(o.prompts_created, 0) as bigint) else e.prompts_created end as prompts_created,
  case when v.scope = 'monitor' and e.date is not null then cast(coalesce(o.prompts_deleted, 0) as bigint) else e.prompts_deleted end as prompts_deleted,
  case when v.scope = 'monitor' then coalesce(o.event_titles, y.event_titles) else e.event_titles end as event_titles,
  case when v.scope = 'monitor' then coalesce(o.event_types, case when y.events_count > 0 then 'action' end) else e.event_types end as event_types,
  v.is_whole_day, v.is_final
from smoothed v
{{ join_scope_names() }}
left join {{ event_counts() }} e on e.project_id = v.project_id and e.date = v.date
left join monitor_days o on o.project_id = v.project_id and o.monitor_id = case when v.scope = 'monitor' then v.scope_id end and o.date = v.date
left join action_days y on y.project_id = case when v.scope = 'monitor' then v.project_id end and y.date = v.date;

comment on view detail.{{ series }}_with_events is 'Daily {{ series }} with its 7-day mean and the events of that day. One row per project, scope and day with a row of {{ series }}; events are counted per day first, so that they never multiply a day. Rows of scope monitor have the actions of the project and the prompt events of their own monitor. Source: GET v1 {{ series }}-time-series, GET v2 events.';
{% endfor %}
