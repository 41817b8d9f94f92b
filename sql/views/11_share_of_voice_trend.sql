-- One row per project, scope and period.
create view main.share_of_voice_trend as
select
  v.project_id,
  p.name as project_name,
  v.grain,
  v.date,
  v.scope,
  v.scope_id,
  {{scope_name}} as scope_name,
  v.total_responses,
  v.brand_mentions,
  v.share_of_voice as share_of_voice_pct,
  lag(v.date) over series as previous_date,
  lag(v.share_of_voice) over series as previous_share_of_voice_pct,
  v.share_of_voice - lag(v.share_of_voice) over series as change_points,
  v.previous_period_share_of_voice as reported_previous_share_of_voice_pct,
  v.change as reported_change_points,
  {{is_final_period}} as is_final
from core.share_of_voice v
cross join main.sync_settings s
{{scope_joins}}
window series as (partition by v.project_id, v.grain, v.scope, v.scope_id order by v.date);

comment on view main.share_of_voice_trend is 'Share of voice over time, with the period before. One row per project, grain, scope and period. Source: GET v1 share-of-voice/time-series.';
-- comments: project_id, project_name, grain, date = period, scope, scope_id, scope_name, total_responses
-- comments: brand_mentions, share_of_voice_pct, previous_date
comment on column main.share_of_voice_trend.previous_share_of_voice_pct is 'Share of voice of the period before that has data, percent. Do not sum or average.';
comment on column main.share_of_voice_trend.change_points is 'Change against that period, percentage points. Do not sum or average.';
comment on column main.share_of_voice_trend.reported_previous_share_of_voice_pct is 'Share of voice of the period before as the API reports it, percent. Do not sum or average. Source: GET v1 share-of-voice/time-series.';
comment on column main.share_of_voice_trend.reported_change_points is 'Change as the API reports it, percentage points. Do not sum or average. Source: GET v1 share-of-voice/time-series.';
-- comments: is_final
