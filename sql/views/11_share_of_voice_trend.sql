-- One row per project, scope and period.
{% from "days.sql" import is_final, is_whole, join_series_state, period_end %}
{% from "figures.sql" import join_scope_names, scope_name %}
{% from "text.sql" import wilson %}
create view detail.share_of_voice_trend as
with compared as (
  select
    v.*,
    lag(v.date) over series as previous_date,
    lag(v.share_of_voice) over series as previous_share_of_voice,
    lag({{ is_whole(period_end()) }}) over series as was_whole,
    case v.grain when 'week' then v.date - 7 when 'month' then cast(v.date - interval '1 month' as date) else v.date - 1 end as calendar_date,
    {{ is_whole(period_end()) }} as is_whole_day,
    {{ is_final(period_end()) }} as is_final
  from core.share_of_voice v
  {{ join_series_state("share_of_voice") }}
  window series as (partition by v.project_id, v.grain, v.scope, v.scope_id order by v.date asc)
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
  case when v.previous_date = v.calendar_date and v.is_whole_day and v.was_whole then v.share_of_voice - v.previous_share_of_voice end as change_points,
  v.previous_period_share_of_voice as reported_previous_share_of_voice_pct,
  v.change as reported_change_points,
  v.is_whole_day,
  v.is_final
from compared v
{{ join_scope_names() }}
left join detail.like_these_shares a on a.project_id = v.project_id and a.grain = v.grain and a.date = v.date and v.scope = 'project';

comment on view detail.share_of_voice_trend is 'Share of voice over time, with the period before. One row per project, grain, scope and period. Source: GET v1 share-of-voice/time-series.';
