-- One row per project, window and page.
{% from "days.sql" import is_whole_window, join_window_state %}
{% from "figures.sql" import previous_window_start %}
create view detail.crawler_page_trend as
with windows as (
  select project_id, scope, scope_id, window_kind, window_start, max(window_end) as window_end, cast(sum(requests) as bigint) as requests
  from core.crawler_top_pages
  where scope = 'project'
  group by project_id, scope, scope_id, window_kind, window_start
),
first_days as (
  select project_id, min(date) as first_date
  from core.crawler_requests
  where grain = 'day' and scope = 'project' and requests > 0
  group by project_id
),
dated as (
  select
    v.project_id,
    v.window_kind,
    v.window_start,
    v.window_end,
    v.requests,
    {{ previous_window_start() }} as previous_start,
    {{ is_whole_window() }} as is_whole_window,
    v.window_start = max(case when {{ is_whole_window() }} then v.window_start end)
      over (partition by v.project_id, v.window_kind) as is_newest_whole_window
  from windows v
  {{ join_window_state("crawler_top_pages") }}
  left join first_days f on f.project_id = v.project_id
)
select
  v.project_id,
  p.name as project_name,
  v.window_kind,
  v.window_start,
  v.window_end,
  cast(v.window_end - v.window_start + 1 as integer) as days_in_window,
  d.is_whole_window,
  coalesce(d.is_newest_whole_window, false) as is_newest_whole_window,
  v.request_path,
  v.requests as crawler_requests_count,
  100.0 * v.requests / nullif(d.requests, 0) as listed_share_pct,
  rank() over (partition by v.project_id, v.window_kind, v.window_start order by v.requests desc nulls last) as requests_rank,
  v.unique_crawlers as unique_crawlers_count,
  array_to_string(v.crawlers, ', ') as crawlers,
  b.requests as previous_crawler_requests_count,
  cast(d.window_start - d.previous_start as integer) as previous_days_in_window,
  case when d.is_whole_window then v.requests - b.requests end as crawler_requests_change,
  case
    when d.is_whole_window
      then cast(v.requests as double) / (v.window_end - v.window_start + 1)
        - cast(b.requests as double) / (d.window_start - d.previous_start)
  end as crawler_requests_per_day_change
from core.crawler_top_pages v
join dated d on d.project_id = v.project_id and d.window_kind = v.window_kind and d.window_start = v.window_start
left join dated e
  on e.project_id = d.project_id and e.window_kind = d.window_kind and e.window_start = d.previous_start and e.is_whole_window
left join core.crawler_top_pages b
  on b.project_id = e.project_id
  and b.window_kind = e.window_kind
  and b.window_start = e.window_start
  and b.scope = 'project'
  and b.request_path = v.request_path
left join core.projects p on p.project_id = v.project_id
where v.scope = 'project';

comment on view detail.crawler_page_trend is 'Pages that AI crawlers asked for most, window by window, with the window before next to it. One row per project, window and page. The API gives a top list: a page may have fallen below its end. Source: GET v1 analytics/crawlers/top-pages.';
