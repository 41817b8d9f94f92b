-- One row per project, scope and period.
create view main.share_of_voice_trend as
select
  v.project_id,
  p.name as project_name,
  v.grain,
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
  v.total_responses,
  v.brand_mentions,
  v.share_of_voice as share_of_voice_pct,
  lag(v.date) over series as previous_date,
  lag(v.share_of_voice) over series as previous_share_of_voice_pct,
  v.share_of_voice - lag(v.share_of_voice) over series as change_points,
  v.previous_period_share_of_voice as reported_previous_share_of_voice_pct,
  v.change as reported_change_points,
  coalesce(
    s.sync_day - case v.grain
      when 'week' then v.date + 6
      when 'month' then cast(v.date + interval 1 month - interval 1 day as date)
      else v.date
    end >= s.lookback_days,
    false
  ) as is_final
from core.share_of_voice v
cross join main.sync_settings s
left join core.projects p on p.project_id = v.project_id
left join core.models m on v.scope = 'model' and m.model_id = v.scope_id
left join core.monitors n on v.scope = 'monitor' and n.project_id = v.project_id and n.monitor_id = v.scope_id
left join core.prompts q on v.scope = 'prompt' and q.project_id = v.project_id and q.prompt_id = v.scope_id
window series as (partition by v.project_id, v.grain, v.scope, v.scope_id order by v.date);

comment on view main.share_of_voice_trend is 'Share of voice over time, with the period before. One row per project, grain, scope and period. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.project_id is 'Project id (core.projects).';
comment on column main.share_of_voice_trend.project_name is 'Name of the project; NULL when unknown.';
comment on column main.share_of_voice_trend.grain is 'Length of the period: day, week (starts on Monday) or month. Filter on one; never add or average different grains.';
comment on column main.share_of_voice_trend.date is 'First day of the period (UTC).';
comment on column main.share_of_voice_trend.scope is 'Filter the figures were asked with: project (none), model, monitor, prompt or prompt_type. Filter on one; never add or average different scopes.';
comment on column main.share_of_voice_trend.scope_id is 'Value of that filter; the project id in scope project.';
comment on column main.share_of_voice_trend.scope_name is 'The filter for people: name of the project, model or monitor, or text of the prompt; NULL when unknown.';
comment on column main.share_of_voice_trend.total_responses is 'Organic responses. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.brand_mentions is 'Responses that mention the own brand. Adds up over periods of one grain, not over scopes. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.share_of_voice_pct is 'Brand mentions per organic response, percent 0 to 100. Do not sum or average: compute from the counts. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.previous_date is 'First day of the period before it that has data: look at it before reading a change, a period may be missing.';
comment on column main.share_of_voice_trend.previous_share_of_voice_pct is 'Share of voice of the period before that has data, percent. Do not sum or average.';
comment on column main.share_of_voice_trend.change_points is 'Change against that period, percentage points. Do not sum or average.';
comment on column main.share_of_voice_trend.reported_previous_share_of_voice_pct is 'Share of voice of the period before as the API reports it, percent. Do not sum or average. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.reported_change_points is 'Change as the API reports it, percentage points. Do not sum or average. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.is_final is 'False while the figures are younger than the look-back window and may still change.';
