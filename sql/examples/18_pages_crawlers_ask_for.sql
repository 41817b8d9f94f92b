-- Question: Which pages do AI crawlers ask for most, and how many different crawlers come?
-- Words: bots, GPTBot, crawl, most visited pages
-- Grain: one row per project and page, newest window, ten pages
-- Key: project_id, request_path
-- Columns: project_id, project_name, window_start, window_end, request_path, crawler_requests_count,
--   listed_share_pct, unique_crawlers_count, crawlers
-- Caveat: the API gives a top list; listed_share_pct is the share among the listed pages, not of all requests. Crawlers
--   are counted per page: do not add unique_crawlers_count.
select
  project_id,
  project_name,
  window_start,
  window_end,
  request_path,
  crawler_requests_count,
  100.0 * crawler_requests_count / nullif(sum(crawler_requests_count) over (partition by project_id), 0)
    as listed_share_pct,
  unique_crawlers_count,
  crawlers
from main.crawler_pages
qualify row_number() over (partition by project_id order by crawler_requests_count desc nulls last, request_path) <= 10
order by project_name, crawler_requests_count desc, request_path;
