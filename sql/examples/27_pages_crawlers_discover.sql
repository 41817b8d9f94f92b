-- Question: Which pages do AI crawlers ask for more often than the month before?
-- Grain: one row per project and page, newest whole month
-- Key: project_id, request_path
-- Columns: project_id, project_name, month_start, request_path, crawler_requests_count,
--   days_in_window, previous_crawler_requests_count, previous_days_in_window, crawler_requests_per_day_change, listed_share_pct
-- Caveat: the API gives a top list: a page without a previous figure is new or was below the end of the list. Months
--   differ in length by up to a tenth, so that the change is told per day.
select
  project_id,
  project_name,
  window_start as month_start,
  request_path,
  crawler_requests_count,
  days_in_window,
  previous_crawler_requests_count,
  previous_days_in_window,
  crawler_requests_per_day_change,
  listed_share_pct
from main.crawler_page_trend
qualify window_start = max(window_start) over (partition by project_id)
order by project_name, crawler_requests_per_day_change desc nulls last, request_path;
