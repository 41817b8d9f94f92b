-- One row per project, prompt and day.
{% from "scope-days.sql" import scope_days %}
create view detail.prompt_days as
select
  v.project_id,
  p.name as project_name,
  v.scope_id as prompt_id,
  q.prompt,
  q.type as prompt_type,
  q.monitor_id,
  m.name as monitor_name,
  v.date,
  v.visibility,
  v.sentiment,
  v.total_responses as organic_responses,
  v.brand_mentions as organic_brand_mentions,
  v.share_of_voice as share_of_voice_pct,
  v.is_whole_visibility,
  v.is_whole_sentiment,
  v.is_whole_share_of_voice,
  v.is_whole_day,
  v.is_final
from {{ scope_days("prompt") }} v
left join core.projects p on p.project_id = v.project_id
left join core.prompts q on q.project_id = v.project_id and q.prompt_id = v.scope_id
left join core.monitors m on m.project_id = q.project_id and m.monitor_id = q.monitor_id;

comment on view detail.prompt_days is 'Figures of each prompt by day, where the scope prompt is configured for visibility, sentiment or share_of_voice (sync.scopes). One row per project, prompt and day with a figure. Source: GET v1 visibility-time-series, v1 sentiment-time-series and v1 share-of-voice/time-series.';
