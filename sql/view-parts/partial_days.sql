-- Days with figures that were asked before the day was over, of daily series of whole projects. One row per project, endpoint and day.
(
  select project_id, endpoint, cast(unnest(generate_series(sync_day, last_date, interval '1 day')) as date) as date
  from (
    select project_id, endpoint, {{first_partial_day}} as sync_day, max(coalesce(covered_end, window_end)) as last_date
    from meta.slices
    where grain = 'day' and scope = 'project' and window_kind is null and status in ({{answered_statuses}})
    group by project_id, endpoint
  ) series
  where last_date >= sync_day
)
