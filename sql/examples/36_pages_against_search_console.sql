-- Question: Which pages do AI crawlers read, and how do people find the same pages in Google?
-- Grain: one row per project and page, newest 28 days
-- Key: project_id, path
-- Columns: project_id, project_name, path, crawler_requests_count, unique_crawlers_count, clicks, impressions
-- Caveat: the API names cited domains and no cited pages; pages that crawlers of AI assistants ask for come nearest. Put
--   your own page report of Search Console for the rows of search_console: in DuckDB's shell,
--   from read_csv('search-console.csv'). NULL: not in that report.
with search_console (page, clicks, impressions) as (
  values
    ('https://www.fernhillcoffee.example/', 812, 15400),
    ('https://www.fernhillcoffee.example/pricing/?utm_source=newsletter', 96, 2100),
    ('https://www.fernhillcoffee.example/guides/espresso-machines', 340, 9800)
),
found as (
  select
    main.host_of(page) as host,
    main.canonical_path(page) as path,
    cast(sum(clicks) as bigint) as clicks,
    cast(sum(impressions) as bigint) as impressions
  from search_console
  group by host, path
),
crawled as (
  select
    project_id,
    project_name,
    main.canonical_path(request_path) as path,
    cast(sum(crawler_requests_count) as bigint) as crawler_requests_count,
    max(unique_crawlers_count) as unique_crawlers_count
  from main.crawler_pages
  group by project_id, project_name, path
),
own as (
  select project_id, main.host_of(brand_domain) as host from main.brands where is_own_brand
)
select
  c.project_id,
  c.project_name,
  c.path,
  c.crawler_requests_count,
  c.unique_crawlers_count,
  f.clicks,
  f.impressions
from crawled c
left join own o on o.project_id = c.project_id
left join found f on f.host = o.host and f.path = c.path
order by f.clicks is null, c.project_name, c.crawler_requests_count desc, c.path;
