-- The same for the days of whole projects. One row per project, endpoint and day; `is_open` where a figure of the day may still change.
-- What an endpoint of the configuration fails to answer, it may still tell: its days stay open. One that was never enabled, refuses the key or is asked no more keeps none open.
(
  with filling as (
    select distinct project_id, endpoint
    from meta.expected_series
    where scope = 'project' and coalesce(grain, 'day') = 'day' and endpoint in (
      'visibility', 'sentiment', 'share_of_voice', 'response_sentiment', 'citation_ranks', 'crawler_requests', 'visitor_visits', 'events'
    )
  ),
  told as (
    select o.project_id, o.endpoint, o.told_end, s.sync_day - s.lookback_days as last_date
    from (
      select
        a.project_id,
        a.endpoint,
        max(least(a.sync_day - greatest(s.lookback_days, 1), coalesce(a.covered_end, a.window_end)))
          filter (where a.status in ({{answered_statuses}})) as told_end
      from meta.slices a
      cross join main.sync_settings s
      where coalesce(a.grain, 'day') = 'day' and a.scope = 'project' and a.window_kind is null
      group by a.project_id, a.endpoint
      having bool_or(a.status in ({{answered_statuses}}) and a.status <> 'not_enabled')
        and max_by(coalesce(a.error_class, ''), a.fetched_at) <> 'auth'
    ) o
    join filling f on f.project_id = o.project_id and f.endpoint = o.endpoint
    cross join main.sync_settings s
  )
  select e.project_id, e.endpoint, e.date, e.is_partial_answer as is_partial, t.endpoint is not null as is_open
  from {{open_periods keys=project_keys only=of_projects}} e
  left join told t on t.project_id = e.project_id and t.endpoint = e.endpoint
  where e.is_answered
  union all
  select project_id, endpoint, cast(unnest(generate_series(told_end + 1, last_date, interval '1 day')) as date), false, true
  from told
)
