-- One row per project, scope and period.
{% from "days.sql" import is_final, is_whole, join_series_state, period_end %}
{% from "figures.sql" import join_scope_names, scope_name %}
{% from "text.sql" import wilson %}
create view detail.share_of_voice_trend as
with compared as (
  select
    project_id,
    grain,
    date,
    scope,
    scope_id,
    total_responses,
    brand_mentions,
    share_of_voice,
    previous_period_share_of_voice,
    change,
    lag(date) over series as previous_date,
    lag(share_of_voice) over series as previous_share_of_voice,
    case grain when 'week' then date - 7 when 'month' then cast(date - interval '1 month' as date) else date - 1 end as calendar_date
  from core.share_of_voice
  window series as (partition by project_id, grain, scope, scope_id order by date asc)
)
select
  v.project_id,
  p.name as project_name,
  v.grain,
  v.date,
  v.scope,
  v.scope_id,
  {{ scope_name() }} as scope_name,
  v.total_responses as organic_responses,
  v.brand_mentions as organic_brand_mentions,
  v.share_of_voice as share_of_voice_pct,
  {{ wilson("v.brand_mentions", "v.total_responses", -1) }} as share_of_voice_pct_low,
  {{ wilson("v.brand_mentions", "v.total_responses", 1) }} as share_of_voice_pct_high,
  a.like_these_pct,
  a.like_these_low,
  a.like_these_high,
  case when v.previous_date = v.calendar_date then v.previous_date end as previous_date,
  case when v.previous_date = v.calendar_date then v.previous_share_of_voice end as previous_share_of_voice_pct,
  case when v.previous_date = v.calendar_date and {{ is_whole(period_end()) }} then v.share_of_voice - v.previous_share_of_voice end as change_points,
  v.previous_period_share_of_voice as reported_previous_share_of_voice_pct,
  v.change as reported_change_points,
  {{ is_whole(period_end()) }} as is_whole_day,
  {{ is_final(period_end()) }} as is_final
from compared v
{{ join_series_state("share_of_voice") }}
{{ join_scope_names() }}
left join detail.like_these_shares a on a.project_id = v.project_id and a.grain = v.grain and a.date = v.date and v.scope = 'project';

comment on view detail.share_of_voice_trend is 'Share of voice over time, with the period before. One row per project, grain, scope and period. Source: GET v1 share-of-voice/time-series.';
