-- Periods that every answer came too early for, by their last day: before they were over (is_partial), or before they were older than the look-back.
-- One row per series and day. A newer answer about other periods makes them neither whole nor final. Few rows: the gaps in what was told late enough, where somebody asked.
(
  with margins as (
    select true as is_partial, 1 as days
    union all
    select false, greatest(lookback_days, 1) from main.sync_settings
  ),
  asked as (
    select
      z.endpoint,
      z.project_id,
      z.scope,
      z.scope_id,
      coalesce(z.grain, 'day') as grain,
      z.window_start,
      z.status in ({{answered_statuses}}) as is_answered,
      m.is_partial,
      least(z.sync_day - m.days, coalesce(z.covered_end, z.window_end)) as told_end,
      {{period_end_asked}} as last_end
    from meta.slices z
    cross join margins m
    where z.window_kind is null and z.window_start is not null
  ),
  reached as (
    select
      endpoint, project_id, scope, scope_id, grain, is_partial,
      max(case when is_answered then told_end else window_start - 1 end) over so_far + 1 as first_date,
      lead(window_start) over series - 1 as last_date
    from asked
    window
      series as (partition by endpoint, project_id, scope, scope_id, grain, is_partial order by window_start asc),
      so_far as (
        partition by endpoint, project_id, scope, scope_id, grain, is_partial order by window_start asc
        rows between unbounded preceding and current row
      )
  ),
  gaps as (
    select * from reached where last_date is null or last_date >= first_date
  ),
  days as (
    select
      a.endpoint, a.project_id, a.scope, a.scope_id, a.grain, a.is_partial, a.is_answered,
      cast(
        unnest(
          generate_series(
            greatest(g.first_date, a.told_end + 1, a.window_start),
            least(g.last_date, a.last_end, case when not a.is_partial then s.sync_day - s.lookback_days end),
            interval '1 day'
          )
        ) as date
      ) as date
    from asked a
    join gaps g
      on g.endpoint = a.endpoint and g.project_id = a.project_id and g.scope = a.scope and g.scope_id = a.scope_id
      and g.grain = a.grain and g.is_partial = a.is_partial
      and g.first_date <= a.last_end and coalesce(g.last_date >= a.told_end + 1, true)
    cross join main.sync_settings s
    where a.told_end < a.last_end
  )
  select
    endpoint, project_id, scope, scope_id, grain, date,
    bool_or(is_partial) as is_partial,
    bool_or(is_answered) as is_answered,
    bool_or(is_partial and is_answered) as is_partial_answer
  from days
  group by endpoint, project_id, scope, scope_id, grain, date
)
