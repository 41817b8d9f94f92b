-- One row per project, scope and day.
-- for measure in visibility, sentiment
create view main.{{measure}}_with_events as
with smoothed as (
  select
    project_id,
    date,
    scope,
    scope_id,
    {{measure}},
    avg({{measure}}) over week as mean_7_days,
    avg({{measure}}) over week_before as mean_7_days_before
  from core.{{measure}}
  where grain = 'day'
  window
    week as (
      partition by project_id, scope, scope_id order by date
      range between interval 6 days preceding and current row
    ),
    week_before as (
      partition by project_id, scope, scope_id order by date
      range between interval 13 days preceding and interval 7 days preceding
    )
)
select
  v.project_id,
  p.name as project_name,
  v.date,
  v.scope,
  v.scope_id,
  {{scope_name}} as scope_name,
  v.{{measure}},
  v.mean_7_days as {{measure}}_7_day_mean,
  v.mean_7_days_before as {{measure}}_previous_7_day_mean,
  v.mean_7_days - v.mean_7_days_before as {{measure}}_7_day_change,
  e.events_count,
  e.actions_completed,
  e.prompts_created,
  e.prompts_deleted,
  e.event_titles,
  e.event_types,
  coalesce(s.sync_day - v.date >= s.lookback_days, false) as is_final
from smoothed v
cross join main.sync_settings s
{{scope_joins}}
left join main.event_days e on e.project_id = v.project_id and e.date = v.date;

comment on view main.{{measure}}_with_events is 'Daily {{measure}} with its 7-day mean and the events of that day. One row per project, scope and day with a row of {{measure}}; events are counted per day first, so that they never multiply a day. Source: GET v1 {{measure}}-time-series, GET v2 events.';
-- comments: project_id, project_name, date, scope, scope_id, scope_name, {{measure}}
comment on column main.{{measure}}_with_events.{{measure}}_7_day_mean is 'Mean of the daily values of the 7 calendar days that end on the day, days without a value left out. Do not sum or average.';
comment on column main.{{measure}}_with_events.{{measure}}_previous_7_day_mean is 'The same mean for the 7 calendar days before those. Do not sum or average.';
comment on column main.{{measure}}_with_events.{{measure}}_7_day_change is 'The mean less the one before, in the unit of {{measure}}; NULL when one side has no value.';
-- comments: events_count, actions_completed, prompts_created, prompts_deleted, event_titles, event_types, is_final
