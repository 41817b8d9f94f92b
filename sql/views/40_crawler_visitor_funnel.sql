-- One row per project, vendor and day.
{% from "days.sql" import is_final_on_project_day, is_whole_on_project_day, join_project_state, open_project_days %}
create view detail.crawler_visitor_funnel as
with traffic as (
  select project_id, date, 'crawler' as source_kind, crawler as source, requests, null as visits
  from core.crawler_requests
  where grain = 'day' and scope = 'project'
  union all
  select project_id, date, 'visitor', referrer, null, visits
  from core.visitor_visits
  where grain = 'day' and scope = 'project'
),
sources as (
  select source_kind, source, regexp_replace(regexp_replace(lower(source), '^www[.]', ''), '[^a-z0-9]', '', 'g') as source_key
  from (select distinct source_kind, source from traffic) known
),
mapped as (
  select s.source_kind, s.source, coalesce(a.vendor, s.source) as vendor, a.purpose, a.vendor is not null as is_known_vendor
  from sources s
  left join main.ai_vendors a on a.source_kind = s.source_kind and a.source_key = s.source_key
),
summed as (
  select
    t.project_id, t.date, m.vendor,
    bool_or(m.is_known_vendor) as is_known_vendor,
    sum(t.requests) filter (where m.purpose = 'training') as training,
    sum(t.requests) filter (where m.purpose = 'search') as search,
    sum(t.requests) filter (where m.purpose = 'user') as user_asked,
    sum(t.requests) filter (where m.purpose is null) as other,
    sum(t.requests) as requests,
    sum(t.visits) as visits
  from traffic t
  join mapped m on m.source_kind = t.source_kind and m.source = t.source
  group by t.project_id, t.date, m.vendor
)
select
  v.project_id, p.name as project_name, v.date, v.vendor, v.is_known_vendor,
  cast(v.training as bigint) as training_requests_count,
  cast(v.search as bigint) as search_requests_count,
  cast(v.user_asked as bigint) as user_requests_count,
  cast(v.other as bigint) as other_requests_count,
  cast(v.requests as bigint) as crawler_requests_count,
  cast(v.visits as bigint) as ai_visits_count,
  {{ is_whole_on_project_day() | replace("early.is_partial", "early.is_partial_crawler") }} as is_whole_crawler_requests,
  {{ is_whole_on_project_day() | replace("early.is_partial", "early.is_partial_visitor") }} as is_whole_ai_visits,
  {{ is_whole_on_project_day() }} as is_whole_day,
  {{ is_final_on_project_day() }} as is_final
from summed v
{{ join_project_state() }}
left join (
  select
    project_id, date, bool_or(is_partial) as is_partial, bool_or(is_open) as is_open,
    bool_or(is_partial) filter (where endpoint = 'crawler_requests') as is_partial_crawler,
    bool_or(is_partial) filter (where endpoint = 'visitor_visits') as is_partial_visitor
  from {{ open_project_days() }} days
  where endpoint in ('crawler_requests', 'visitor_visits')
  group by project_id, date
) early
  on early.project_id = v.project_id and early.date = v.date
left join core.projects p on p.project_id = v.project_id;

comment on view detail.crawler_visitor_funnel is 'What a vendor''s crawlers fetch, by purpose, beside the visits its assistants send. One row per project, vendor and day. A vendor is found through ai_vendors; crawlers and referrers that are not in it stand under their own name. Source: GET v1 analytics/crawlers/trend, GET v1 analytics/visitors/trend.';
