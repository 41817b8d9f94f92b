-- One row per project, scope and day.
create view main.visibility_with_events as
with smoothed as (
  select
    project_id,
    date,
    scope,
    scope_id,
    visibility,
    avg(visibility) over week as mean_7_days,
    avg(visibility) over week_before as mean_7_days_before
  from core.visibility
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
  case v.scope
    when 'project' then p.name
    when 'model' then m.label
    when 'monitor' then n.name
    when 'prompt' then q.prompt
    else v.scope_id
  end as scope_name,
  v.visibility,
  v.mean_7_days as visibility_7_day_mean,
  v.mean_7_days_before as visibility_previous_7_day_mean,
  v.mean_7_days - v.mean_7_days_before as visibility_7_day_change,
  e.events_count,
  e.actions_completed,
  e.prompts_created,
  e.prompts_deleted,
  e.event_titles,
  e.event_types,
  coalesce(s.sync_day - v.date >= s.lookback_days, false) as is_final
from smoothed v
cross join main.sync_settings s
left join core.projects p on p.project_id = v.project_id
left join core.models m on v.scope = 'model' and m.model_id = v.scope_id
left join core.monitors n on v.scope = 'monitor' and n.project_id = v.project_id and n.monitor_id = v.scope_id
left join core.prompts q on v.scope = 'prompt' and q.project_id = v.project_id and q.prompt_id = v.scope_id
left join main.event_days e on e.project_id = v.project_id and e.date = v.date;

comment on view main.visibility_with_events is 'Daily visibility with its 7-day mean and the events of that day. One row per project, scope and day with a row of visibility; events are counted per day first, so that they never multiply a day. Source: GET v1 visibility-time-series, GET v2 events.';
comment on column main.visibility_with_events.project_id is 'Project id (core.projects).';
comment on column main.visibility_with_events.project_name is 'Name of the project; NULL when unknown.';
comment on column main.visibility_with_events.date is 'Day (UTC).';
comment on column main.visibility_with_events.scope is 'Filter the figures were asked with: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column main.visibility_with_events.scope_id is 'Value of that filter; the project id in scope project.';
comment on column main.visibility_with_events.scope_name is 'The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.';
comment on column main.visibility_with_events.visibility is 'Visibility score of the own brand, scale as the API reports it. Do not sum or average. Source: GET v1 visibility-time-series.';
comment on column main.visibility_with_events.visibility_7_day_mean is 'Mean of the daily values of the 7 calendar days that end on the day, days without a value left out. Do not sum or average.';
comment on column main.visibility_with_events.visibility_previous_7_day_mean is 'The same mean for the 7 calendar days before those. Do not sum or average.';
comment on column main.visibility_with_events.visibility_7_day_change is 'The mean less the one before, in the unit of visibility; NULL when one side has no value.';
comment on column main.visibility_with_events.events_count is 'Events of the day in the project; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.visibility_with_events.actions_completed is 'Actions completed that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.visibility_with_events.prompts_created is 'Prompts (not groups) created that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.visibility_with_events.prompts_deleted is 'Prompts (not groups) deleted that day; 0 on a day that was covered and had none, NULL on a day that was not covered. Adds up over days, not over scopes. Source: GET v2 events.';
comment on column main.visibility_with_events.event_titles is 'Titles of the events of the day, by time, separated by semicolons; NULL when there were none. Source: GET v2 events.';
comment on column main.visibility_with_events.event_types is 'Kinds of the events of the day: action, prompts_created, prompts_deleted; NULL when there were none. Source: GET v2 events.';
comment on column main.visibility_with_events.is_final is 'False while the figures are younger than the look-back window and may still change.';
