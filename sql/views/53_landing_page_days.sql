-- One row per project, landing page, day and source.
{% from "days.sql" import is_final, is_whole, join_series_state %}
create view detail.landing_page_days as
select
  v.project_id,
  p.name as project_name,
  v.scope_id as landing_page,
  v.date,
  v.referrer as source,
  cast(v.visits as bigint) as ai_visits_count,
  {{ is_whole("v.date") }} as is_whole_day,
  {{ is_final("v.date") }} as is_final
from core.visitor_visits v
{{ join_series_state("visitor_visits") }}
left join core.projects p on p.project_id = v.project_id
where v.scope = 'page' and v.grain = 'day';

comment on view detail.landing_page_days is 'Visits from AI assistants to single pages by day, where pages are configured (sync.landing_pages). One row per project, page, day and source. Source: GET v1 analytics/visitors/trend with a pathname.';
