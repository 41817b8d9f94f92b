-- Days with figures that were asked before the day was over, of daily series of whole projects. One row per project and endpoint; empty where `first_date` is after `last_date`.
(
  select project_id, endpoint, {{first_partial_day}} as first_date, max(coalesce(covered_end, window_end)) as last_date
  from meta.slices
  where (grain = 'day' or endpoint = 'events') and scope = 'project' and window_kind is null and status in ({{answered_statuses}})
  group by project_id, endpoint
)
