-- One row per project, day and source.
{% from "days.sql" import is_final_on_project_day, is_whole_on_project_day, join_project_state, open_project_days %}
create view detail.ai_traffic as
with traffic as (
  select project_id, date, 'crawler' as source_kind, crawler as source, requests, null as visits
  from core.crawler_requests
  where grain = 'day' and scope = 'project'
  union all
  select project_id, date, 'visitor', referrer, null, visits
  from core.visitor_visits
  where grain = 'day' and scope = 'project'
)
select
  v.project_id,
  p.name as project_name,
  v.date,
  v.source_kind,
  v.source,
  cast(v.requests as bigint) as crawler_requests_count,
  cast(v.visits as bigint) as ai_visits_count,
  {{ is_whole_on_project_day() }} as is_whole_day,
  {{ is_final_on_project_day() }} as is_final
from traffic v
{{ join_project_state() }}
left join (
  select project_id, endpoint, date, bool_or(is_partial) as is_partial, bool_or(is_open) as is_open
  from {{ open_project_days() }} days
  group by project_id, endpoint, date
) early
  on early.project_id = v.project_id and early.date = v.date
  and early.endpoint = case v.source_kind when 'crawler' then 'crawler_requests' else 'visitor_visits' end
left join core.projects p on p.project_id = v.project_id;

comment on view detail.ai_traffic is 'AI crawlers and visitors from AI assistants side by side. One row per project, day and source. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.';
