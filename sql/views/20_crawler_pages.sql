-- One row per project and page: newest window.
create view detail.crawler_pages as
with newest as (
  select project_id, max(window_end) as newest_end from core.crawler_top_pages where scope = 'project' group by project_id
),
chosen as (
  select distinct on (w.project_id) w.project_id, w.window_kind, w.window_start, w.window_end
  from core.crawler_top_pages w
  join newest n on n.project_id = w.project_id and w.window_end >= n.newest_end - 7
  where w.scope = 'project'
  order by
    w.project_id asc,
    w.window_kind like 'last%' desc,
    w.window_kind = 'last_28_days' desc,
    w.window_end desc,
    w.window_start asc
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  v.window_end,
  v.request_path,
  v.requests as crawler_requests_count,
  rank() over (partition by v.project_id order by v.requests desc nulls last) as requests_rank,
  v.unique_crawlers as unique_crawlers_count,
  array_to_string(v.crawlers, ', ') as crawlers
from core.crawler_top_pages v
join chosen c
  on c.project_id = v.project_id and c.window_kind = v.window_kind and c.window_start = v.window_start
left join core.projects p on p.project_id = v.project_id
where v.scope = 'project';

comment on view detail.crawler_pages is 'Pages that AI crawlers asked for most, newest window: the last 28 days or, where they are not asked for, another rolling window or the newest month. One row per project and page. Source: GET v1 analytics/crawlers/top-pages.';
