-- One row per page of the newest window, most requested first, at most 10; the last 28 days where they are requested. A whole window has the preceding one of the same length next to it.
with placed as (
  select
    *,
    dense_rank() over (
      partition by project_id
      order by
        case window_kind when 'last_28_days' then 1 when 'last_90_days' then 2 when 'last_7_days' then 3 when 'month' then 4 else 5 end,
        window_start desc
    ) as window_place
  from (select *, max(window_end) over (partition by project_id) as newest_end from detail.crawler_page_trend where {{project}})
  -- A kind that is no longer requested has old windows only.
  where window_end >= newest_end - 7
)
select
  project_id, window_start, window_end, request_path as label, false as is_own,
  cast(crawler_requests_count as double) as value, cast(case when is_whole_window and days_in_window = previous_days_in_window then previous_crawler_requests_count end as double) as previous
from placed
where window_place = 1 and crawler_requests_count > 0
qualify row_number() over (partition by project_id order by crawler_requests_count desc, request_path) <= 10
order by project_id, crawler_requests_count desc, request_path;
